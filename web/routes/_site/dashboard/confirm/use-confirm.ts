import { useState } from 'react';
import type { User } from '../user.ts';
import { moneyCalls } from './money-calls.ts';

/**
 * State of a holder's confirmation of an action: by a code from their authenticator, or by a code that was mailed for this action
 * only.
 */
export interface Confirm {
  /** Name of the code's field in the form, and in the input of API calls. */
  readonly field: 'two_factor_code' | 'otp';
  /**
   * True if the field for the code is open: always with an authenticator, otherwise after a code was mailed for the current
   * action.
   */
  readonly isOpen: boolean;
  /** True if the last code was mailed for another action, so that it is not valid for the current action. */
  readonly isStale: boolean;
  readonly code: string;
  readonly type: (code: string) => void;
  /** Has a code mailed for the current action. `about` returns the action's confirmation id. Throws CallError. */
  readonly send: (about: () => Promise<string>) => Promise<void>;
  /** Returns the typed code as input for an API call. */
  readonly codes: () => { readonly two_factor_code: string } | { readonly otp: string };
}

/**
 * Returns the state of an action's confirmation. `act` is a text that differs for each action and its details. A mailed code is
 * valid for one action only, so another `act` needs another code.
 */
export function useConfirm(user: User, act: string): Confirm {
  const [mailedFor, setMailedFor] = useState<string>();
  const [code, type] = useState('');
  const isApp = user.two_factor_enabled;
  return {
    field: isApp ? 'two_factor_code' : 'otp',
    isOpen: isApp || mailedFor === act,
    isStale: !isApp && mailedFor !== undefined && mailedFor !== act,
    code,
    type,
    async send(about) {
      await moneyCalls.userEmailGetOtp({ purpose: 'money_out', about: await about() });
      type('');
      setMailedFor(act);
    },
    codes: () => (isApp ? { two_factor_code: code } : { otp: code }),
  };
}
