// Coupons and their uses go along with a customer whose account has another address.

import { type Tx, canonicalEmail } from '../platform/index.ts';
import { askedKeys } from './claimant-keys.ts';
import { macOfCoupon, macOfUse } from './coupon-macs.ts';
import { lockCoupons, lockUses } from './coupon-store.ts';
import type { Coupon } from './coupon.ts';
import type { StoredUse } from './use.ts';

/**
 * Binds the coupons of an address that wait or are live to another one. What was used, and what late orders have earned in 30 days,
 * counts under both from then on, so that nobody begins anew by typing the old one; changed back, it counts as before. A coupon or a
 * use whose row was changed by SQL stays as it is. Locks coupons, then uses, each in the order of their ids.
 */
export async function moveCoupons(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const [was, is] = [canonicalEmail(from), canonicalEmail(to)];
  if (was === is) return;
  const keys = { was: formsOf(`email:${was}`), is: formsOf(`email:${is}`) };
  const uses = await tx.rows<{ id: string; coupon_id: string }>('select id, coupon_id from coupon_use where keys && $1', [
    keys.was,
  ]);
  const bound = await tx.rows<{ id: string }>(
    `select id from coupon where email_key = $1 and state in ('waiting', 'live') or kind = 'late' and earned_keys && $2`,
    [was, keys.was],
  );
  const ids = new Set([...bound.map(({ id }) => id), ...uses.map(({ coupon_id: coupon }) => coupon)]);
  const coupons = await lockCoupons(tx, [...ids].toSorted());
  const locked = await lockUses(tx, uses.map(({ id }) => id).toSorted());
  await saveOwners(
    tx,
    [...coupons.values()].map((coupon) => {
      const isBound = coupon.emailKey === was && (coupon.state === 'waiting' || coupon.state === 'live');
      const earnedKeys = coupon.earnedKeys && movedIn(coupon.earnedKeys, keys);
      return { ...coupon, earnedKeys, ...(isBound && { emailKey: is }) };
    }),
  );
  await saveKeys(
    tx,
    [...locked.values()].map((use) => ({ ...use, keys: movedIn(use.keys, keys) })),
  );
}

/**
 * Keys that a customer is known by once the address has changed: the new one beside the old. If the new one is there already, the
 * customer had it before and changes back, so the other one goes.
 */
function movedIn(
  keys: readonly string[],
  { was, is }: { readonly was: readonly string[]; readonly is: readonly string[] },
): string[] {
  let known = [...keys];
  for (const [at, old] of was.entries()) {
    const other = is[at] as string;
    if (!known.includes(old)) continue;
    known = known.includes(other) ? known.filter((key) => key !== old) : [...known, other];
  }
  return known;
}

/** A key as it is stored where it was shown, and where it was only typed. */
const formsOf = (key: string): string[] => askedKeys({ keys: [key], shown: [] });

async function saveOwners(tx: Tx, all: readonly Coupon[]): Promise<void> {
  for (const one of all.filter(({ isAltered }) => !isAltered))
    await tx.run('update coupon set email_key = $2, earned_keys = $3, mac = $4 where id = $1', [
      ...[one.id, one.emailKey ?? null, one.earnedKeys ?? null, macOfCoupon(one)],
    ]);
}

async function saveKeys(tx: Tx, all: readonly StoredUse[]): Promise<void> {
  for (const one of all.filter(({ isAltered }) => !isAltered))
    await tx.run('update coupon_use set keys = $2, mac = $3 where id = $1', [one.id, one.keys, macOfUse(one)]);
}
