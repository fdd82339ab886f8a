import { type Fraction, fraction } from '@kurs/money';

/** Returns (a + b) ÷ 2, exactly. */
export function middle(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, 2n * a.denominator * b.denominator);
}

/** Returns −1, 0 or 1, as a is smaller than, equal to or larger than b. */
export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** True if two prices differ by more than a share of the smaller one. */
export function furtherApart(a: Fraction, b: Fraction, share: Fraction): boolean {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  const [low, high] = left < right ? [left, right] : [right, left];
  return (high - low) * share.denominator > low * share.numerator;
}

/** Returns the larger of two shares. */
export function largerShare(a: Fraction, b: Fraction): Fraction {
  return a.numerator * b.denominator >= b.numerator * a.denominator ? a : b;
}

/** A share of nothing. */
export const NOTHING: Fraction = fraction(0n, 1n);
