import { type Fraction, type Money, type Rate, assetOf, convert, cutRate, decimal, fraction, percent, rate } from '@kurs/money';
import { compareFractions, middle } from './compare.ts';

/** Why an asset has no price to deal at; keys of the contract's words under `closed`. */
export type ClosedReason = 'rates' | 'rates_apart' | 'rates_moving' | 'rates_old';

/** One asset's price in USD as plain decimals. */
export interface AssetPrice {
  /** The desk's price when a customer gives the asset, and when a customer gets it. Equal with three sources. */
  readonly bid: string;
  readonly ask: string;
  /** Time at which at least two sources had this price (ISO 8601); absent for a peg, which never expires. */
  readonly at?: string;
  /** Sources of the price. */
  readonly live: number;
  /** Deviation of its 15-minute moves in percent, rounded up. */
  readonly deviation: string;
  readonly closed?: ClosedReason;
}

/** Content of `rate_snapshot.body`. */
export interface SnapshotBody {
  readonly assets: Readonly<Record<string, AssetPrice>>;
  /** Sources that answered the last query. */
  readonly sources: Readonly<Record<string, 'ok' | 'failed'>>;
  /** True if the prices are the sandbox's seeded walk and no market's. */
  readonly isSeeded: boolean;
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

/** Returns (bid + ask) ÷ 2 in USD, exactly. */
function midUsd(snapshot: Snapshot, asset: string): Fraction {
  const price = priceOf(snapshot, asset);
  return middle(decimal(price.bid), decimal(price.ask));
}

/**
 * Returns one whole `base` in whole `quote` by mid prices, exactly: for valuations, not for exchanges. Throws for an unknown
 * asset.
 */
export function mid(snapshot: Snapshot, base: string, quote: string): Rate {
  return rate(base, quote, divided(midUsd(snapshot, base), midUsd(snapshot, quote)));
}

function divided(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/**
 * Returns the rate for a customer who gives asset `from` and gets asset `to`: the given asset counts at its bid, the other at its
 * ask. The larger asset is stated first in both directions. The rate is cut to 8 significant digits in the desk's favour. The
 * same asset on both sides has the rate 1, without a market. Throws for an unknown asset.
 */
export function marketRate(snapshot: Snapshot, from: string, to: string): Rate {
  if (from === to) return mid(snapshot, from, to);
  const given = decimal(priceOf(snapshot, from).bid);
  const got = decimal(priceOf(snapshot, to).ask);
  const givesLarger = compareFractions(midUsd(snapshot, from), midUsd(snapshot, to)) >= 0;
  return givesLarger ? cutRate(rate(from, to, divided(given, got)), 'down') : cutRate(rate(to, from, divided(got, given)), 'up');
}

/** Returns an amount's worth in USD by mid prices, rounded up to the cent, for limits. */
export function usdValue(snapshot: Snapshot, amount: Money, asset: string = assetOf(amount.unit)): Money<'USD'> {
  return convert(amount, asset, mid(snapshot, asset, 'USD'), 'USD', 'up') as Money<'USD'>;
}

/**
 * Reason why prices of some assets in a snapshot can't be used, or the time until which they can (milliseconds of the product's
 * clock).
 */
export interface Dealable {
  readonly reason?: ClosedReason;
  readonly until: number;
}

/** Checks that these assets have usable prices. Without any snapshot the reason is `rates`. */
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
 * Returns why these assets have no usable price now, or undefined. `now` is the product's clock. A price that two sources haven't
 * confirmed within 30 s is `rates_old`.
 */
export function closedReason(snapshot: Snapshot | undefined, now: Date, assets: readonly string[]): ClosedReason | undefined {
  const { reason, until } = dealable(snapshot, assets);
  return reason ?? (now.getTime() > until ? 'rates_old' : undefined);
}

/**
 * Returns an upper bound of the deviation of 15-minute moves of one asset against another, as a share. Deviations obey the
 * triangle inequality, so the sum of the two against USD is never below the pair's own.
 */
export function deviationOf(snapshot: Snapshot, one: string, other: string): Fraction {
  if (one === other) return fraction(0n, 1n);
  const [a, b] = [percent(priceOf(snapshot, one).deviation), percent(priceOf(snapshot, other).deviation)];
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}
