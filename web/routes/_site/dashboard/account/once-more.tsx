import type { ReactNode } from 'react';
import { CallError } from '@kurs/contract/client';
import { type Wrong, failedBy } from '../../../../features/account/sign-in/wrong.ts';
import { m } from '../../../../features/words.ts';
import { Field } from '../../../../ui/fields/field.tsx';
import { accountCalls } from './account-calls.ts';
import css from './account.module.css';
import { DigitsField } from './digits-field.tsx';

/**
 * Step-up that the server requires from a holder who signed in a while ago: their `password` or a mailed code (`otp`). Empty if
 * none is required.
 */
export interface StepUp {
  readonly password?: string;
  readonly otp?: string;
}

/**
 * Runs a call that changes how the holder signs in.
 *
 * If the server requires a mailed code, has the code mailed, opens the code's field by `ask`, and returns undefined. If the
 * server requires the password, opens the password's field by `ask` and throws the error, so that the form shows the server's
 * message.
 */
export async function requestedOnceMore<T>(
  about: 'two_factor' | 'password' | 'api_key',
  act: () => Promise<T>,
  ask: (request: StepUp) => void,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (failedBy(error, 'code_required')) {
      await accountCalls.userEmailGetOtp({ purpose: 'guard_account', about });
      ask({ otp: '' });
      return undefined;
    }
    // In the form that sets a password, an error at `password` is about the new password.
    if (about !== 'password' && error instanceof CallError && 'password' in error.errors) ask({ password: '' });
    throw error;
  }
}

/** Field for the step-up's password or mailed code; absent if neither is required. */
export function OnceMore({
  email,
  request,
  wrong,
  onChange,
}: {
  email: string;
  request: StepUp;
  wrong: Wrong;
  onChange: (requested: StepUp) => void;
}): ReactNode {
  const { password, otp } = request;
  if (password === undefined && otp === undefined) return null;
  return (
    <div className={css['onceMore']}>
      <p>{otp === undefined ? m.once_more_password() : m.once_more_code({ email })}</p>
      {otp === undefined ? (
        <Field
          name="password_once_more"
          label={m.password_label()}
          type="password"
          autoComplete="current-password"
          value={password ?? ''}
          error={wrong.at?.['password']}
          onChange={(event) => onChange({ password: event.currentTarget.value })}
        />
      ) : (
        <DigitsField
          name="otp"
          label={m.email_code()}
          value={otp}
          error={wrong.at?.['otp']}
          onChange={(code) => onChange({ otp: code })}
        />
      )}
    </div>
  );
}
