// Computes the affiliates' rewards of an order: shares of the desk's profit. Pure; amounts are minor units of the unit of
// rewards.

/** Smaller rewards count as none: 0.01 in minor units. */
export const MIN_PARTS = 10_000n;

/** An order's profit and the shares in it. */
export interface SettledOrder {
  /**
   * The desk's profit: fee less discounts other than the friend's, less what providers kept beyond their line, less the
   * provision.
   */
  readonly profit: bigint;
  /** Worth of the friend's discount, rounded up. */
  readonly friend: bigint;
  /** The desk's minimum margin, rounded up. */
  readonly margin: bigint;
  /** The affiliate's share in hundredths of a percent: that of the completion, at least the friend's promised share. */
  readonly share: bigint;
  /** The second level's share in hundredths of a percent; 0 if nobody referred the affiliate. */
  readonly second: bigint;
  /** Maximum of all shares together, in hundredths of a percent. */
  readonly max: bigint;
}

/** Rewards of both levels. */
export interface Rewards {
  readonly first: bigint;
  readonly second: bigint;
}

/**
 * Returns the rewards of an order. The affiliate gets their share less the friend's discount. Both rewards and that discount are
 * limited to a part of the profit and leave the desk its minimum margin; the second level is reduced first. A reward below 0.01
 * is none.
 */
export function rewardsOf({ profit, friend, margin, share, second, max }: SettledOrder): Rewards {
  const pool = (profit * share) / HUNDRED_PERCENT;
  const allowed = smallest((profit * max) / HUNDRED_PERCENT, profit - margin) - friend;
  const first = atLeastNothing(smallest(pool - friend, allowed));
  const rest = atLeastNothing(smallest((profit * second) / HUNDRED_PERCENT, allowed - first));
  return { first: first < MIN_PARTS ? 0n : first, second: rest < MIN_PARTS ? 0n : rest };
}

const HUNDRED_PERCENT = 10_000n;
const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const atLeastNothing = (parts: bigint): bigint => (parts < 0n ? 0n : parts);
