// The rates feed for exchange monitors: open directions with all-in rates, as plain decimals. Pure but for the view.

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

/** One direction as monitors list it. Codes are the monitors'; sums are decimals. */
export interface FeedItem {
  readonly from: string;
  readonly to: string;
  /** A client gives `in` and gets `out`, everything counted; one of the two is 1. */
  readonly in: string;
  readonly out: string;
  /** What the desk can pay, in the currency got. */
  readonly amount: string;
  /** The limit of one order, in the currency given. */
  readonly min: string;
  readonly max: string;
  /** Minutes for which an order’s rate is fixed. */
  readonly fixedMinutes: number;
  /** Minutes that a payout waits at the most, or usually takes (the median, where enough samples are there). */
  readonly delay?: number;
  /** Its payments can be taken back for months: payers are verified, and payouts held. */
  readonly reversible: boolean;
  /** A person approves its larger orders. */
  readonly manual: boolean;
}

export interface FeedOptions {
  /** Whether an order of this worth, in cents of USD, waits for a person. */
  readonly waitsForPerson: (usd: bigint) => boolean;
}

interface Made {
  readonly of: readonly unknown[];
  /** Milliseconds of the product’s clock until which every rate in it is young enough. */
  readonly until: number;
  readonly items: readonly FeedItem[];
}

let made: Made | undefined;

/**
 * The feed for a visitor now: open directions whose currencies have a monitor’s code. The very same array until the
 * rates, the view or the clock change it. No database call; empty before there is a view.
 */
export function ratesFeed(options: FeedOptions): readonly FeedItem[] {
  const view = viewOrNone();
  const of = [view, latest(), options];
  if (made && made.until >= now().getTime() && made.of.every((one, at) => one === of[at])) return made.items;
  const listed = view ? openOnes(view) : [];
  made = {
    of,
    until: listed.reduce((least, { standing }) => Math.min(least, standing.until), Infinity),
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
  const least = allInRate(terms, bounds.min, bounds.max);
  if (!from || !to || !least) return [];
  const usd = convert(bounds.max, assetOf(terms.giveUnit), giveUsd, 'USD', 'up');
  const reversible = isReversible(direction.from);
  const delay = reversible ? clearingMs(0) / 60_000 : view.usualMinutes.get(direction.slug);
  return [
    {
      from,
      to,
      ...inAndOut(least),
      amount: format(roundTo(reserve, terms.getDigits, 'down'), terms.getDigits),
      min: format(bounds.min, terms.giveDigits),
      max: format(bounds.max, terms.giveDigits),
      fixedMinutes: lockMinutes(),
      ...(delay !== undefined && { delay }),
      reversible,
      manual: waitsForPerson(usd.parts),
    },
  ];
}

/**
 * What one whole of the unit given brings at the least, over every amount from `min` to `max`: all costs inside, at their
 * highest (rules of listing, bestchange.com/wiki/rules.html). Undefined where nothing can be guaranteed.
 *
 * Within one step of the list price the share that all lines leave of the amount never shrinks as the amount grows, so it
 * is least where the step begins, except for rounding: a percentage may be rounded up by one more pay unit than there, and
 * what is got is rounded down.
 */
export function allInRate(terms: PriceTerms, min: Money, max: Money): Fraction | undefined {
  const begins = terms.spread.map(({ from }) => roundTo(from, terms.giveDigits, 'up'));
  const amounts = [min, ...begins.filter(({ parts }) => parts > min.parts && parts <= max.parts)];
  const shares = amounts.map((give) => shareAt(give, terms));
  return shares.reduce((least, share) => (least && share && compareFractions(share, least) < 0 ? share : share && least));
}

function shareAt(give: Money, terms: PriceTerms): Fraction | undefined {
  const breakdown = breakdownOrNone(give, terms);
  if (!breakdown) return undefined;
  // The list price is a percentage, as are some of the costs.
  const rounded = 1n + BigInt(terms.costs.filter(({ percent }) => percent).length);
  const left = breakdown.exchanged.parts - rounded * payUnit(terms.giveUnit, terms.giveDigits);
  if (left <= 0n) return undefined;
  const whole = convert(money(terms.giveUnit, left), assetOf(terms.giveUnit), terms.rate, terms.getUnit, 'down');
  const got = whole.parts - payUnit(terms.getUnit, terms.getDigits);
  if (got <= 0n) return undefined;
  return fraction(got * 10n ** BigInt(scaleOf(terms.giveUnit)), give.parts * 10n ** BigInt(scaleOf(terms.getUnit)));
}

/** The smallest amount that is paid in a unit, in parts. */
const payUnit = (unit: string, digits: number): bigint => roundTo(money(unit, 1n), digits, 'up').parts;

/** A rate as a pair of which one is 1, cut to 8 significant digits against the client, so that nothing better is shown. */
function inAndOut(share: Fraction): { in: string; out: string } {
  const isLarge = share.numerator >= share.denominator;
  const value = isLarge ? share : fraction(share.denominator, share.numerator);
  const shown = formatRate(cutRate(rate('one', 'other', value), isLarge ? 'down' : 'up'));
  return isLarge ? { in: '1', out: shown } : { in: shown, out: '1' };
}
