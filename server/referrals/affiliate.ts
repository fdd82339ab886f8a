// An affiliate's terms: which share of what the desk keeps is theirs, and what of it their friends get. Pure.

import { type Fraction, fraction } from '@kurs/money';
import { levels, secondPercent, splitMost } from './settings.ts';

/** What is an affiliate's own. Everybody with an account may send others, so one without a row has the usual terms. */
export interface Affiliate {
  readonly holderId: string;
  /** Percent, in place of the level's. */
  readonly share: number | undefined;
  /** Percent of their share that friends may get, in place of the usual most. */
  readonly splitMost: number | undefined;
  /** The step of the ladder that they stand on. */
  readonly level: number;
  /** What was taken back of rewards that had gone out, in parts of the unit of rewards. */
  readonly owed: bigint;
  readonly suspendedAt: Date | undefined;
  /** What a month has brought is mailed. */
  readonly statements: boolean;
  /** True if the row was changed by SQL: the terms are the usual ones, as if they were suspended. */
  readonly isAltered?: boolean;
}

/** An affiliate of whom nothing is kept. */
export const usualAffiliate = (holderId: string): Affiliate => ({
  ...{ holderId, share: undefined, splitMost: undefined, level: 0, owed: 0n, suspendedAt: undefined, statements: true },
});

/** The percentage of what the desk keeps that is an affiliate's now. */
export function shareOf({ share, level }: Pick<Affiliate, 'share' | 'level'>): number {
  const ladder = levels();
  return share ?? ladder[Math.min(level, ladder.length - 1)]?.percent ?? 0;
}

/** What of their share an affiliate may leave to friends, in percent. */
export const mostSplit = ({ splitMost: own }: Pick<Affiliate, 'splitMost'>): number => own ?? splitMost();

/**
 * What the friends of an affiliate are let off, of what the other discounts leave of the fee. It never is more than the share that
 * they keep wherever their level falls to, so that the desk pays no part of it.
 */
export function friendShare(affiliate: Affiliate, split: number): Fraction {
  const lowest = BigInt(affiliate.share ?? levels()[0]?.percent ?? 0) * 100n;
  const asked = BigInt(Math.min(split, mostSplit(affiliate)) * shareOf(affiliate));
  return fraction(asked < lowest ? asked : lowest, 10_000n);
}

/** What of the kept a price leaves for rewards: the highest share that there may be at the completion, and the second level's. */
export function rewardShare({ share = 0 }: Pick<Affiliate, 'share'>): Fraction {
  const highest = Math.max(share, ...levels().map(({ percent }) => percent));
  return fraction(BigInt(highest + secondPercent()), 100n);
}
