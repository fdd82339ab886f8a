// The rates feed for exchange monitors: open directions with their all-in rates, as plain decimals. Makes no database call.

import {
  type Fraction,
  type Money,
  type PriceTerms,
  assetOf,
  convert,
  cutRate,
  format,
  formatRate,
  fraction,
  money,
  rate,
  roundTo,
  scaleOf,
} from '@kurs/money';
import { isReversible, lockMinutes, clearingMs } from '../../compliance/index.ts';
import { latest, now } from '../../rates/index.ts';
import { compareFractions } from '../directions/share.ts';
import { breakdownOrNone } from '../price/breakdown-or-none.ts';
import { type Priced, closedAt } from '../price/make-price.ts';
import { price } from '../price/price-now.ts';
import { type View, currentView } from '../known/view.ts';

/** One direction as exchange monitors list it. Currencies have the monitors' codes; amounts are decimals. */
export interface FeedItem {
  readonly from: string;
  readonly to: string;
  /** Amount given, for which a client gets `out` with all costs included. Either `in` or `out` is 1. */
  readonly in: string;
  readonly out: string;
  /** Amount that the desk can pay out, in the currency received. */
  readonly amount: string;
  /** Minimum of one order, in the currency given. */
  readonly min: string;
  /** Maximum of one order, in the currency given. */
  readonly max: string;
  /** Minutes for which an order’s rate is fixed. */
  readonly fixedMinutes: number;
  /**
   * Minutes until the payout: the clearing period for reversible payments, otherwise the median time. Absent if there are too few
   * samples.
   */
  readonly delay?: number;
  /** True if payments can be taken back for months: payers must then be verified, and payouts wait for the clearing period. */
  readonly isReversible: boolean;
  /** True if the largest order of the direction needs a person's approval. */
  readonly isManual: boolean;
}

export interface FeedOptions {
  /** Returns true if an order of this worth, in cents of USD, needs a person's approval. */
  readonly waitsForPerson: (usd: bigint) => boolean;
}

interface CachedFeed {
  readonly of: readonly unknown[];
  /** Time until which every rate in the cached feed is young enough, in ms of the product’s clock. */
  readonly until: number;
  readonly items: readonly FeedItem[];
}

let made: CachedFeed | undefined;

/**
 * Returns the current feed, with the prices for a visitor: open directions whose currencies both have a monitor's code. Returns
 * the same array until rates, view or options change, or a rate becomes too old. Empty until the first view is read. Makes no
 * database call.
 */
export function ratesFeed(options: FeedOptions): readonly FeedItem[] {
  const view = viewOrNone();
  const of = [view, latest(), options];
  if (made && made.until >= now().getTime() && made.of.every((one, at) => one === of[at])) return made.items;
  const listed = view ? openOnes(view) : [];
  made = {
    of,
    until: listed.reduce((min, { status }) => Math.min(min, status.until), Infinity),
    items: listed.flatMap((priced) => itemOf(priced, view as View, options)),
  };
  return made.items;
}

function viewOrNone(): View | undefined {
  try {
    return currentView();
  } catch {
    return undefined;
  }
}

function openOnes({ directions }: View): Priced[] {
  return directions.flatMap((direction) => {
    const made = price(direction);
    return 'terms' in made && closedAt(made, now().getTime()) === undefined ? [made] : [];
  });
}

function itemOf(priced: Priced, view: View, { waitsForPerson }: FeedOptions): FeedItem[] {
  const { direction, terms, bounds, reserve, giveUsd } = priced;
  const [from, to] = [direction.from, direction.to].map((code) => view.currencies.get(code)?.feedCode);
  const min = allInRate(terms, bounds.min, bounds.max);
  if (!from || !to || !min) return [];
  const usd = convert(bounds.max, assetOf(terms.giveUnit), giveUsd, 'USD', 'up');
  const reversible = isReversible(direction.from);
  const delay = reversible ? clearingMs(0) / 60_000 : view.usualMinutes.get(direction.slug);
  return [
    {
      from,
      to,
      ...inAndOut(min),
      amount: format(roundTo(reserve, terms.getDigits, 'down'), terms.getDigits),
      min: format(bounds.min, terms.giveDigits),
      max: format(bounds.max, terms.giveDigits),
      fixedMinutes: lockMinutes(),
      ...(delay !== undefined && { delay }),
      isReversible: reversible,
      isManual: waitsForPerson(usd.parts),
    },
  ];
}

/**
 * Returns the smallest amount that one whole unit given can bring, over all amounts from `min` to `max`. All costs are taken at
 * their highest (rules of listing, bestchange.com/wiki/rules.html). Undefined if no amount can be guaranteed.
 *
 * Within one fee step, the share of an amount that is left after fee and costs never shrinks as the amount grows. So this share
 * is smallest at the beginning of a step, except for rounding: each percentage may be rounded up by one pay unit, and the amount
 * received is rounded down.
 */
export function allInRate(terms: PriceTerms, min: Money, max: Money): Fraction | undefined {
  const begins = terms.spread.map(({ from }) => roundTo(from, terms.giveDigits, 'up'));
  const amounts = [min, ...begins.filter(({ parts }) => parts > min.parts && parts <= max.parts)];
  const shares = amounts.map((give) => shareAt(give, terms));
  return shares.reduce((min, share) => (min && share && compareFractions(share, min) < 0 ? share : share && min));
}

function shareAt(give: Money, terms: PriceTerms): Fraction | undefined {
  const breakdown = breakdownOrNone(give, terms);
  if (!breakdown) return undefined;
  // The fee is a percentage, and so are some costs; each may be rounded up by one pay unit.
  const rounded = 1n + BigInt(terms.costs.filter(({ percent }) => percent).length);
  const left = breakdown.exchanged.parts - rounded * payUnit(terms.giveUnit, terms.giveDigits);
  if (left <= 0n) return undefined;
  const whole = convert(money(terms.giveUnit, left), assetOf(terms.giveUnit), terms.rate, terms.getUnit, 'down');
  const got = whole.parts - payUnit(terms.getUnit, terms.getDigits);
  if (got <= 0n) return undefined;
  return fraction(got * 10n ** BigInt(scaleOf(terms.giveUnit)), give.parts * 10n ** BigInt(scaleOf(terms.getUnit)));
}

/** Returns the smallest payable amount of a unit, in parts. */
const payUnit = (unit: string, digits: number): bigint => roundTo(money(unit, 1n), digits, 'up').parts;

/**
 * Returns a rate as a pair of numbers of which one is 1. The other is rounded to 8 significant digits against the client, so that
 * the feed never shows a better rate than the real one.
 */
function inAndOut(share: Fraction): { in: string; out: string } {
  const isLarge = share.numerator >= share.denominator;
  const value = isLarge ? share : fraction(share.denominator, share.numerator);
  const shown = formatRate(cutRate(rate('one', 'other', value), isLarge ? 'down' : 'up'));
  return isLarge ? { in: '1', out: shown } : { in: shown, out: '1' };
}
