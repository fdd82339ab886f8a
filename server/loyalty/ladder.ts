// The levels of loyalty: who has turned over so much in 30 days is let off a percentage of the fee. Pure.

/** Levels, the lowest first: from so many cents of USD on so many percent of the fee. */
export type Ladder = readonly { readonly cents: bigint; readonly percent: number }[];

/** Where a turnover stands: its percentage (0: below all levels), from which sum on, and the level above it. */
export interface Standing {
  readonly cents: bigint;
  readonly percent: number;
  readonly next?: Ladder[number];
}

/** Where a turnover in cents of USD stands on the levels. */
export function standingAt(cents: bigint, ladder: Ladder): Standing {
  const reached = ladder.findLast((level) => level.cents <= cents);
  const next = ladder.find((level) => level.cents > cents);
  return { cents, percent: reached?.percent ?? 0, ...(next && { next }) };
}
