// Who a password shows: the same answer, after the same work, for an unknown address, a wrong password and none.

import { Problem } from '@kurs/contract';
import type { Context, Db } from '../../platform/index.ts';
import { canonicalEmail } from '../../platform/index.ts';
import type { Holder } from '../accounts/holder.ts';
import { hashPassword, isOutgrown, isPassword } from '../factors/password.ts';
import { type Pressure, larger, pressureOf } from '../factors/pressure.ts';
import { holderByEmail, keepPassword, keptPassword } from '../accounts/store.ts';

const QUARTER = 900;
/** Wrong tries for an address, and of a network, at each step of what a try costs: nobody is stopped by another's. */
const LOGIN = {
  ofAddress: { steps: [10, 20, 40, 80], seconds: QUARTER },
  ofNetwork: { steps: [30, 60, 120, 240], seconds: QUARTER },
};

/**
 * Counts a try for an e-mail address. Gives its share of the work asked, and a function that takes the count back after a
 * right try.
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
 * The account that an address and a password open, with the text that is kept of the password. Throws `login_wrong`, and
 * `unavailable` when too many are tried at once.
 */
export async function holderByPassword(db: Db, email: string, password: string): Promise<{ holder: Holder; kept: string }> {
  const holder = await holderByEmail(db, email);
  const kept = holder && (await keptPassword(db, holder.id));
  const isRight = await isPassword(password, kept);
  if (!holder || kept === undefined || !isRight) throw new Problem('login_wrong');
  if (!isOutgrown(kept)) return { holder, kept };
  const anew = await hashPassword(password);
  await db.tx((tx) => keepPassword(tx, holder.id, { was: kept, kept: anew }));
  return { holder, kept: anew };
}
