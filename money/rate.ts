import { type Fraction, decimal, decimalText, fraction, pow10 } from './fraction.ts';
import { type Money, type Rounding, divide, money } from './money.ts';
import { scaleOf } from './units.ts';

/**
 * A price: one whole `base` is worth `value` whole `quote`. It is stated in the orientation that people are shown
 * (the larger unit first) and used in that orientation too, so that the shown figures reproduce the amounts.
 */
export interface Rate {
  readonly base: string;
  readonly quote: string;
  readonly value: Fraction;
}

/** Digits that a rate is cut to before it is shown or used. */
export const SIGNIFICANT_DIGITS = 8;

/** A rate of two units (or assets) from a fraction above zero. */
export function rate(base: string, quote: string, value: Fraction): Rate {
  if (value.numerator <= 0n) throw new RangeError('A rate is above zero');
  return { base, quote, value };
}

/** Reads a plain decimal: `parseRate('BTC', 'USDT', '93196.64')`. */
export function parseRate(base: string, quote: string, text: string): Rate {
  return rate(base, quote, decimal(text));
}

/** The same price seen from the other side. */
export function invert(one: Rate): Rate {
  return rate(one.quote, one.base, fraction(one.value.denominator, one.value.numerator));
}

/** A→B times B→C. Throws a RangeError where the middles differ. */
export function multiply(first: Rate, second: Rate): Rate {
  if (first.quote !== second.base) throw new RangeError(`${first.quote} is not ${second.base}`);
  return rate(
    first.base,
    second.quote,
    fraction(first.value.numerator * second.value.numerator, first.value.denominator * second.value.denominator),
  );
}

/** Cuts a rate to 8 significant digits. Which side `rounding` favours depends on who gives the base. */
export function cutRate(one: Rate, rounding: Rounding): Rate {
  const { numerator, denominator } = one.value;
  // The decimal exponent of the first significant digit, found without any floating point.
  let exponent = numerator.toString().length - denominator.toString().length;
  if (numerator * raised(-exponent) < denominator * raised(exponent)) exponent -= 1;
  const digits = SIGNIFICANT_DIGITS - 1 - exponent;
  const cut = divide(numerator * raised(digits), denominator * raised(-digits), rounding);
  return rate(one.base, one.quote, fraction(cut * raised(-digits), raised(digits)));
}

/** 10^n for n ≥ 0, else 1. */
const raised = (n: number): bigint => (n > 0 ? pow10(n) : 1n);

/** The decimal text of a rate that terminates (every cut rate does): at least `digits` behind the point. */
export function formatRate(one: Rate, digits = 0): string {
  return decimalText(one.value, digits);
}

/**
 * What an amount is worth in the rate's other unit. `assets` names which asset of the rate each unit is priced as;
 * an amount of the base is multiplied, an amount of the quote divided. Throws a RangeError where the asset is neither.
 */
export function convert(amount: Money, asset: string, one: Rate, toUnit: string, rounding: Rounding): Money {
  const { numerator, denominator } = priceOf(asset, one);
  return money(
    toUnit,
    divide(amount.parts * numerator * pow10(scaleOf(toUnit)), denominator * pow10(scaleOf(amount.unit)), rounding),
  );
}

/** The smallest amount of `unit` whose conversion, rounded down, is at least `got`: the inverse of `convert`. */
export function giveFor(got: Money, asset: string, one: Rate, unit: string): Money {
  const { numerator, denominator } = priceOf(asset, one);
  return money(unit, divide(got.parts * denominator * pow10(scaleOf(unit)), numerator * pow10(scaleOf(got.unit)), 'up'));
}

/** One whole `asset` in the rate's other asset. Throws a RangeError where the asset is neither. */
export function priceOf(asset: string, one: Rate): Fraction {
  if (asset === one.base) return one.value;
  if (asset === one.quote) return { numerator: one.value.denominator, denominator: one.value.numerator };
  throw new RangeError(`${asset} is no side of ${one.base}/${one.quote}`);
}
