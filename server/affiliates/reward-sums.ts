// What an order earns those who sent its customer: a share of what the desk kept of it. Pure; sums are parts of the unit of rewards.

/** Less than this is nothing: 0.01. */
export const LEAST_PARTS = 10_000n;

/** What an order brought, and who is to get of it. */
export interface Kept {
  /** What the desk kept: fee less discounts other than the friend's, less what providers kept beyond their line, less the provision. */
  readonly profit: bigint;
  /** What the friend's discount was worth, rounded up. */
  readonly friend: bigint;
  /** What the desk keeps at the least, rounded up. */
  readonly margin: bigint;
  /** The affiliate's share in hundredths of a percent: that of the completion, at least what the friend was promised of it. */
  readonly share: bigint;
  /** The second level's in hundredths of a percent; 0 where nobody sent the affiliate. */
  readonly second: bigint;
  /** What all of it takes at the most, in hundredths of a percent. */
  readonly most: bigint;
}

/** What each level gets. */
export interface Rewards {
  readonly first: bigint;
  readonly second: bigint;
}

/**
 * The rewards of an order. The affiliate gets their share less the friend's discount. Both rewards and that discount are at most
 * so much of the profit and leave the desk its least; the second level gives way first. A reward below 0.01 is none.
 */
export function rewardsOf({ profit, friend, margin, share, second, most }: Kept): Rewards {
  const pool = (profit * share) / HUNDRED_PERCENT;
  const allowed = smallest((profit * most) / HUNDRED_PERCENT, profit - margin) - friend;
  const first = atLeastNothing(smallest(pool - friend, allowed));
  const rest = atLeastNothing(smallest((profit * second) / HUNDRED_PERCENT, allowed - first));
  return { first: first < LEAST_PARTS ? 0n : first, second: rest < LEAST_PARTS ? 0n : rest };
}

const HUNDRED_PERCENT = 10_000n;
const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const atLeastNothing = (parts: bigint): bigint => (parts < 0n ? 0n : parts);
