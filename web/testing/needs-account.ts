import { CallError } from '@kurs/contract/client';

/** Amount of an exchange for which the API's stub requires an account. */
export const NEEDS_ACCOUNT = '0.0777';

/** Returns the refusal of a visitor whose exchange needs an account. */
export const signInNeeded = (): CallError => new CallError(403, { code: 'sign_in_needed', message: 'Sign in and go on.' });
