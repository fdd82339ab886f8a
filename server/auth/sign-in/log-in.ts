// Signing in by password. For an unknown address, a wrong password and an account without a password, the answer and the work
// before it are the same.

import { Problem } from '@kurs/contract';
import type { Context, Db } from '../../platform/index.ts';
import { canonicalEmail } from '../../platform/index.ts';
import type { Holder } from '../accounts/holder.ts';
import { hashPassword, isOutgrown, isPassword } from '../factors/password.ts';
import { type Pressure, larger, pressureOf } from '../factors/pressure.ts';
import { holderByEmail, storePassword, storedHash } from '../accounts/store.ts';

/** A quarter of an hour, in seconds. */
const QUARTER = 900;
/**
 * Numbers of wrong tries, by address and by network, after which the bot check's work for a try rises. Strangers can lock
 * nobody out.
 */
const LOGIN = {
  ofAddress: { steps: [10, 20, 40, 80], seconds: QUARTER },
  ofNetwork: { steps: [30, 60, 120, 240], seconds: QUARTER },
};

/**
 * Counts a try to sign in with an e-mail address. Returns the share of the bot check's maximum work to require. Call `undo`
 * after a right try.
 */
export async function countTry(
  { limit, limitNetwork }: Pick<Context, 'limit' | 'limitNetwork'>,
  email: string,
): Promise<Pressure> {
  const ofNetwork = await pressureOf(limitNetwork, 'password tried', LOGIN.ofNetwork);
  const ofAddress = await pressureOf(limit, `password tried ${canonicalEmail(email)}`, LOGIN.ofAddress);
  return {
    share: larger(ofNetwork.share, ofAddress.share),
    async undo() {
      await ofNetwork.undo();
      await ofAddress.undo();
    },
  };
}

/**
 * Returns the account with this e-mail address and password, and the stored hash. If the hash has outdated parameters, stores a
 * new one. Throws `login_wrong`, and `unavailable` if too many passwords are checked at once.
 */
export async function holderByPassword(db: Db, email: string, password: string): Promise<{ holder: Holder; stored: string }> {
  const holder = await holderByEmail(db, email);
  const stored = holder && (await storedHash(db, holder.id));
  const isRight = await isPassword(password, stored);
  if (!holder || stored === undefined || !isRight) throw new Problem('login_wrong');
  if (!isOutgrown(stored)) return { holder, stored };
  const anew = await hashPassword(password);
  await db.tx((tx) => storePassword(tx, holder.id, { was: stored, stored: anew }));
  return { holder, stored: anew };
}
