import { type Fraction, type Rate, cutRate, decimal, fraction, rate } from '@kurs/money';
import type { Statements } from '../platform/index.ts';
import { compareFractions, middle } from './compare.ts';
import type { Snapshot } from './snapshot.ts';
import { readAssets, readHours } from './store.ts';

/** Market rate at the beginning of an hour, cut to 8 significant digits. */
export interface RatePoint {
  readonly at: Date;
  readonly rate: Rate;
}

export interface RateHistory {
  readonly base: string;
  readonly quote: string;
  /** Oldest first. Hours without a price are absent. */
  readonly points: readonly RatePoint[];
}

/**
 * Returns the hourly market rate between two assets since a moment, with the asset first that is worth more now: by mid prices,
 * without the desk's spread. Empty if neither asset ever moves (two pegs), or without prices.
 */
export async function readHistory(
  db: Statements,
  pair: readonly [from: string, to: string],
  snapshot: Snapshot,
  since: Date,
): Promise<RateHistory> {
  const [one, other] = pair.map((asset) => presentMid(snapshot, asset)) as [Fraction, Fraction];
  const [base, quote] = compareFractions(one, other) >= 0 ? pair : ([pair[1], pair[0]] as const);
  if (base === quote) return { base, quote, points: [] };
  const [pegs, hours] = await Promise.all([readPegs(db), readHours(db, [base, quote], since)]);
  const seen = new Map<number, Map<string, Fraction>>();
  for (const { asset, hour, mid } of hours) {
    const ofHour = seen.get(hour.getTime()) ?? new Map<string, Fraction>();
    seen.set(hour.getTime(), ofHour.set(asset, mid));
  }
  const points = [...seen].flatMap(([hour, mids]): RatePoint[] => {
    const [of, inQuote] = [mids.get(base) ?? pegs.get(base), mids.get(quote) ?? pegs.get(quote)];
    if (!of || !inQuote) return [];
    const value = fraction(of.numerator * inQuote.denominator, of.denominator * inQuote.numerator);
    return [{ at: new Date(hour), rate: cutRate(rate(base, quote, value), 'down') }];
  });
  return { base, quote, points };
}

/** Returns an asset's worth in USD in a snapshot. Throws a RangeError for an asset that it lacks. */
function presentMid(snapshot: Snapshot, asset: string): Fraction {
  const price = snapshot.body.assets[asset];
  if (!price) throw new RangeError(`Snapshot ${snapshot.version} has no price of ${asset}`);
  return middle(decimal(price.bid), decimal(price.ask));
}

/** Assets with a price fixed by definition: their hours are not stored. */
async function readPegs(db: Statements): Promise<Map<string, Fraction>> {
  const assets = await readAssets(db);
  return new Map(assets.flatMap(({ code, peg }) => (peg === null ? [] : [[code, decimal(peg)] as const])));
}
