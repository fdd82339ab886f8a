// Payments of the model of the rules, and how a part of one is cut off. For tests.

import type { Coin } from './invoice-terms.testing.ts';

/** Stage of a payment, as its invoice must show it. */
type Stage = 'seen' | 'held' | 'waiting' | 'credited' | 'unallocated' | 'returning' | 'given_back' | 'dropped' | 'reversed';

/** A payment at its rail, and its fate. Amounts are in parts of its coin; credits in cents. */
export interface Paid {
  readonly id: string;
  readonly coin: Coin;
  readonly parts: bigint;
  /** Minute at which the payment was made, as a number. */
  readonly at: number;
  /** Number of the minute of its first confirmation. */
  confirmedAt: number | undefined;
  /** Part that the rail took back. */
  taken: bigint;
  /** Parts that the payer was given, the oldest first. */
  given: bigint[];
  stage: Stage;
  isInTime: boolean;
  /** Number of its option. */
  option: number;
  /** Part with the locked rate: the first payments have it. */
  locked: bigint;
  pending: bigint;
  credit: bigint;
  /** Part that was credited. */
  used: bigint;
  /** Money reserved for it, in cents. */
  reserved: bigint;
  /** True if the store is owed the coin itself. */
  isOwn: boolean;
  /** Amount that stands for the store, in parts: of USDT, or of the coin if the store is owed that. */
  set: bigint;
  isSettled: boolean;
  /** Part that its payer was given back. */
  back: bigint;
  /** Part that its rail took back after it was settled. */
  unsettled: Share;
  /** Hold of a flagged payment. */
  hold: { readonly isSoft: boolean; readonly at: number; hasPapers: boolean } | undefined;
  /** True if the desk refused it: no store accepts it. */
  isRefused: boolean;
  /** True if the lower of the locked and the current rate counts. */
  hasLowerRate: boolean;
  /** True if it is of a coin that no option asked for, and there was no price when it came. */
  isUnpriced: boolean;
}

/** A part of a payment, with its credit and what the store got for it. */
interface Share {
  readonly used: bigint;
  readonly credit: bigint;
  readonly set: bigint;
}

export const NOTHING: Share = { used: 0n, credit: 0n, set: 0n };

/** Facts of a payment that begins again after it was gone. */
export const ANEW = { hold: undefined, isRefused: false, hasLowerRate: false, isUnpriced: false };

export interface Option {
  readonly unit: 'BTC' | 'USDT';
  readonly at: number;
  readonly until: number;
  readonly parts: bigint | undefined;
}

/** Parts of USDT that a cent is worth. */
export const CENT = 10_000n;
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
export const sum = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n);

/** Cuts a part off what was credited. The store gives back a share that is rounded up, and the rest of the credit is rounded down. */
export function cut({ used, credit, set }: Share, parts: bigint): { readonly gone: Share; readonly rest: Share } {
  if (parts === 0n) return { gone: NOTHING, rest: { used, credit, set } };
  const rest = { used: used - parts, credit: (credit * (used - parts)) / used, set: set - ceil(set * parts, used) };
  return { gone: { used: parts, credit: credit - rest.credit, set: set - rest.set }, rest };
}

export const join = (one: Share, other: Share): Share => ({
  ...{ used: one.used + other.used, credit: one.credit + other.credit, set: one.set + other.set },
});
