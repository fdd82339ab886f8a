// Proof for changing the way of signing in. An open session is not enough, since a session may be stolen. The proof is a
// sign-in within the last ten minutes, or the password. If no password is set, the proof is a code that is mailed for this
// purpose.

import { type Context, type Db, type Tx, userOf } from '../../platform/index.ts';
import { proveSessions } from './asker.ts';
import { spendCode, tryCode } from './codes.ts';
import { requirePassword } from './own-password.ts';
import { stepUpCode } from './step-up.ts';
import { storedHash, sessionsBy } from '../accounts/store.ts';

/** Time after signing in during which no further proof is required, in ms. */
export const RECENT_MS = 600_000;

/** Proof in the caller's input. */
interface RecentProof {
  readonly password?: string | undefined;
  readonly otp?: string | undefined;
}

/**
 * Requires a proof from the account holder, unless the session began within `RECENT_MS`. `about`: the change to which a mailed
 * code is bound. Tries are counted in their own transactions. Returns a function that uses up the mailed code, in the
 * transaction of the change.
 *
 * Throws `password_needed` or `password_wrong` at `password` if a password is set; otherwise `code_required`, `code_wrong` or
 * `code_expired`; `rate_limited`.
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

/**
 * True if the session belongs to the account and began within `RECENT_MS`. False if the row of the session or account was
 * changed outside the product.
 */
async function isRecent(db: Db, holderId: string, sessionId: string): Promise<boolean> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found?.holder.id === holderId && found.now.getTime() - found.session.createdAt.getTime() < RECENT_MS;
}
