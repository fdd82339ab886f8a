// The levels of loyalty: a turnover in 30 days gives a percentage of the fee as a discount. Pure.

/** Levels, the lowest first: a turnover in cents of USD, and its percentage of the fee. */
export type Ladder = readonly { readonly cents: bigint; readonly percent: number }[];

/** A turnover's level: its percentage (0: below all levels), the amount from which it holds, and the level above it. */
export interface LadderPosition {
  readonly cents: bigint;
  readonly percent: number;
  readonly next?: Ladder[number];
}

/** Returns the level of a turnover in cents of USD. */
export function statusAt(cents: bigint, ladder: Ladder): LadderPosition {
  const reached = ladder.findLast((level) => level.cents <= cents);
  const next = ladder.find((level) => level.cents > cents);
  return { cents, percent: reached?.percent ?? 0, ...(next && { next }) };
}
