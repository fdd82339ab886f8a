// What came for an order: what keeps the locked rate, what is enough, what is missing. All of it is reckoned, nothing kept.

import { type OrderView, type Payment, RESTING, TAKES_PAYMENTS } from './order.ts';

/** Sightings: payments that are seen and not final. */
export function sightings(order: OrderView): readonly Payment[] {
  return order.payments.filter((payment) => payment.standing === 'seen');
}

/**
 * Whether a payment was made within the lock: by its own time, or between two looks of ours of which the first lies before the
 * lock's end. Where nobody could look when a lock ended it lasts until somebody can, so long at most as was pinned.
 */
export function isInLock({ pinned }: OrderView, { seenAt, seenAfter }: Pick<Payment, 'seenAt' | 'seenAfter'>): boolean {
  const { lockUntil, outageWithin = 0 } = pinned;
  if (seenAt <= lockUntil) return true;
  return seenAfter !== undefined && seenAfter <= lockUntil && seenAt.getTime() - lockUntil.getTime() <= outageWithin;
}

/** By when a payment needs its first confirmation to keep the rate: its window begins at the lock's end at the latest. */
export function windowEnd({ pinned }: OrderView, { seenAt }: Payment): number {
  return Math.min(seenAt.getTime(), pinned.lockUntil.getTime()) + pinned.confirmWithin;
}

/**
 * Whether a payment keeps the rate: made within the lock, with a fee that gets it confirmed, and its first confirmation
 * (where it has one) within the window. That none came at all is `window_over`'s to say.
 */
export function isInTime(order: OrderView, payment: Payment): boolean {
  const confirmed = payment.firstConfirmedAt?.getTime();
  return isInLock(order, payment) && payment.feeOk && (confirmed === undefined || confirmed <= windowEnd(order, payment));
}

/** Whether a sighting can't keep the rate any more: low fee, paid late, or no first confirmation within the window. */
export function isOverdue(order: OrderView, payment: Payment, now: Date): boolean {
  if (!isInTime(order, payment)) return true;
  return payment.firstConfirmedAt === undefined && now.getTime() >= windowEnd(order, payment);
}

/** Why a payment that was made before the lock's end doesn't keep the rate; undefined where none is to blame. */
export function missedBy(order: OrderView, now: Date): 'low_fee' | 'unconfirmed' | undefined {
  const early = order.payments.filter((payment) => payment.standing !== 'reversed' && isInLock(order, payment));
  if (early.some(({ feeOk }) => !feeOk)) return 'low_fee';
  return early.some((payment) => isOverdue(order, payment, now)) ? 'unconfirmed' : undefined;
}

/** What arrived for good and in time. */
export function arrivedInTime(order: OrderView): bigint {
  return order.payments.reduce((sum, one) => (one.standing === 'final' && isInTime(order, one) ? sum + one.parts : sum), 0n);
}

/** Everything that came or is on its way and was not taken back. */
export function arrivedOf({ payments }: OrderView): bigint {
  return payments.reduce((sum, one) => (one.standing === 'reversed' ? sum : sum + one.parts), 0n);
}

/** Of what was asked, what has neither arrived nor is on its way. */
export function missing(order: OrderView): bigint {
  const came = arrivedOf(order);
  return order.kind === 'order' && came < order.give.parts ? order.give.parts - came : 0n;
}

/** Of what arrived, what the locked price takes: the amount asked with a little more; the rest is a stray. */
export function exchangeable(order: OrderView, arrived: bigint): bigint {
  const most = order.give.parts + order.pinned.tolerance;
  return arrived < most ? arrived : most;
}

/** Percent of what was asked that are enough, until operators say otherwise; and of orders from before they could. */
export const PERCENT_ENOUGH = 80;

/** The least of what was asked that is enough: so many percent of it, rounded up. */
export const leastEnough = (asked: bigint, percent = PERCENT_ENOUGH): bigint => (asked * BigInt(percent) + 99n) / 100n;

/** At least the pinned share of what was asked, and the direction's minimum. */
export function isEnough({ give, pinned }: OrderView, arrived: bigint): boolean {
  return arrived >= leastEnough(give.parts, pinned.shortPercent) && arrived >= pinned.minimum;
}

/** Whether so much is exchanged by itself, at the locked rate, once that ends. */
export function goesOnShort(order: OrderView, arrived: bigint): boolean {
  return order.kind === 'order' && !order.facts.late && !order.facts.askMe && isEnough(order, arrived);
}

/** Whether that can be promised: what it brings is held for the order. */
export function promisesShort(order: OrderView, arrived: bigint): boolean {
  return goesOnShort(order, arrived) && order.positions.reserve > 0n;
}

/**
 * Whether an order can do without a payment, so that nobody holds another's order by paying flagged money to its
 * address: it has enough without the payment, or not even with it. Of an order that is late, or had ended, whatever is
 * there can be exchanged, so anything else that came is enough.
 */
export function isUnneeded(order: OrderView, payment: Payment): boolean {
  if (order.kind !== 'order' || !TAKES_PAYMENTS.has(order.state)) return false;
  const late = order.facts.late || RESTING.has(order.state);
  const others = order.payments.filter((one) => one.id !== payment.id && one.standing !== 'reversed');
  const without = others.reduce((sum, one) => (late || isInTime(order, one) ? sum + one.parts : sum), 0n);
  const enough = late ? without > 0n : isEnough(order, without);
  return enough || !isEnough(order, without + payment.parts);
}
