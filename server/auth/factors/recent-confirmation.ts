// Changing how one signs in needs more than an open session, which may have been found or stolen: a sign-in within the last
// minutes, the password, or without a password a code that is mailed for this purpose.

import { type Context, type Db, type Tx, userOf } from '../../platform/index.ts';
import { proveSessions } from './asker.ts';
import { spendCode, tryCode } from './codes.ts';
import { requirePassword } from './own-password.ts';
import { stepUpCode } from './step-up.ts';
import { storedHash, sessionsBy } from '../accounts/store.ts';

/** Time after signing in during which no further proof is needed, in ms. */
export const RECENT_MS = 600_000;

/** Proof that the caller gives. */
interface RecentProof {
  readonly password?: string | undefined;
  readonly otp?: string | undefined;
}

/**
 * Requires a proof from the account holder unless the session has just begun. Returns a function that spends a mailed code in the
 * transaction of the change. `about` is the change that a mailed code is bound to. Tries are counted in transactions of their
 * own. Throws `password_needed` and `password_wrong` at `password` if a password is set; `code_required`, `code_wrong` and
 * `code_expired` otherwise; `rate_limited`.
 */
export async function requireRecent(
  db: Db,
  holderId: string,
  { password, otp }: RecentProof,
  about: 'two_factor' | 'password' | 'api_key',
  context: Context,
): Promise<(tx: Tx) => Promise<void>> {
  const nothing = async (): Promise<void> => undefined;
  if (await isRecent(db, holderId, userOf(context).sessionId)) return nothing;
  const stored = await storedHash(db, holderId);
  if (stored !== undefined) {
    await requirePassword(password, { stored, field: 'password' }, context);
    return nothing;
  }
  const code = stepUpCode(userOf(context), { purpose: 'guard_account', about });
  await tryCode(db, code, otp);
  return async (tx) => {
    await spendCode(tx, code);
    await proveSessions(tx, [userOf(context).sessionId]);
  };
}

/** True if a session of the account began within the last minutes and neither row was changed outside the product. */
async function isRecent(db: Db, holderId: string, sessionId: string): Promise<boolean> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found?.holder.id === holderId && found.now.getTime() - found.session.createdAt.getTime() < RECENT_MS;
}
