import { fieldProblem } from '@kurs/contract';
import { type Context, userOf } from '../../platform/index.ts';
import { isPassword } from './password.ts';

/** Limit of wrong passwords in one session. Other sessions are not affected. */
const TRIES = { max: 10, seconds: 900 };

/**
 * Verifies the current password of the signed-in account holder. Throws `password_needed` or `password_wrong` at the password's
 * field, and `rate_limited` after too many wrong passwords in this session.
 */
export async function requirePassword(
  given: string | undefined,
  { stored, field }: { readonly stored: string; readonly field: 'password' | 'current_password' },
  context: Context,
): Promise<void> {
  if (given === undefined) throw fieldProblem(field, 'password_needed');
  const tried = await context.limit(`password in session ${userOf(context).sessionId}`, TRIES);
  if (!(await isPassword(given, stored))) throw fieldProblem(field, 'password_wrong');
  await tried.undo();
}
