import { type Fraction, fraction } from '@kurs/money';

/** −1, 0 or 1, as a is smaller than, equal to or larger than b. */
export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The smaller of two shares. */
export const smaller = (a: Fraction, b: Fraction): Fraction => (compareFractions(a, b) <= 0 ? a : b);

/** The larger of two shares. */
export const larger = (a: Fraction, b: Fraction): Fraction => (compareFractions(a, b) >= 0 ? a : b);

/** a − b; throws a RangeError below zero. */
export const less = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);

/** What is left of a share when another share of it is taken. */
export const half = (whole: Fraction, taken: Fraction): Fraction =>
  fraction(whole.numerator * (taken.denominator - taken.numerator), whole.denominator * taken.denominator);
