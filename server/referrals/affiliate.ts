// An affiliate's terms: their share of the desk's profit, and the part of it for their friends. Pure.

import { type Fraction, fraction } from '@kurs/money';
import { levels, secondPercent, usualMaxSplit } from './settings.ts';

/** An affiliate's own data. Everybody with an account may refer others, so an affiliate without a row has the usual terms. */
export interface Affiliate {
  readonly holderId: string;
  /** Percent, in place of the level's. */
  readonly share: number | undefined;
  /** Percent of their share that friends may get, in place of the usual maximum. */
  readonly maxSplit: number | undefined;
  /** Their step of the ladder. */
  readonly level: number;
  /** Amount taken back of rewards that had left, in minor units of the unit of rewards. */
  readonly owed: bigint;
  readonly suspendedAt: Date | undefined;
  /** True if the monthly results are mailed. */
  readonly hasStatements: boolean;
  /** True if SQL changed the row: the terms are the usual ones, and the affiliate counts as suspended. */
  readonly isAltered?: boolean;
}

/** An affiliate without a row. */
export const usualAffiliate = (holderId: string): Affiliate => ({
  ...{ holderId, share: undefined, maxSplit: undefined, level: 0, owed: 0n, suspendedAt: undefined, hasStatements: true },
});

/** Returns an affiliate's current percentage of the desk's profit. */
export function shareOf({ share, level }: Pick<Affiliate, 'share' | 'level'>): number {
  const ladder = levels();
  return share ?? ladder[Math.min(level, ladder.length - 1)]?.percent ?? 0;
}

/** Returns the percentage of their share that an affiliate may leave to friends. */
export const maxSplit = ({ maxSplit: own }: Pick<Affiliate, 'maxSplit'>): number => own ?? usualMaxSplit();

/**
 * Returns the discount of an affiliate's friends, on the rest of the fee after other discounts. It never exceeds the affiliate's
 * share on the lowest level, so the desk pays no part of it.
 */
export function friendShare(affiliate: Affiliate, split: number): Fraction {
  const lowest = BigInt(affiliate.share ?? levels()[0]?.percent ?? 0) * 100n;
  const request = BigInt(Math.min(split, maxSplit(affiliate)) * shareOf(affiliate));
  return fraction(request < lowest ? request : lowest, 10_000n);
}

/**
 * Returns the part of the profit that a price leaves for rewards: the highest possible share at the completion, and the second
 * level's.
 */
export function rewardShare({ share = 0 }: Pick<Affiliate, 'share'>): Fraction {
  const highest = Math.max(share, ...levels().map(({ percent }) => percent));
  return fraction(BigInt(highest + secondPercent()), 100n);
}
