// A collection: what is asked for, on which terms, and the payments that came for it. An order collects what its customer
// gives, a deposit what was asked for at a payment system. Everything here is reckoned from it, and nothing kept. Pure.
//
// due      what is asked for · arrived: what came or is on its way, and was not taken back
// in time  made before the terms end, with a fee that gets it confirmed, and confirmed within its window · late: not so
// short    what is missing of what is due · enough: short, and still goes on by itself
// over     beyond what the terms take: unallocated

import type { Payment } from './payment.ts';

/** On which terms a payment counts: pinned when it is asked for, and never changed. Sums are parts of the unit given. */
export interface Terms {
  readonly lockUntil: Date;
  /** Milliseconds within which the first confirmation has to come. */
  readonly confirmWithin: number;
  /** Milliseconds that the lock lasts on at most, while no look at what was paid succeeds after its end. */
  readonly outageWithin: number;
  /** The least that goes on by itself. */
  readonly minimum: bigint;
  /** Percent of what was asked that are enough to go on automatically. */
  readonly shortPercent: number;
  /** How much more than asked the terms also take. */
  readonly tolerance: bigint;
}

export interface Collection {
  /** What is due. */
  readonly give: { readonly parts: bigint };
  readonly pinned: Terms;
  readonly payments: readonly Payment[];
}

type Paid = { readonly payments: readonly Pick<Payment, 'parts' | 'standing'>[] };

/** Observed payments: payments that are seen and not final. */
export function observedPayments({ payments }: Pick<Collection, 'payments'>): readonly Payment[] {
  return payments.filter((payment) => payment.standing === 'seen');
}

/**
 * Whether a payment was made within the lock: by its own time, or between two looks of ours of which the first lies before the
 * lock's end. Where nobody could look when a lock ended it lasts until somebody can, so long at most as was pinned.
 */
export function isInLock(
  { pinned }: Pick<Collection, 'pinned'>,
  { seenAt, seenAfter }: Pick<Payment, 'seenAt' | 'seenAfter'>,
): boolean {
  const { lockUntil, outageWithin } = pinned;
  if (seenAt <= lockUntil) return true;
  return seenAfter !== undefined && seenAfter <= lockUntil && seenAt.getTime() - lockUntil.getTime() <= outageWithin;
}

/** By when a payment needs its first confirmation to be in time: its window begins at the lock's end at the latest. */
export function windowEnd({ pinned }: Pick<Collection, 'pinned'>, { seenAt }: Payment): number {
  return Math.min(seenAt.getTime(), pinned.lockUntil.getTime()) + pinned.confirmWithin;
}

/**
 * Whether a payment is in time: made within the lock, with a fee that gets it confirmed, and its first confirmation
 * (where it has one) within the window. That none came at all is `isOverdue`'s to say.
 */
export function isInTime(collection: Pick<Collection, 'pinned'>, payment: Payment): boolean {
  const confirmed = payment.firstConfirmedAt?.getTime();
  return (
    isInLock(collection, payment) && payment.feeOk && (confirmed === undefined || confirmed <= windowEnd(collection, payment))
  );
}

/** Whether an observed payment can't be in time any more: low fee, paid late, or no first confirmation within the window. */
export function isOverdue(collection: Pick<Collection, 'pinned'>, payment: Payment, now: Date): boolean {
  if (!isInTime(collection, payment)) return true;
  return payment.firstConfirmedAt === undefined && now.getTime() >= windowEnd(collection, payment);
}

/** Why a payment that was made before the lock's end isn't in time; undefined where none is to blame. */
export function missedBy(collection: Collection, now: Date): 'low_fee' | 'unconfirmed' | undefined {
  const early = collection.payments.filter((payment) => payment.standing !== 'reversed' && isInLock(collection, payment));
  if (early.some(({ feeOk }) => !feeOk)) return 'low_fee';
  return early.some((payment) => isOverdue(collection, payment, now)) ? 'unconfirmed' : undefined;
}

/** When the last observed payment can't be in time any more; undefined while one of them is confirmed in time. */
export function overdueAt(collection: Collection): Date | undefined {
  const times = observedPayments(collection).map((payment) => {
    if (!isInTime(collection, payment)) return payment.seenAt.getTime();
    return payment.firstConfirmedAt ? Infinity : windowEnd(collection, payment);
  });
  const last = Math.max(...times);
  return Number.isFinite(last) ? new Date(last) : undefined;
}

/** When the last window for a first confirmation ends of sightings that may still be in time; undefined where none may. */
export function windowsEnd(collection: Collection): Date | undefined {
  const ends = observedPayments(collection).flatMap((payment) =>
    isInTime(collection, payment) && !payment.firstConfirmedAt ? windowEnd(collection, payment) : [],
  );
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** What arrived for good and in time. */
export function arrivedInTime(collection: Collection): bigint {
  return collection.payments.reduce(
    (sum, one) => (one.standing === 'final' && isInTime(collection, one) ? sum + one.parts : sum),
    0n,
  );
}

/** Everything that came or is on its way and was not taken back. */
export function arrivedOf({ payments }: Paid): bigint {
  return payments.reduce((sum, one) => (one.standing === 'reversed' ? sum : sum + one.parts), 0n);
}

/** Of what is due, what has neither arrived nor is on its way. */
export function shortBy(collection: Pick<Collection, 'give'> & Paid): bigint {
  const short = collection.give.parts - arrivedOf(collection);
  return short > 0n ? short : 0n;
}

/** Of what arrived, what the terms take: what is due, with a little more. The rest is unallocated. */
export function withinTerms({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): bigint {
  const most = give.parts + pinned.tolerance;
  return arrived < most ? arrived : most;
}

/** Percent of what is due that are enough, until operators say otherwise. */
export const PERCENT_ENOUGH = 80;

/** The least of what is due that is enough: so many percent of it, rounded up. */
export const leastEnough = (due: bigint, percent: number): bigint => (due * BigInt(percent) + 99n) / 100n;

/** At least the pinned share of what is due, and the pinned minimum. */
export function isEnough({ give, pinned }: Pick<Collection, 'give' | 'pinned'>, arrived: bigint): boolean {
  return arrived >= leastEnough(give.parts, pinned.shortPercent) && arrived >= pinned.minimum;
}
