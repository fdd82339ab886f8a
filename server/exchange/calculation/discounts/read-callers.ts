// Reads the data that callers' prices depend on. Callers of the same moment share the statements, which take one round trip.

import { levelsOf } from '../../../compliance/index.ts';
import { type CouponRequest, askCredits, couponsByCode } from '../../../coupons/index.ts';
import { holderLoyalties } from '../../../loyalty/index.ts';
import { type AccountHolder, type Db, gather } from '../../../platform/index.ts';
import { type Ties, tiesOfHolders } from '../../../referrals/index.ts';

/** A caller who requests a price: an account holder, somebody with a coupon code, or both. */
interface PriceRequest {
  readonly user: AccountHolder | undefined;
  /** Coupon code, as typed. */
  readonly code: string | undefined;
}

/** Data about a caller, read at the moment `now`. */
export interface CallerRead {
  readonly now: Date;
  /** The coupon of the code; undefined if the code doesn't exist. */
  readonly coupon: CouponRequest['coupon'] | undefined;
  /** Discount by the caller's credit; undefined if there is none. */
  readonly credit: CouponRequest | undefined;
  readonly holder: HolderRead | undefined;
}

interface HolderRead {
  readonly level: Awaited<ReturnType<typeof levelsOf>>[number];
  /** Loyalty discount in percent of the fee. */
  readonly loyalty: number | undefined;
  /** The affiliate binding of the holder. */
  readonly ties: Ties;
}

const PATIENCE_MS = 1_500;
const readers = new WeakMap<Db, (asking: PriceRequest) => Promise<CallerRead>>();

/**
 * Returns the data that a caller's price depends on. Makes no query and returns undefined if the caller has neither a session nor
 * a coupon code.
 */
export async function readCaller(db: Db, asking: PriceRequest): Promise<CallerRead | undefined> {
  if (!asking.user && asking.code === undefined) return undefined;
  const reader = readers.get(db) ?? gather((all: readonly PriceRequest[]) => readAll(db, all), { patience: PATIENCE_MS });
  readers.set(db, reader);
  return reader(asking);
}

/** Reads the data of all these callers in one transaction, and pipelines its statements. */
const readAll = (db: Db, all: readonly PriceRequest[]): Promise<CallerRead[]> =>
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
