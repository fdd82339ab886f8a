// A collection: the amount due, the terms, and the payments towards it. An order collects what its customer gives, a deposit what
// its account holder requested at a payment system. All functions compute from the collection and store nothing. Pure.
//
// due      amount requested · arrived: payments that came or are on their way, and were not taken back
// in time  made before the lock ends, with a sufficient fee, and confirmed within the window · late: otherwise
// short    missing part of the amount due · enough: short, but the collection still goes on automatically
// over     exceeds what the terms accept: unallocated

import type { Payment } from './payment.ts';

/** Terms by which payments count. They are pinned with the request and never change. Amounts are parts of the given unit. */
export interface Terms {
  readonly lockUntil: Date;
  /** Longest time to the first confirmation, in ms. */
  readonly confirmWithin: number;
  /** Longest extension of the lock, in ms, while no poll of the payment succeeds after the lock's end. */
  readonly outageWithin: number;
  /** Smallest amount that goes on automatically. */
  readonly minimum: bigint;
  /** Percent of the amount due that is enough to go on automatically. */
  readonly shortPercent: number;
  /** Amount beyond the amount due that the terms also accept. */
  readonly tolerance: bigint;
}

export interface Collection {
  /** Amount due. */
  readonly give: { readonly parts: bigint };
  readonly pinned: Terms;
  readonly payments: readonly Payment[];
}

type Paid = { readonly payments: readonly Pick<Payment, 'parts' | 'status'>[] };

/** Returns the observed payments: seen and not final. */
export function observedPayments({ payments }: Pick<Collection, 'payments'>): readonly Payment[] {
  return payments.filter((payment) => payment.status === 'seen');
}

/**
 * True if a payment was made within the lock: by its own time, or between two polls of which the first precedes the lock's end.
 * If no poll succeeds as a lock ends, the lock lasts until one does, but no longer than the pinned extension.
 */
export function isInLock(
  { pinned }: Pick<Collection, 'pinned'>,
  { seenAt, seenAfter }: Pick<Payment, 'seenAt' | 'seenAfter'>,
): boolean {
  const { lockUntil, outageWithin } = pinned;
  if (seenAt <= lockUntil) return true;
  return seenAfter !== undefined && seenAfter <= lockUntil && seenAt.getTime() - lockUntil.getTime() <= outageWithin;
}

/**
 * Returns the latest time (ms) at which a payment's first confirmation is in time. The window begins at the lock's end at the
 * latest.
 */
export function windowEnd({ pinned }: Pick<Collection, 'pinned'>, { seenAt }: Payment): number {
  return Math.min(seenAt.getTime(), pinned.lockUntil.getTime()) + pinned.confirmWithin;
}

/**
 * True if a payment is in time: made within the lock, with a sufficient fee, and its first confirmation (if any) within the
 * window. `isOverdue` handles a payment without a confirmation.
 */
export function isInTime(collection: Pick<Collection, 'pinned'>, payment: Payment): boolean {
  const confirmed = payment.firstConfirmedAt?.getTime();
  return (
    isInLock(collection, payment) && payment.isFeeOk && (confirmed === undefined || confirmed <= windowEnd(collection, payment))
  );
}

/** True if an observed payment can't be in time any more: low fee, paid late, or no first confirmation within the window. */
export function isOverdue(collection: Pick<Collection, 'pinned'>, payment: Payment, now: Date): boolean {
  if (!isInTime(collection, payment)) return true;
  return payment.firstConfirmedAt === undefined && now.getTime() >= windowEnd(collection, payment);
}

/** Returns why a payment made before the lock's end isn't in time; undefined if there is no such payment. */
export function missedBy(collection: Collection, now: Date): 'low_fee' | 'unconfirmed' | undefined {
  const early = collection.payments.filter((payment) => payment.status !== 'reversed' && isInLock(collection, payment));
  if (early.some(({ isFeeOk }) => !isFeeOk)) return 'low_fee';
  return early.some((payment) => isOverdue(collection, payment, now)) ? 'unconfirmed' : undefined;
}

/** Returns when the last observed payment becomes overdue; undefined while one of them is confirmed in time. */
export function overdueAt(collection: Collection): Date | undefined {
  const times = observedPayments(collection).map((payment) => {
    if (!isInTime(collection, payment)) return payment.seenAt.getTime();
    return payment.firstConfirmedAt ? Infinity : windowEnd(collection, payment);
  });
  const last = Math.max(...times);
  return Number.isFinite(last) ? new Date(last) : undefined;
}

/** Returns the end of the last open window for a first confirmation; undefined if no observed payment may still be in time. */
export function windowsEnd(collection: Collection): Date | undefined {
  const ends = observedPayments(collection).flatMap((payment) =>
    isInTime(collection, payment) && !payment.firstConfirmedAt ? windowEnd(collection, payment) : [],
  );
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** Returns the sum of final payments that are in time. */
export function arrivedInTime(collection: Collection): bigint {
  return collection.payments.reduce(
    (sum, one) => (one.status === 'final' && isInTime(collection, one) ? sum + one.parts : sum),
    0n,
  );
}

/** Returns the sum of all payments that arrived or are on their way, and were not taken back. */
export function arrivedOf({ payments }: Paid): bigint {
  return payments.reduce((sum, one) => (one.status === 'reversed' ? sum : sum + one.parts), 0n);
}

/** Returns the part of the amount due that has neither arrived nor is on its way. */
export function shortBy(collection: Pick<Collection, 'give'> & Paid): bigint {
  const short = collection.give.parts - arrivedOf(collection);
  return short > 0n ? short : 0n;
}

/** Returns the part of an arrived amount that the terms accept: the amount due with the tolerance. The rest is unallocated. */
export function withinTerms({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): bigint {
  const max = give.parts + pinned.tolerance;
  return arrived < max ? arrived : max;
}

/** Percent of the amount due that is enough, unless operators set another. */
export const PERCENT_ENOUGH = 80;

/** Returns the smallest amount that is enough: a percentage of the amount due, rounded up. */
export const minimumEnough = (due: bigint, percent: number): bigint => (due * BigInt(percent) + 99n) / 100n;

/** True if an arrived amount is at least the pinned share of the amount due, and at least the pinned minimum. */
export function isEnough({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): boolean {
  return arrived >= minimumEnough(give.parts, pinned.shortPercent) && arrived >= pinned.minimum;
}
