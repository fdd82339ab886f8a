import { Problem, fieldProblem, type Sent, type routes } from '@kurs/contract';
import {
  type Money,
  MoneyError,
  PriceError,
  type PriceTerms,
  type Rate,
  type PriceBreakdown,
  assetOf,
  compare,
  convert,
  format,
  isZero,
  parse,
  percent,
  priceOf,
  roundTo,
  scaleOf,
  breakdownForGet,
  breakdownForGive,
  totalOf,
} from '@kurs/money';
import { type Snapshot, closedReason, mid, now } from '../../rates/index.ts';
import type { Direction } from '../directions/direction.ts';
import { settings } from '../settings.ts';
import type { PriceContext } from '../price/context.ts';
import { type Priced, closedAt } from '../price/make-price.ts';
import { closedProblem, price } from '../price/price-now.ts';
import { directionOf } from '../known/view.ts';

/** Input of a quote; `amount` is a decimal string of the currency given (`give`) or received (`get`). */
export type QuoteInput = Sent<typeof routes.calculate>;

/** A quote with all data that it was made from. An order stores `terms`, and its price is always computed from them. */
export interface Quoted extends Priced {
  readonly breakdown: PriceBreakdown;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** The customer and the purpose of a quote. */
export interface QuoteContext extends PriceContext {
  /** Seconds for which the quote is valid; the setting `pricing.quote_seconds` by default. */
  readonly seconds?: number;
  /** Unit in which the amount is stated, if it isn't the currency's own. The amount is converted at mid-market rates. */
  readonly pricedIn?: string;
}

/**
 * Makes a quote at this process's newest snapshot, without a database call. Throws `direction_unknown`, `direction_closed`,
 * `rates_unavailable`, and `validation` on `amount`. The codes on `amount` are `amount_decimals`, `amount_eaten_by_fees` and,
 * with the limit, `amount_below_min`, `amount_above_max` and `amount_above_reserve`.
 */
export function quote(input: QuoteInput, context: QuoteContext = {}): Quoted {
  const priced = openPrice(directionOf(input.from, input.to), context);
  const request = requestedOf(input, priced, context.pricedIn);
  const breakdown = input.side === 'get' ? breakdownOfGot(request, priced) : breakdownOfGiven(request, priced);
  const { seconds = settings.get('pricing.quote_seconds') } = context;
  const at = now();
  return {
    ...priced,
    breakdown,
    at,
    expiresAt: new Date(at.getTime() + seconds * 1_000),
  };
}

/** Returns the price of an open direction. Throws `direction_closed` or `rates_unavailable`. */
function openPrice(direction: Direction, context: PriceContext): Priced {
  const made = price(direction, context);
  const closed = closedAt(made, now().getTime());
  if (closed) throw closedProblem(closed);
  // A direction without a price always has a reason, which was thrown above.
  return made as Priced;
}

/** Returns the worth in USD of the amount given, at mid-market rates, rounded up. Customers' limits use this worth. */
export function worthOf({ breakdown: { give }, giveUsd }: Quoted): Money<'USD'> {
  return convert(give, assetOf(give.unit), giveUsd, 'USD', 'up') as Money<'USD'>;
}

/**
 * Parses the requested amount, in the unit and with the digits of its side. An amount in another unit (`pricedIn`) is converted
 * and rounded up.
 */
function requestedOf({ amount, side }: QuoteInput, { terms, give, get, snapshot }: Priced, pricedIn: string | undefined): Money {
  const [unit, digits, { code }] =
    side === 'get' ? [terms.getUnit, terms.getDigits, get] : [terms.giveUnit, terms.giveDigits, give];
  if (pricedIn === undefined) return read(amount, unit, digits, code);
  const assets = [assetOf(pricedIn), assetOf(unit)] as const;
  const closed = closedReason(snapshot, now(), assets);
  if (closed) throw closedProblem(closed);
  const worth = read(amount, pricedIn, scaleOf(pricedIn), pricedIn);
  return roundTo(convert(worth, assets[0], mid(snapshot, ...assets), unit, 'up'), digits, 'up');
}

function breakdownOfGiven(give: Money, priced: Priced): PriceBreakdown {
  const { terms, bounds, maxOfReserve } = priced;
  const shown = (amount: Money): string => format(amount, terms.giveDigits);
  if (compare(give, bounds.min) < 0) throw outside('amount_below_min', { min: shown(bounds.min), currency: priced.give.code });
  if (compare(give, bounds.max) > 0) {
    throw bounds.maxBy === 'reserve'
      ? outside('amount_above_reserve', { max: format(maxOfReserve, terms.getDigits), currency: priced.get.code })
      : outside('amount_above_max', { max: shown(bounds.max), currency: priced.give.code });
  }
  const breakdown = breakdownForGive(give, terms);
  if (isZero(breakdown.get)) throw fieldProblem('amount', 'amount_eaten_by_fees');
  return breakdown;
}

function breakdownOfGot(get: Money, priced: Priced): PriceBreakdown {
  const { terms, bounds, minGet, maxGet } = priced;
  const shown = (amount: Money): string => format(amount, terms.getDigits);
  if (compare(get, minGet) < 0) throw outside('amount_below_min', { min: shown(minGet), currency: priced.get.code });
  if (compare(get, maxGet) > 0) {
    throw outside(bounds.maxBy === 'reserve' ? 'amount_above_reserve' : 'amount_above_max', {
      max: shown(maxGet),
      currency: priced.get.code,
    });
  }
  const breakdown = breakdownForGet(get, terms);
  // Because of rounding, an amount given slightly below the minimum may bring the requested amount. Then the minimum is used.
  return compare(breakdown.give, bounds.min) < 0 ? breakdownForGive(bounds.min, terms) : breakdown;
}

const outside = (code: string, params: Record<string, string>): Problem => fieldProblem('amount', code, params);

/** Parses an amount. Throws `validation` if it has more digits than payments have. */
function read(text: string, unit: string, digits: number, currency: string): Money {
  const tooFine = (): Problem => fieldProblem('amount', 'amount_decimals', { currency, decimals: String(digits) });
  try {
    const amount = parse(unit, text);
    if (compare(roundTo(amount, digits, 'down'), amount) !== 0) throw tooFine();
    return amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw error.code === 'too_many_decimals'
      ? tooFine()
      : fieldProblem('amount', error.code === 'too_large' ? 'amount_too_long' : 'amount_format');
  }
}

/** The current terms of a pair, and the market snapshot that they were made from. */
export interface CurrentTerms {
  readonly terms: PriceTerms;
  readonly snapshot: Snapshot;
}

/**
 * Returns the current terms for money that has already arrived: for a late, held or undelivered order. Switches, reserve and
 * bounds are ignored. Undefined if there is no price, or its rates are too old or doubtful.
 */
export function currentTerms(from: string, to: string, context: PriceContext = {}): CurrentTerms | undefined {
  try {
    const made = price(directionOf(from, to), context);
    if (!('terms' in made)) return undefined;
    const { terms, snapshot, give, get } = made;
    return closedReason(snapshot, now(), [assetOf(give.unit), assetOf(get.unit)]) ? undefined : { terms, snapshot };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Returns true if the market has moved against the desk since a rate was quoted. The quote promised over `pricing.moved_percent`
 * more for one `asset` than it brings now.
 */
export function movedAgainstDesk(quoted: Rate, current: Rate, asset: string): boolean {
  const moved = percent(settings.get('pricing.moved_percent'));
  // Compares prices of `asset` itself: a rate is stated for the dearer of two assets, which may change near parity.
  const [promised, worth] = [priceOf(asset, quoted), priceOf(asset, current)];
  const [high, low] = [promised.numerator * worth.denominator, worth.numerator * promised.denominator];
  return (high - low) * moved.denominator > low * moved.numerator;
}

/**
 * Returns true if fee and costs have risen since a quote by over `pricing.moved_percent` of the amount. The desk would bear the
 * difference. Discounts are ignored.
 */
export function takesMoreNow(give: Money, quoted: PriceTerms, current: PriceTerms): boolean {
  const moved = percent(settings.get('pricing.moved_percent'));
  const [then, now] = [takenOf(give, quoted), takenOf(give, current)];
  return now === undefined || (then !== undefined && (now - then) * moved.denominator > give.parts * moved.numerator);
}

/** Returns the sum of fee and costs of an amount, in parts; undefined if they exceed the amount. */
function takenOf(give: Money, terms: PriceTerms): bigint | undefined {
  try {
    return totalOf(breakdownForGive(give, terms).components, 'fee', 'cost');
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}
