// Moves coupons and their uses with a customer whose account changes its address.

import { type Tx, canonicalEmail } from '../platform/index.ts';
import { requestedKeys } from './claimant-keys.ts';
import { macOfCoupon, macOfUse } from './coupon-macs.ts';
import { lockCoupons, lockUses } from './coupon-store.ts';
import type { Coupon } from './coupon.ts';
import type { StoredUse } from './use.ts';

/**
 * Binds the waiting and live coupons of an address to another one. Past uses, and earnings of late orders in 30 days, then count
 * under both addresses, so that typing the old one gives nothing new. Changing back restores everything. Coupons and uses whose
 * rows SQL changed stay unchanged. Locks coupons, then uses, each in the order of their ids.
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
 * Returns a customer's identities after a change of address: the new one beside the old one. If the new one exists already, the
 * customer changes back, so the other one goes.
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

/** Returns an identity in its stored forms: proven, and only typed. */
const formsOf = (key: string): string[] => requestedKeys({ keys: [key], shown: [] });

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
