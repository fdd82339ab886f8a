import type { Rail } from '../../rails/rail.ts';

/** Call budget of a rail, as this process knows it. */
interface Bucket {
  /** Calls that may be made now; negative if other work has made more than allowed. */
  left: number;
  /** Time of that, in ms, and number of calls made by then. */
  at: number;
  counted: number;
  /** Recent average of calls per polled address. */
  perAddress: number;
  /** Time of the last poll of addresses where a payment is likely. */
  urgentAt: number;
}

/** Seconds' worth of the budget that can be saved up, so that a block or a burst of orders is polled at once. */
const SAVED_SECONDS = 10;
/** Share of the saved budget reserved for receiving addresses where a payment is likely. */
const RETAINED = 0.5;
/** Longest time in ms without a poll of those, however many calls other work makes. */
const PATIENCE_MS = 5_000;
/** Assumed calls per address before any poll, and the weight of a newer poll. */
const FIRST_GUESS = 3;
const NEWER = 0.2;

const buckets = new WeakMap<Rail, Bucket>();

/** Number of a rail's addresses that may be polled now. Times are the database's. */
export interface PollBudget {
  /** Returns the number of addresses to poll: those where a payment is likely come first, the others get the rest. */
  places(isUrgent: boolean, max: number): number;
  /** Reports that a poll of a number of addresses is over. */
  polled(places: number, isUrgent: boolean): void;
}

/**
 * Returns the budget of a rail at a moment: `perSecond` calls of any kind by this process, those for payouts and balances
 * included. Several workers share them. Unlimited for a rail that counts no calls.
 */
export function pollBudget(rail: Rail, perSecond: number, now: number): PollBudget {
  const { calls } = rail;
  if (!calls) return { places: (_, max) => max, polled: () => {} };
  const maximum = perSecond * SAVED_SECONDS;
  const known = buckets.get(rail);
  const bucket = known ?? { left: maximum, at: now, counted: calls(), perAddress: FIRST_GUESS, urgentAt: -Infinity };
  buckets.set(rail, bucket);
  const count = (): number => {
    const made = calls() - bucket.counted;
    bucket.counted += made;
    bucket.left = Math.max(-maximum, bucket.left - made);
    return made;
  };
  count();
  bucket.left = Math.min(maximum, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
  return {
    places(isUrgent, limit) {
      const free = isUrgent ? bucket.left : Math.min(perSecond, bucket.left - maximum * RETAINED);
      const isOverdue = isUrgent && now - bucket.urgentAt >= PATIENCE_MS;
      const can = Math.floor(Math.max(free, isOverdue ? perSecond : 0) / bucket.perAddress);
      // At least one address is polled if any call is left: an address may cost more than a second's calls.
      return Math.min(limit, Math.max(can, free > 0 || isOverdue ? 1 : 0));
    },
    polled(places, isUrgent) {
      const made = count();
      if (places === 0) return;
      bucket.perAddress = Math.max(0.01, bucket.perAddress * (1 - NEWER) + (made / places) * NEWER);
      if (isUrgent) bucket.urgentAt = now;
    },
  };
}
