import { type Fraction, decimal, decimalText, fraction, pow10 } from './fraction.ts';
import { type Money, type Rounding, divide, money } from './money.ts';
import { scaleOf } from './units.ts';

/**
 * A price: one whole `base` is worth `value` whole `quote`. The larger unit is the base, as people state prices. The shown rate
 * is also the one that is used, so that the shown figures reproduce the amounts.
 */
export interface Rate {
  readonly base: string;
  readonly quote: string;
  readonly value: Fraction;
}

/** Significant digits of a rate that is shown or used. */
export const SIGNIFICANT_DIGITS = 8;

/** Makes a rate of two units (or assets) from a fraction above zero. */
export function rate(base: string, quote: string, value: Fraction): Rate {
  if (value.numerator <= 0n) throw new RangeError('A rate is above zero');
  return { base, quote, value };
}

/** Parses a plain decimal: `parseRate('BTC', 'USDT', '93196.64')`. */
export function parseRate(base: string, quote: string, text: string): Rate {
  return rate(base, quote, decimal(text));
}

/** Returns the inverse rate: the same price with base and quote swapped. */
export function invert(one: Rate): Rate {
  return rate(one.quote, one.base, fraction(one.value.denominator, one.value.numerator));
}

/** Returns the rate A→C from A→B and B→C. Throws a RangeError if the middle assets differ. */
export function multiply(first: Rate, second: Rate): Rate {
  if (first.quote !== second.base) throw new RangeError(`${first.quote} is not ${second.base}`);
  return rate(
    first.base,
    second.quote,
    fraction(first.value.numerator * second.value.numerator, first.value.denominator * second.value.denominator),
  );
}

/**
 * Rounds a rate to 8 significant digits. The caller chooses the direction. Rounding down favours the desk if the customer gives
 * the base; otherwise it favours the customer.
 */
export function cutRate(one: Rate, rounding: Rounding): Rate {
  const { numerator, denominator } = one.value;
  // Computes the decimal exponent of the first significant digit without floating point.
  let exponent = numerator.toString().length - denominator.toString().length;
  if (numerator * raised(-exponent) < denominator * raised(exponent)) exponent -= 1;
  const digits = SIGNIFICANT_DIGITS - 1 - exponent;
  const cut = divide(numerator * raised(digits), denominator * raised(-digits), rounding);
  return rate(one.base, one.quote, fraction(cut * raised(-digits), raised(digits)));
}

/** Returns 10^n for n ≥ 0, otherwise 1. */
const raised = (n: number): bigint => (n > 0 ? pow10(n) : 1n);

/** Writes a rate as decimal text with at least `digits` decimals. The rate must be a finite decimal, as every rounded rate is. */
export function formatRate(one: Rate, digits = 0): string {
  return decimalText(one.value, digits);
}

/**
 * Converts an amount to `toUnit`. `asset`: the side of the rate by which the amount's unit is priced. Amounts of the base are
 * multiplied by the rate, amounts of the quote are divided. Throws a RangeError if `asset` is no side of the rate.
 */
export function convert(amount: Money, asset: string, one: Rate, toUnit: string, rounding: Rounding): Money {
  const { numerator, denominator } = priceOf(asset, one);
  return money(
    toUnit,
    divide(amount.parts * numerator * pow10(scaleOf(toUnit)), denominator * pow10(scaleOf(amount.unit)), rounding),
  );
}

/** Returns the smallest amount of `unit` whose conversion, rounded down, is at least `got`: the inverse of `convert`. */
export function giveFor(got: Money, asset: string, one: Rate, unit: string): Money {
  const { numerator, denominator } = priceOf(asset, one);
  return money(unit, divide(got.parts * denominator * pow10(scaleOf(unit)), numerator * pow10(scaleOf(got.unit)), 'up'));
}

/** Returns the price of one whole `asset` in the rate's other asset. Throws a RangeError if `asset` is no side of the rate. */
export function priceOf(asset: string, one: Rate): Fraction {
  if (asset === one.base) return one.value;
  if (asset === one.quote) return { numerator: one.value.denominator, denominator: one.value.numerator };
  throw new RangeError(`${asset} is no side of ${one.base}/${one.quote}`);
}
