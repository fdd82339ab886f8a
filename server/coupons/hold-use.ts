// Holds a use when its owner is placed, and moves it with its owner.

import { Problem } from '@kurs/contract';
import type { Journal } from '../ledger/index.ts';
import { type Owner, type Tx, newId } from '../platform/index.ts';
import { requestedOfStored, storedKeys } from './claimant-keys.ts';
import { type Claimant, type CouponRequest, isTheirs, requireUnaltered } from './coupon-request.ts';
import { type Coupon, givenBack, isBalance, isFunded, isTaken, isUsedUp, stepOf, withoutRest } from './coupon.ts';
import {
  addUse,
  changeRests,
  couponsOfUses,
  lockCoupons,
  lockUses,
  restsOf,
  saveCoupons,
  saveUses,
  usesBeside,
  usesOf,
} from './coupon-store.ts';
import { type HeldUse, type StoredUse, type UseState, hasRoom, moveUse } from './use.ts';

/** The held use of an owner. */
export interface HoldRequest {
  readonly owner: Owner;
  readonly request: CouponRequest;
  readonly claimant: Claimant;
  /** Worth of the discount, in minor units of the unit of rewards, rounded up. */
  readonly needed: bigint;
}

/**
 * Holds a use of a coupon for an owner: one of its uses and the amount that it may need, or the rest of a use by the same
 * customer. All conditions are checked again. Throws `coupon_over`, `coupon_altered` and `coupon_not_yours`; for a credit, which
 * nobody has named, `quote_expired`, so that its order is priced again.
 */
export async function holdUse(tx: Tx, { owner, request, claimant, needed }: HoldRequest): Promise<HeldUse> {
  const { coupon, discount } = request;
  if (!isTheirs(coupon, claimant)) throw new Problem('coupon_not_yours');
  const id = newId();
  const use = (held: bigint, restOf?: string): StoredUse => ({
    ...{ id, couponId: coupon.id, state: 'held', held, spent: 0n, rest: 0n, restOf },
    ...{ owner, keys: storedKeys(claimant), at: tx.now },
  });
  const add = async (one: StoredUse): Promise<HeldUse> => {
    await addUse(tx, one);
    return { id, coupon: coupon.id, code: discount.kind, held: one.held, isFunded: isFunded(coupon) };
  };
  const held = coupon.kind === 'fixed' ? discount.worth.parts : needed;
  const own = await takeOne(tx, coupon, held, claimant);
  return add(own === 'own' ? use(held) : use(own.rest, own.id));
}

/** Takes one use and its amount by a conditional update, or the rest of a use by the same customer. */
async function takeOne(tx: Tx, coupon: Coupon, held: bigint, claimant: Claimant): Promise<'own' | StoredUse> {
  const locked = (await lockCoupons(tx, [coupon.id])).get(coupon.id);
  const over = coupon.kind === 'credit' ? 'quote_expired' : 'coupon_over';
  if (locked && coupon.kind !== 'credit') requireUnaltered(locked);
  if (!locked || locked.isAltered || !isOpen(locked, tx.now)) throw new Problem(over);
  const { count, rest } = await usesOf(tx, coupon.id, claimant);
  if (rest) {
    await saveUses(tx, [{ ...rest, rest: 0n }]);
    await saveCoupons(tx, [{ ...locked, held: locked.held + rest.rest }]);
    return rest;
  }
  if (count >= locked.perCustomer && !isBalance(locked)) throw new Problem('coupon_not_yours');
  if (locked.isFirstOnly && (await claimant.hasOrdered())) throw new Problem('coupon_not_yours');
  if (!hasRoom(locked, { held })) throw new Problem(over);
  await saveCoupons(tx, [{ ...locked, taken: locked.taken + 1, held: locked.held + held }]);
  return 'own';
}

const isOpen = ({ state, isOff, startsAt, endsAt }: Coupon, now: Date): boolean =>
  state === 'live' && !isOff && !(startsAt && startsAt > now) && !(endsAt && endsAt <= now);

