import { CallError } from '@kurs/contract/client';
import { placed } from '../../rest-of.ts';
import { saidBy } from '../said-by.ts';

/** Errors of a form: `at` by field, and a `message` about the whole form. */
export interface Wrong {
  readonly at?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** True if a call failed with one of these problem codes. */
export function failedBy(error: unknown, ...codes: readonly string[]): error is CallError {
  return error instanceof CallError && codes.includes(error.code);
}

/** Converts a failed call to the errors of a form with these fields. Throws any other error again. */
export function wrongOf(error: unknown, fields: readonly string[]): Wrong {
  if (!(error instanceof CallError)) throw error;
  const { at, rest } = placed(error, fields);
  if (Object.keys(at).length > 0) return { at, ...(rest !== undefined && { message: rest }) };
  if (Object.keys(error.errors).length > 0 && rest !== undefined) return { message: rest };
  const field = error.code.startsWith('code_') ? 'otp' : error.code === 'two_factor_wrong' ? 'two_factor_code' : '';
  return fields.includes(field) ? { at: { [field]: error.message } } : { message: saidBy(error) };
}
