// Who a password shows: the same answer, after the same work, for an unknown address, a wrong password and none.

import { Problem } from '@kurs/contract';
import type { Context, Db, Limit } from '../platform/index.ts';
import { canonicalEmail } from '../platform/index.ts';
import type { Holder } from './holder.ts';
import { hashPassword, isOutgrown, isPassword } from './password.ts';
import { holderByEmail, keepPassword, keptPassword } from './store.ts';

const QUARTER = 900;
const LOGIN = {
  /** Tries for an address, and of a network, before each costs a bot check. */
  ofAddress: { most: 10, seconds: QUARTER },
  ofNetwork: { most: 30, seconds: QUARTER },
  /** Tries of a network altogether. There is no such bound for an address: strangers could lock its owner out. */
  atAll: { most: 300, seconds: 3_600 },
};

/** Whether a try at an address is free. Counts it. Throws `rate_limited` for a network that tries on and on. */
export function isFreeTry({ limit, limitNetwork }: Pick<Context, 'limit' | 'limitNetwork'>, email: string): boolean {
  limitNetwork('password tried', LOGIN.atAll);
  const fits = [
    isWithin(limitNetwork, 'password freely tried', LOGIN.ofNetwork),
    isWithin(limit, `password tried ${canonicalEmail(email)}`, LOGIN.ofAddress),
  ];
  return fits.every(Boolean);
}

function isWithin(count: Context['limit'], key: string, limit: Limit): boolean {
  try {
    count(key, limit);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_limited') return false;
    throw error;
  }
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
  await keepPassword(db, holder.id, { was: kept, kept: anew, now: await db.now() });
  return { holder, kept: anew };
}
