import { useState } from 'react';
import type { User } from '../user.ts';
import { moneyCalls } from './money-calls.ts';

/** State of a confirmation by the holder: a code from their authenticator, or one mailed for one action only. */
export interface Confirm {
  /** Name of the code's field, and of the input that carries it in API calls. */
  readonly field: 'two_factor_code' | 'otp';
  /** True if a code can be typed: always with an authenticator, otherwise once a code was mailed for the current action. */
  readonly isOpen: boolean;
  /** True if a code was mailed for another action than the current one. */
  readonly isStale: boolean;
  readonly code: string;
  readonly type: (code: string) => void;
  /** Mails a code for the current action. Throws CallError. */
  readonly send: (about: () => Promise<string>) => Promise<void>;
  /** The typed code as input of an API call. */
  readonly codes: () => { readonly two_factor_code: string } | { readonly otp: string };
}

/**
 * Manages the confirmation of an action. `act` is a text that differs for each action and its details. A mailed code is valid for
 * one action only, so another `act` needs another code.
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
