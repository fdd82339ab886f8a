import type { Fraction } from '@kurs/money';
import { compareFractions, furtherApart } from './compare.ts';
import type { ClosedReason } from './snapshot.ts';

/** The prices of all live sources for one asset. */
export interface Combined {
  readonly bid: Fraction;
  readonly ask: Fraction;
  readonly live: number;
}

/**
 * Returns the price that at least two sources make: of three the median; of two the lower one if the customer gives the asset,
 * the higher one if they get it. With more sources the same rule holds: of an even number the worse of the two middle ones.
 * Undefined below two.
 */
export function combine(prices: readonly Fraction[]): Combined | undefined {
  if (prices.length < 2) return undefined;
  const sorted = [...prices].sort(compareFractions);
  const bid = sorted[(sorted.length - 1) >> 1] as Fraction;
  const ask = sorted[sorted.length >> 1] as Fraction;
  return { bid, ask, live: sorted.length };
}

/** True if the farthest two of some prices differ by more than a share. */
export function areApart(prices: readonly Fraction[], share: Fraction): boolean {
  const sorted = [...prices].sort(compareFractions);
  const [low, high] = [sorted[0], sorted.at(-1)];
  return low !== undefined && high !== undefined && furtherApart(low, high, share);
}

/** True if a price moved by more than a share against any price of the last minute. */
export function hasMoved(price: Fraction, lastMinute: readonly Fraction[], share: Fraction): boolean {
  return lastMinute.some((before) => furtherApart(before, price, share));
}

/**
 * Returns why an asset is closed now: a present trouble, or one within the calm time, since it opens only after some calm
 * minutes. Undefined if it is open.
 */
export function closedBy(
  trouble: ClosedReason | undefined,
  last: { readonly reason: ClosedReason; readonly troubledAt: Date } | undefined,
  now: Date,
  calmMs: number,
): ClosedReason | undefined {
  if (trouble) return trouble;
  return last && now.getTime() - last.troubledAt.getTime() < calmMs ? last.reason : undefined;
}