/** Returns the free uses that may be taken again, each in full. Their coupons stay locked until the transaction ends. */
export async function freeAgain(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const again = new Set<string>();
  if (ids.length === 0) return again;
  const of = await couponsOfUses(tx, ids);
  const coupons = await lockCoupons(tx, [...new Set(of.values())].toSorted());
  for (const use of (await lockUses(tx, [...of.keys()].toSorted())).values()) {
    const coupon = coupons.get(use.couponId);
    const isAltered = use.isAltered || coupon?.isAltered;
    if (use.state === 'free' && coupon && !isAltered && isOpen(coupon, tx.now) && (await isLeft(tx, coupon, use)))
      again.add(use.id);
  }
  return again;
}

async function isLeft(tx: Tx, coupon: Coupon, use: StoredUse): Promise<boolean> {
  if (use.restOf !== undefined) {
    const origin = (await lockUses(tx, [use.restOf])).get(use.restOf);
    return origin?.state === 'spent' && !origin.isAltered && origin.rest >= use.held;
  }
  return (
    hasRoom(coupon, use) && (isBalance(coupon) || (await usesBeside(tx, use, requestedOfStored(use.keys))) < coupon.perCustomer)
  );
}

/** A use's next state, and the amount that it took of its coupon. */
export interface UseMoved {
  readonly id: string;
  readonly to: UseState;
  readonly spent: bigint;
}

/**
 * Moves uses with their owners. Returns the journals of money that goes back to pots, from coupons that have ended or are used
 * up. The journals of the owners have the amounts that uses took.
 */
export async function moveUses(tx: Tx, moves: readonly UseMoved[]): Promise<Journal[]> {
  if (moves.length === 0) return [];
  const of = await couponsOfUses(
    tx,
    moves.map(({ id }) => id),
  );
  const coupons = await lockCoupons(tx, [...new Set(of.values())]);
  const uses = await lockUses(tx, [...of.keys()].toSorted());
  const rests = new Map<string, bigint>();
  for (const { id, to, spent } of moves) {
    const [use, coupon] = [uses.get(id), coupons.get(of.get(id) ?? '')];
    if (!use || !coupon) throw new Error(`There is no use ${id} of a coupon`);
    const moved = moveUse(coupon, use, to, spent);
    coupons.set(coupon.id, moved.coupon);
    uses.set(id, moved.use);
    // The rest of a use that also moves here is changed by its own new state.
    const origin = use.restOf === undefined ? undefined : uses.get(use.restOf);
    if (origin?.state === 'spent') uses.set(origin.id, { ...origin, rest: origin.rest + moved.restOf });
    else if (origin === undefined && use.restOf !== undefined)
      rests.set(use.restOf, (rests.get(use.restOf) ?? 0n) + moved.restOf);
  }
  await saveUses(tx, [...uses.values()]);
  const changed = new Map([...rests].filter(([, change]) => change !== 0n));
  if (changed.size > 0) await changeRests(tx, changed);
  return settleCoupons(tx, [...coupons.values()]);
}

/** Saves coupons after changes of their uses. Returns the journals of money that goes back to pots. */
async function settleCoupons(tx: Tx, coupons: readonly Coupon[]): Promise<Journal[]> {
  // Rests of uses are queried only if they matter: for a coupon whose uses are all taken.
  const rests = await restsOf(
    tx,
    coupons.flatMap((one) => (isTaken(one) ? [one.id] : [])),
  );
  const settled = coupons.map((coupon) => {
    // The amounts of a changed row can't be trusted: its money stays.
    if (coupon.isAltered) return { next: coupon, back: 0n };
    if (coupon.state !== 'live') return withoutRest(coupon);
    const isOver = isUsedUp(coupon, rests.get(coupon.id) ?? 0n);
    return (isOver ? stepOf(coupon, 'ended') : undefined) ?? { next: coupon, back: 0n };
  });
  await saveCoupons(
    tx,
    settled.map(({ next }) => next),
  );
  return settled.flatMap(({ next, back }) => givenBack(newId(), next, back) ?? []);
}
