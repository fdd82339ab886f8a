// A collection: an amount due, the terms for it, and the payments towards it. An order collects the amount that its customer
// gives. A deposit collects the amount that its account holder requested at a payment system. All functions are pure and store
// nothing.
//
// due       amount requested
// arrived   payments that came or are on their way, and were not taken back
// in time   made before the lock ends, with a sufficient fee, and confirmed within the window
// late      not in time
// short     missing part of the amount due
// enough    short, but the collection goes on automatically
// over      exceeds the amount that the terms accept; unallocated

import type { Payment } from './payment.ts';

/**
 * Terms that decide which payments are accepted. They are stored with the request and never change. Amounts are in parts of the
 * given unit.
 */
export interface Terms {
  readonly lockUntil: Date;
  /** Longest time from a payment to its first confirmation, in ms. */
  readonly confirmWithin: number;
  /** Longest extension of the lock, in ms, while polls of the payment's address fail after the lock's end. */
  readonly outageWithin: number;
  /** Smallest arrived amount with which the collection goes on automatically. */
  readonly minimum: bigint;
  /** Smallest arrived share of the amount due, in percent, with which the collection goes on automatically. */
  readonly shortPercent: number;
  /** Amount above the amount due that the terms also accept. */
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
 * True if a payment was made within the lock, or may have been because polls failed as the lock ended. In the second case, the
 * last poll that did not show the payment was within the lock. The payment may then appear at most `outageWithin` after the
 * lock's end.
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
 * Returns the end of a payment's window, in ms: the latest time at which its first confirmation is in time. The window begins at
 * the payment's time, or at the lock's end if that is earlier.
 */
export function windowEnd({ pinned }: Pick<Collection, 'pinned'>, { seenAt }: Payment): number {
  return Math.min(seenAt.getTime(), pinned.lockUntil.getTime()) + pinned.confirmWithin;
}

/**
 * True if a payment is in time: made within the lock, with a sufficient fee, and without a first confirmation outside its window.
 * For a payment without a confirmation, use `isOverdue`.
 */
export function isInTime(collection: Pick<Collection, 'pinned'>, payment: Payment): boolean {
  const confirmed = payment.firstConfirmedAt?.getTime();
  return (
    isInLock(collection, payment) && payment.isFeeOk && (confirmed === undefined || confirmed <= windowEnd(collection, payment))
  );
}

/**
 * True if an observed payment can't be in time any more: its fee is low, it was paid late, or its window has ended without a
 * confirmation.
 */
export function isOverdue(collection: Pick<Collection, 'pinned'>, payment: Payment, now: Date): boolean {
  if (!isInTime(collection, payment)) return true;
  return payment.firstConfirmedAt === undefined && now.getTime() >= windowEnd(collection, payment);
}

/** Returns the reason for which a payment made within the lock isn't in time; undefined if there is no such payment. */
export function missedBy(collection: Collection, now: Date): 'low_fee' | 'unconfirmed' | undefined {
  const early = collection.payments.filter((payment) => payment.status !== 'reversed' && isInLock(collection, payment));
  if (early.some(({ isFeeOk }) => !isFeeOk)) return 'low_fee';
  return early.some((payment) => isOverdue(collection, payment, now)) ? 'unconfirmed' : undefined;
}

/**
 * Returns the time when the last observed payment becomes overdue. Undefined if no payment is observed, or if one is confirmed in
 * time.
 */
export function overdueAt(collection: Collection): Date | undefined {
  const times = observedPayments(collection).map((payment) => {
    if (!isInTime(collection, payment)) return payment.seenAt.getTime();
    return payment.firstConfirmedAt ? Infinity : windowEnd(collection, payment);
  });
  const last = Math.max(...times);
  return Number.isFinite(last) ? new Date(last) : undefined;
}

/**
 * Returns the end of the last window in which an observed payment may still get its first confirmation in time. Undefined if
 * there is no such window.
 */
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

/**
 * Returns the part of an arrived amount that the terms accept: at most the amount due plus the tolerance. The rest is
 * unallocated.
 */
export function withinTerms({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): bigint {
  const max = give.parts + pinned.tolerance;
  return arrived < max ? arrived : max;
}

/** Default percentage of the amount due with which a collection goes on automatically; operators may set another. */
export const PERCENT_ENOUGH = 80;

/** Returns the smallest amount with which a collection goes on automatically: a percentage of the amount due, rounded up. */
export const minimumEnough = (due: bigint, percent: number): bigint => (due * BigInt(percent) + 99n) / 100n;

/** True if a collection goes on automatically with an arrived amount: it reaches the share and the minimum of the terms. */
export function isEnough({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): boolean {
  return arrived >= minimumEnough(give.parts, pinned.shortPercent) && arrived >= pinned.minimum;
}
