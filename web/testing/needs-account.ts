import { CallError } from '@kurs/contract/client';

/** An amount that only an account may exchange. */
export const NEEDS_ACCOUNT = '0.0777';

/** The answer to a visitor whose exchange takes an account. */
export const signInNeeded = (): CallError => new CallError(403, { code: 'sign_in_needed', message: 'Sign in and go on.' });
