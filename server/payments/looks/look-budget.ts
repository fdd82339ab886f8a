import type { Rail } from '../../rails/rail.ts';

/** What a rail may still be asked, as this process knows it. */
interface Bucket {
  /** Calls that may be made now; below zero where other work has made more. */
  left: number;
  /** When that was, in milliseconds, and how many calls had been made by then. */
  at: number;
  counted: number;
  /** Calls that looking at one address took lately. */
  perAddress: number;
  /** When addresses where a payment is likely were looked at last. */
  urgentAt: number;
}

/** Seconds of the budget that can be saved up: a block, or a burst of orders, is looked at at once. */
const SAVED_SECONDS = 10;
/** How much of the saved budget is kept for receiving addresses where a payment is likely. */
const KEPT = 0.5;
/** However much other work takes, those are looked at after so long. */
const PATIENCE_MS = 5_000;
/** Calls for an address, until it is known; and how much a newer look counts. */
const FIRST_GUESS = 3;
const NEWER = 0.2;

const buckets = new WeakMap<Rail, Bucket>();

/** How many addresses of a rail may be looked at now. Times are the database's. */
export interface LookBudget {
  /** Addresses where a payment is likely come first; the others have what those leave. */
  places(isUrgent: boolean, most: number): number;
  /** A look at so many addresses is over. */
  looked(places: number, isUrgent: boolean): void;
}

/**
 * The budget of a rail at a moment: `perSecond` calls, of whatever this process asks it, the calls of payouts and balances
 * included; of several workers each has its part of them. Without end for a rail that counts no calls.
 */
export function lookBudget(rail: Rail, perSecond: number, now: number): LookBudget {
  const { calls } = rail;
  if (!calls) return { places: (_, most) => most, looked: () => {} };
  const most = perSecond * SAVED_SECONDS;
  const known = buckets.get(rail);
  const bucket = known ?? { left: most, at: now, counted: calls(), perAddress: FIRST_GUESS, urgentAt: -Infinity };
  buckets.set(rail, bucket);
  const count = (): number => {
    const made = calls() - bucket.counted;
    bucket.counted += made;
    bucket.left = Math.max(-most, bucket.left - made);
    return made;
  };
  count();
  bucket.left = Math.min(most, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
  return {
    places(isUrgent, limit) {
      const free = isUrgent ? bucket.left : Math.min(perSecond, bucket.left - most * KEPT);
      const isOverdue = isUrgent && now - bucket.urgentAt >= PATIENCE_MS;
      const can = Math.floor(Math.max(free, isOverdue ? perSecond : 0) / bucket.perAddress);
      // One is always looked at where any call is left: an address may cost more than a second's calls.
      return Math.min(limit, Math.max(can, free > 0 || isOverdue ? 1 : 0));
    },
    looked(places, isUrgent) {
      const made = count();
      if (places === 0) return;
      bucket.perAddress = Math.max(0.01, bucket.perAddress * (1 - NEWER) + (made / places) * NEWER);
      if (isUrgent) bucket.urgentAt = now;
    },
  };
}
