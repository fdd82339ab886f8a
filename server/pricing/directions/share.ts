import { type Fraction, fraction } from '@kurs/money';

/** Returns −1, 0 or 1 if a is smaller than, equal to or larger than b. */
export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the smaller of two shares. */
export const smaller = (a: Fraction, b: Fraction): Fraction => (compareFractions(a, b) <= 0 ? a : b);

/** Returns the larger of two shares. */
export const larger = (a: Fraction, b: Fraction): Fraction => (compareFractions(a, b) >= 0 ? a : b);

/** Returns a − b. Throws a RangeError if the result is below zero. */
export const less = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);

/** Returns the part of `whole` that is left after the share `taken` is taken: whole × (1 − taken). */
export const half = (whole: Fraction, taken: Fraction): Fraction =>
  fraction(whole.numerator * (taken.denominator - taken.numerator), whole.denominator * taken.denominator);
