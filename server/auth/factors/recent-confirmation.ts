// What changes how its holder gets into an account takes more than a session that somebody may have found open or taken along:
// one that began just now, or once more the password, or where there is none a code mailed for this very thing.

import { type Context, type Db, type Tx, userOf } from '../../platform/index.ts';
import { proveSessions } from './asker.ts';
import { spendCode, tryCode } from './codes.ts';
import { requirePassword } from './own-password.ts';
import { stepUpCode } from './step-up.ts';
import { keptPassword, sessionsBy } from '../accounts/store.ts';

/** Milliseconds for which a sign-in speaks for its holder without being asked again. */
export const RECENT_MS = 600_000;

/** What is shown of oneself once more. */
interface Shown {
  readonly password?: string | undefined;
  readonly otp?: string | undefined;
}

/**
 * Asks an account holder once more unless the session has just begun; gives what spends a mailed code, in the transaction of
 * what it allows. `about`: what is changed, which a mailed code is good for. Tries are counted, in transactions of their own.
 * Throws `password_needed` and `password_wrong` at `password` where one is set; `code_required`, `code_wrong` and
 * `code_expired` where none is; `rate_limited`.
 */
export async function requireRecent(
  db: Db,
  holderId: string,
  { password, otp }: Shown,
  about: 'two_factor' | 'password' | 'api_key',
  context: Context,
): Promise<(tx: Tx) => Promise<void>> {
  const nothing = async (): Promise<void> => undefined;
  if (await isRecent(db, holderId, userOf(context).sessionId)) return nothing;
  const kept = await keptPassword(db, holderId);
  if (kept !== undefined) {
    await requirePassword(password, { kept, field: 'password' }, context);
    return nothing;
  }
  const code = stepUpCode(userOf(context), { purpose: 'guard_account', about });
  await tryCode(db, code, otp);
  return async (tx) => {
    await spendCode(tx, code);
    await proveSessions(tx, [userOf(context).sessionId]);
  };
}

/** True if a session of the account began just now, by a row that was not changed past the product. */
async function isRecent(db: Db, holderId: string, sessionId: string): Promise<boolean> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found?.holder.id === holderId && found.now.getTime() - found.session.createdAt.getTime() < RECENT_MS;
}
