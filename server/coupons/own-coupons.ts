// The coupons of an account holder: those bound to them, and those whose codes they have added.

import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../platform/index.ts';
import { isTheirs, requireUnaltered, typedCoupon } from './coupon-request.ts';
import { type CustomerKeys, requestedKeys } from './claimant-keys.ts';
import { type Coupon, MIN_PARTS, isBalance, isTaken } from './coupon.ts';
import { ownedCoupons, restsByCustomer, usableOf } from './coupon-store.ts';

/** Status of a coupon for its holder: usable, used by them, or over. */
export type CouponStatus = 'usable' | 'used' | 'over';

/** A coupon as its holder sees it, with its maximum for a use; undefined for a percentage without a maximum. */
export interface OwnCoupon {
  readonly coupon: Coupon;
  readonly status: CouponStatus;
  readonly left: bigint;
}

/** An owner of coupons: an account holder with these identities. `emailKey`: set if they have proven its mailbox. */
export type Owner = CustomerKeys & { readonly holderId: string; readonly emailKey: string | undefined };

/**
 * Adds a coupon to its holder's page. Throws `coupon_unknown`, `coupon_altered`, `coupon_over`, and `coupon_not_yours` for
 * another's.
 */
export async function addOwnCoupon(tx: Tx, text: string, owner: Owner): Promise<void> {
  const coupon = await typedCoupon(tx, text);
  if (!coupon || coupon.kind === 'credit' || (coupon.startsAt && coupon.startsAt > tx.now)) throw new Problem('coupon_unknown');
  requireUnaltered(coupon);
  if (!isTheirs(coupon, { ...owner, emailKey: owner.emailKey ?? '' })) throw new Problem('coupon_not_yours');
  if (!isLive(coupon, tx.now)) throw new Problem('coupon_over');
  await tx.run('insert into coupon_kept (holder_id, coupon_id, at) values ($1, $2, $3) on conflict do nothing', [
    owner.holderId,
    coupon.id,
    tx.now,
  ]);
}

/** Returns the codes of usable coupons that are bound to an address; the one that ends first comes first. */
export async function boundCoupons(db: Statements, emailKey: string): Promise<string[]> {
  return (await usableOf(db, [emailKey], MIN_PARTS)).map(({ code }) => code).slice(0, 20);
}

/** Returns those of several addresses that have such a coupon. */
export async function withBoundCoupons(db: Statements, emailKeys: readonly string[]): Promise<string[]> {
  return [...new Set((await usableOf(db, emailKeys, MIN_PARTS)).flatMap(({ emailKey }) => emailKey ?? []))];
}

/** True if any address has a coupon bound to it. */
export async function hasBoundCoupons(db: Statements): Promise<boolean> {
  const row = await db.row(`select from coupon where email_key is not null and state = 'live' limit 1`, [], {
    name: 'coupons.has_bound',
  });
  return row !== undefined;
}

/** Deletes the coupons that a holder has added. */
export async function forgetStored(tx: Tx, holderId: string): Promise<void> {
  await tx.run('delete from coupon_kept where holder_id = $1', [holderId]);
}

/** Returns the coupons of a holder, the newest first. */
export async function ownCoupons(db: Statements, owner: Owner, now: Date): Promise<OwnCoupon[]> {
  const coupons = await ownedCoupons(db, owner);
  const uses = await restsByCustomer(
    db,
    coupons.map(({ id }) => id),
    requestedKeys(owner),
  );
  return coupons.map((coupon) => {
    const { count = 0, rest = 0n } = uses.get(coupon.id) ?? {};
    const free = coupon.budget - coupon.held;
    const value = coupon.kind === 'fixed' && coupon.value !== undefined && coupon.value < free ? coupon.value : free;
    const left = rest > 0n ? rest : value;
    return { coupon, status: statusOf(coupon, { count, rest, free }, now), left };
  });
}

const isLive = ({ state, endsAt }: Coupon, now: Date): boolean => state === 'live' && !(endsAt && endsAt <= now);

function statusOf(
  coupon: Coupon,
  { count, rest, free }: { readonly count: number; readonly rest: bigint; readonly free: bigint },
  now: Date,
): CouponStatus {
  const isUsed = !isBalance(coupon) && count >= coupon.perCustomer && rest < MIN_PARTS;
  if (isUsed || (count > 0 && free + rest < MIN_PARTS)) return 'used';
  if (!isLive(coupon, now)) return 'over';
  if (rest >= MIN_PARTS) return 'usable';
  return free < MIN_PARTS || isTaken(coupon) ? 'over' : 'usable';
}
