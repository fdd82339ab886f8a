import type { Rail } from '../../rails/rail.ts';

/** Call budget of a rail, as this process knows it. Unused calls fill a bucket. */
interface Bucket {
  /** Calls that may still be made at time `at`; negative if more calls were made than the budget allows. */
  left: number;
  /** Time to which the bucket was filled, in ms of the database's clock. */
  at: number;
  /** Number of calls of the rail that are already deducted. */
  counted: number;
  /** Recent average of calls per polled address. */
  perAddress: number;
  /** Time of the last poll of addresses where a payment is likely. */
  urgentAt: number;
}

/** Longest period, in seconds, for which unused calls are saved up. They let a block or a burst of orders be polled at once. */
const SAVED_SECONDS = 10;
/** Share of the saved-up calls that is reserved for addresses where a payment is likely. */
const RETAINED = 0.5;
/** Longest time in ms without a poll of addresses where a payment is likely, even if other work uses up the budget. */
const PATIENCE_MS = 5_000;
/** Assumed number of calls per polled address before the first poll. */
const FIRST_GUESS = 3;
/** Weight of the latest poll in the average of calls per polled address. */
const NEWER = 0.2;

const buckets = new WeakMap<Rail, Bucket>();

/** Limit on the number of a rail's addresses that may be polled now. */
export interface PollBudget {
  /**
   * Returns the number of addresses to poll, at most `max`. `isUrgent`: addresses where a payment is likely, which come first;
   * the others get the rest.
   */
  places(isUrgent: boolean, max: number): number;
  /** Reports a finished poll: deducts its calls from the budget. `places`: number of addresses that were just polled. */
  polled(places: number, isUrgent: boolean): void;
}

/**
 * Returns the budget of a rail at `now`, in ms of the database's clock. `perSecond`: number of calls that this process may make
 * to the rail per second, including calls for payouts and balances. A rail that doesn't count its calls has no limit.
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
      // At least one address is polled if any call is left, since one address may cost more than a second's calls.
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
