import { scaleOf } from './units.ts';
import { type Fraction, pow10 } from './fraction.ts';

declare const parts: unique symbol;

/** A whole number of a unit's smallest part. Only this file creates such numbers. */
export type Parts = bigint & { readonly [parts]: true };

/** An amount of one unit. */
export interface Money<U extends string = string> {
  readonly unit: U;
  readonly parts: Parts;
}

/**
 * Direction of rounding. Every caller states the direction: amounts that the desk gives are rounded down, amounts that the desk
 * requests are rounded up.
 */
export type Rounding = 'down' | 'up';

/** Error of parsing or computing an amount; `code` is the reason. */
export class MoneyError extends Error {
  readonly code: 'not_a_decimal' | 'too_many_decimals' | 'too_large' | 'unit_mismatch' | 'negative';

  constructor(code: MoneyError['code'], detail: string) {
    super(detail);
    this.name = 'MoneyError';
    this.code = code;
  }
}

/** Largest amount: the ledger stores `numeric(38,0)`. */
const LARGEST = 10n ** 38n - 1n;

const DECIMAL = /^(0|[1-9][0-9]{0,37})(?:\.([0-9]{1,18}))?$/;

/** Makes an amount of a unit from parts ≥ 0. Throws `negative` or `too_large`. */
export function money<U extends string>(unit: U, amount: bigint): Money<U> {
  if (amount < 0n) throw new MoneyError('negative', `${amount} parts of ${unit} are below zero`);
  if (amount > LARGEST) throw new MoneyError('too_large', `${unit}: more than 38 digits`);
  return { unit, parts: amount as Parts };
}

/** Returns zero of a unit. */
export function zero<U extends string>(unit: U): Money<U> {
  return money(unit, 0n);
}

/**
 * Parses the canonical decimal text of an amount (`"0.015"`): digits and at most one point, without sign, exponent, space, group
 * mark or leading zero. Throws `not_a_decimal`, `too_many_decimals` (excess digits are never rounded) or `too_large`.
 */
export function parse<U extends string>(unit: U, text: string): Money<U> {
  const match = text.length <= 60 ? DECIMAL.exec(text) : null;
  if (!match) throw new MoneyError('not_a_decimal', 'An amount is written like 1000 or 0.015');
  const scale = scaleOf(unit);
  const behind = match[2] ?? '';
  if (behind.length > scale) throw new MoneyError('too_many_decimals', `${unit} has ${scale} decimals`);
  return money(unit, BigInt(match[1] + behind.padEnd(scale, '0')));
}

/**
 * Writes an amount as canonical decimal text. With `digits`, trailing zeros beyond that many decimals are cut (`format(usdt, 2)`
 * → `"979.43"`); without, the unit's whole scale is written (`"979.430000"`). Nothing is rounded.
 */
export function format(amount: Money, digits?: number): string {
  const scale = scaleOf(amount.unit);
  const text = amount.parts.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  let behind = text.slice(text.length - scale);
  if (digits !== undefined) {
    while (behind.length > digits && behind.endsWith('0')) behind = behind.slice(0, -1);
  }
  return behind === '' ? whole : `${whole}.${behind}`;
}

function same(a: Money, b: Money): void {
  if (a.unit !== b.unit) throw new MoneyError('unit_mismatch', `${a.unit} and ${b.unit} are different units`);
}

/** Returns a + b. Throws `unit_mismatch`. */
export function add<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  same(a, b);
  return money(a.unit, a.parts + b.parts);
}

/** Returns a − b. Throws `unit_mismatch`, and `negative` if b is larger. */
export function subtract<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  same(a, b);
  return money(a.unit, a.parts - b.parts);
}

/** Returns −1, 0 or 1 if a is smaller than, equal to or larger than b. Throws `unit_mismatch`. */
export function compare(a: Money, b: Money): -1 | 0 | 1 {
  same(a, b);
  return a.parts < b.parts ? -1 : a.parts > b.parts ? 1 : 0;
}

/** Returns true if an amount is zero. */
export function isZero(amount: Money): boolean {
  return amount.parts === 0n;
}

/** Returns the smaller of two amounts of one unit. */
export function smaller<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  return compare(a, b) <= 0 ? a : b;
}

/** Returns the larger of two amounts of one unit. */
export function larger<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  return compare(a, b) >= 0 ? a : b;
}

/** Divides non-negative integers and rounds the result as `rounding` says. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  return rounding === 'up' && quotient * denominator !== numerator ? quotient + 1n : quotient;
}

/** Rounds to `digits` decimals, e.g. to a currency's pay precision (USDT 2, BTC 8). */
export function roundTo<U extends string>(amount: Money<U>, digits: number, rounding: Rounding): Money<U> {
  const scale = scaleOf(amount.unit);
  if (digits >= scale) return amount;
  const step = pow10(scale - digits);
  return money(amount.unit, divide(amount.parts, step, rounding) * step);
}

/** Returns amount × factor, in the same unit. */
export function scaleBy<U extends string>(amount: Money<U>, factor: Fraction, rounding: Rounding): Money<U> {
  return money(amount.unit, divide(amount.parts * factor.numerator, factor.denominator, rounding));
}

/** Splits an amount by weights ≥ 0 (not all 0) without loss: the remainder goes to the first shares with a weight. */
export function allocate<U extends string>(whole: Money<U>, weights: readonly bigint[]): Money<U>[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total <= 0n) throw new RangeError('allocate needs a weight above zero');
  const shares = weights.map((weight) => (whole.parts * weight) / total);
  let left = whole.parts - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => {
    const extra = left > 0n && (weights[index] ?? 0n) > 0n ? 1n : 0n;
    left -= extra;
    return money(whole.unit, share + extra);
  });
}

/** Converts an integer amount of another scale (such as a token with 18 decimals on its chain) to parts of the unit's scale. */
export function rescale(amount: bigint, fromScale: number, toScale: number, rounding: Rounding): bigint {
  if (fromScale <= toScale) return amount * pow10(toScale - fromScale);
  return divide(amount, pow10(fromScale - toScale), rounding);
}
