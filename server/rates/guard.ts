import type { Fraction } from '@kurs/money';
import { compareFractions, furtherApart } from './compare.ts';
import type { ClosedReason } from './snapshot.ts';

/** What live sources say of one asset together. */
export interface Combined {
  readonly bid: Fraction;
  readonly ask: Fraction;
  readonly live: number;
}

/**
 * The price that at least two sources' prices make: of three the median; of two the lower where the
 * customer gives the asset and the higher where they get it. More follow the same rule: of an even number the worse of
 * the two middle ones. Undefined below two.
 */
export function combine(prices: readonly Fraction[]): Combined | undefined {
  if (prices.length < 2) return undefined;
  const sorted = [...prices].sort(compareFractions);
  const bid = sorted[(sorted.length - 1) >> 1] as Fraction;
  const ask = sorted[sorted.length >> 1] as Fraction;
  return { bid, ask, live: sorted.length };
}

/** Whether the farthest two of some prices differ by more than a share. */
export function areApart(prices: readonly Fraction[], share: Fraction): boolean {
  const sorted = [...prices].sort(compareFractions);
  const [low, high] = [sorted[0], sorted.at(-1)];
  return low !== undefined && high !== undefined && furtherApart(low, high, share);
}

/** Whether a price moved by more than a share against any of the last minute's. */
export function hasMoved(price: Fraction, lastMinute: readonly Fraction[], share: Fraction): boolean {
  return lastMinute.some((before) => furtherApart(before, price, share));
}

/**
 * Whether an asset is closed now, and why: what troubles it now, else what troubled it within the calm time, since it
 * opens again only after some calm minutes.
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
