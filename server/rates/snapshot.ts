import { type Fraction, type Money, type Rate, assetOf, convert, cutRate, decimal, fraction, percent, rate } from '@kurs/money';
import { compareFractions, middle } from './compare.ts';

/** Why an asset has no price to deal at; keys of the contract's words under `closed`. */
export type ClosedReason = 'rates' | 'rates_apart' | 'rates_moving' | 'rates_old';

/** One asset's price in USD as plain decimals. */
export interface AssetPrice {
  /** What the desk counts it as when a customer gives it, and when a customer gets it. Equal with three sources. */
  readonly bid: string;
  readonly ask: string;
  /** When at least two sources said so (ISO 8601); absent for a peg, which never grows old. */
  readonly at?: string;
  /** Sources that the price rests on. */
  readonly live: number;
  /** Deviation of its 15-minute moves in percent, rounded up. */
  readonly deviation: string;
  readonly closed?: ClosedReason;
}

/** What stands in `rate_snapshot.body`. */
export interface SnapshotBody {
  readonly assets: Readonly<Record<string, AssetPrice>>;
  /** Which sources answered the last time they were asked. */
  readonly sources: Readonly<Record<string, 'ok' | 'failed'>>;
  /** The prices are the sandbox's seeded walk, no market. */
  readonly seeded: boolean;
}

export interface Snapshot {
  readonly version: bigint;
  readonly at: Date;
  readonly body: SnapshotBody;
}

/** A price is used for this long after two sources said so. */
export const OLD_AFTER_MS = 30_000;

function priceOf(snapshot: Snapshot, asset: string): AssetPrice {
  const price = snapshot.body.assets[asset];
  if (!price) throw new RangeError(`Snapshot ${snapshot.version} has no price of ${asset}`);
  return price;
}

/** (bid + ask) ÷ 2 in USD, exactly. */
function midUsd(snapshot: Snapshot, asset: string): Fraction {
  const price = priceOf(snapshot, asset);
  return middle(decimal(price.bid), decimal(price.ask));
}

/** One whole `base` in whole `quote` by the middles, exactly: for values, not for dealing. Throws for an unknown asset. */
export function mid(snapshot: Snapshot, base: string, quote: string): Rate {
  return rate(base, quote, divided(midUsd(snapshot, base), midUsd(snapshot, quote)));
}

function divided(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/**
 * The rate that a customer who gives asset `from` and gets asset `to` is dealt at: what is given counts at its bid,
 * what is got at its ask. Stated with the larger asset first, whichever way they go, and cut to 8 significant digits
 * towards the desk. The same asset on both sides is worth itself: no market is crossed for it. Throws for
 * an unknown asset.
 */
export function marketRate(snapshot: Snapshot, from: string, to: string): Rate {
  if (from === to) return mid(snapshot, from, to);
  const given = decimal(priceOf(snapshot, from).bid);
  const got = decimal(priceOf(snapshot, to).ask);
  const givesLarger = compareFractions(midUsd(snapshot, from), midUsd(snapshot, to)) >= 0;
  return givesLarger ? cutRate(rate(from, to, divided(given, got)), 'down') : cutRate(rate(to, from, divided(got, given)), 'up');
}

/** What an amount is worth in USD by the middles, rounded up to the cent: what limits and bounds count. */
export function usdValue(snapshot: Snapshot, amount: Money, asset: string = assetOf(amount.unit)): Money<'USD'> {
  return convert(amount, asset, mid(snapshot, asset, 'USD'), 'USD', 'up') as Money<'USD'>;
}

/** Why a snapshot's prices of some assets can't be dealt at, or until when they can (milliseconds of the product's clock). */
export interface Dealable {
  readonly reason?: ClosedReason;
  readonly until: number;
}

/** Whether these assets have prices to deal at. Nothing at all yet is `rates`. */
export function dealable(snapshot: Snapshot | undefined, assets: readonly string[]): Dealable {
  let until = Infinity;
  for (const asset of assets) {
    const price = snapshot?.body.assets[asset];
    if (!price) return { reason: 'rates', until: 0 };
    if (price.closed) return { reason: price.closed, until: 0 };
    if (price.at !== undefined) until = Math.min(until, Date.parse(price.at) + OLD_AFTER_MS);
  }
  return { until };
}

/**
 * Why these assets have no price to deal at now, or undefined. `now` is the product's clock. A price that two sources
 * haven't confirmed within 30 s is `rates_old`.
 */
export function closedReason(snapshot: Snapshot | undefined, now: Date, assets: readonly string[]): ClosedReason | undefined {
  const { reason, until } = dealable(snapshot, assets);
  return reason ?? (now.getTime() > until ? 'rates_old' : undefined);
}

/**
 * An upper bound of the deviation of 15-minute moves of one asset against another, as a share. Deviations obey the
 * triangle inequality, so the sum of the two against USD is never below the pair's own.
 */
export function deviationOf(snapshot: Snapshot, one: string, other: string): Fraction {
  if (one === other) return fraction(0n, 1n);
  const [a, b] = [percent(priceOf(snapshot, one).deviation), percent(priceOf(snapshot, other).deviation)];
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}
