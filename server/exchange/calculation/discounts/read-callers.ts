// What the prices of callers hang on, read for all who ask at the same moment: each statement is about all of them, and they travel
// together.

import { levelsOf } from '../../../compliance/index.ts';
import { type CouponAsked, askCredits, couponsByCode } from '../../../coupons/index.ts';
import { holderLoyalties } from '../../../loyalty/index.ts';
import { type AccountHolder, type Db, gather } from '../../../platform/index.ts';
import { type Ties, tiesOfHolders } from '../../../referrals/index.ts';

/** Who asks for a price: an account holder, or somebody with a code. */
interface Asking {
  readonly user: AccountHolder | undefined;
  /** As it was typed. */
  readonly code: string | undefined;
}

/** What was read of who asks, at a moment. */
export interface CallerRead {
  readonly now: Date;
  /** The coupon of their code; undefined where nobody made it. */
  readonly coupon: CouponAsked['coupon'] | undefined;
  /** What their credit gives. */
  readonly credit: CouponAsked | undefined;
  readonly holder: HolderRead | undefined;
}

interface HolderRead {
  readonly level: Awaited<ReturnType<typeof levelsOf>>[number];
  /** The percentage of the fee that they are let off by themselves. */
  readonly loyalty: number | undefined;
  /** Whom they are bound to. */
  readonly ties: Ties;
}

const PATIENCE_MS = 1_500;
const readers = new WeakMap<Db, (asking: Asking) => Promise<CallerRead>>();

/** Reads what a caller's price hangs on. Of somebody without a session and a code there is nothing, and nothing is asked. */
export async function readCaller(db: Db, asking: Asking): Promise<CallerRead | undefined> {
  if (!asking.user && asking.code === undefined) return undefined;
  const reader = readers.get(db) ?? gather((all: readonly Asking[]) => readAll(db, all), { patience: PATIENCE_MS });
  readers.set(db, reader);
  return reader(asking);
}

/** In one transaction, whose statements travel together on one connection. */
const readAll = (db: Db, all: readonly Asking[]): Promise<CallerRead[]> =>
  db.tx(async (tx) => {
    const users = [...new Map(all.flatMap(({ user }) => (user ? [[user.id, user] as const] : []))).values()];
    const [coupons, credits, levels, loyalties, ties] = await Promise.all([
      couponsByCode(
        tx,
        all.flatMap(({ code }) => code ?? []),
      ),
      askCredits(
        tx,
        users.map(({ id }) => id),
      ),
      users.length === 0
        ? []
        : levelsOf(
            tx,
            users.map(({ id }) => id),
          ),
      holderLoyalties(tx, users),
      users.length === 0 ? [] : tiesOfHolders(tx, users),
    ]);
    const places = new Map(users.map(({ id }, at) => [id, at]));
    const holderAt = (at: number): HolderRead => ({ level: levels[at] ?? 0, loyalty: loyalties[at], ties: ties[at] as Ties });
    return all.map(({ user, code }) => ({
      now: tx.now,
      coupon: code === undefined ? undefined : coupons.get(code),
      credit: user && credits.get(user.id),
      holder: user && holderAt(places.get(user.id) as number),
    }));
  });
