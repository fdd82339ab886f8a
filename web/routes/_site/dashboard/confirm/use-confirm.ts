import { useState } from 'react';
import type { User } from '../user.ts';
import { moneyCalls } from './money-calls.ts';

/** How the holder shows that it is them: by their authenticator, or by a code that is mailed for one very action. */
export interface Confirm {
  /** The input of the calls that takes the code, and the field's name. */
  readonly field: 'two_factor_code' | 'otp';
  /** Whether a code for this action can be typed: always from an authenticator, else once it was mailed for this very action. */
  readonly isOpen: boolean;
  /** A code was mailed, but for an action that isn't this one any more. */
  readonly isStale: boolean;
  readonly code: string;
  readonly type: (code: string) => void;
  /** Mails a code for the act as it stands. Throws CallError. */
  readonly send: (about: () => Promise<string>) => Promise<void>;
  /** The code as the calls take it. */
  readonly codes: () => { readonly two_factor_code: string } | { readonly otp: string };
}

/**
 * The confirmation of an action. Takes the account, and a text that is another whenever another action is meant: a mailed code is
 * good for no other, so it is asked for again.
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
