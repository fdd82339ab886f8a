import { scaleOf } from './units.ts';
import { type Fraction, pow10 } from './fraction.ts';

declare const parts: unique symbol;

/** A whole number of a unit's smallest part. Only this file makes one. */
export type Parts = bigint & { readonly [parts]: true };

/** An amount of one unit. */
export interface Money<U extends string = string> {
  readonly unit: U;
  readonly parts: Parts;
}

/** Rounding has no default: what the desk gives rounds down, what it asks rounds up. */
export type Rounding = 'down' | 'up';

/** Why a text or a computation is no amount. */
export class MoneyError extends Error {
  readonly code: 'not_a_decimal' | 'too_many_decimals' | 'too_large' | 'unit_mismatch' | 'negative';

  constructor(code: MoneyError['code'], detail: string) {
    super(detail);
    this.name = 'MoneyError';
    this.code = code;
  }
}

/** The ledger stores `numeric(38,0)`; no amount has more digits. */
const LARGEST = 10n ** 38n - 1n;

const DECIMAL = /^(0|[1-9][0-9]{0,37})(?:\.([0-9]{1,18}))?$/;

/** Takes a unit and parts ≥ 0 (a bigint), gives money. Throws `negative` or `too_large`. */
export function money<U extends string>(unit: U, amount: bigint): Money<U> {
  if (amount < 0n) throw new MoneyError('negative', `${amount} parts of ${unit} are below zero`);
  if (amount > LARGEST) throw new MoneyError('too_large', `${unit}: more than 38 digits`);
  return { unit, parts: amount as Parts };
}

/** Nothing of a unit. */
export function zero<U extends string>(unit: U): Money<U> {
  return money(unit, 0n);
}

/**
 * Reads the canonical decimal text of an amount (`"0.015"`): digits, at most one point, no sign, exponent, space or
 * group mark, no leading zero. Throws `not_a_decimal`, `too_many_decimals` (excess precision is refused, never
 * rounded) or `too_large`.
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
 * The canonical decimal text of an amount. With `digits` given, trailing zeros behind that many digits are cut
 * (`format(usdt, 2)` → `"979.43"`); without, the unit's whole scale is written (`"979.430000"`). Nothing is rounded.
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

/** a + b. Throws `unit_mismatch`. */
export function add<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  same(a, b);
  return money(a.unit, a.parts + b.parts);
}

/** a − b. Throws `unit_mismatch`, and `negative` where b is larger. */
export function subtract<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  same(a, b);
  return money(a.unit, a.parts - b.parts);
}

/** −1, 0 or 1, as a is smaller than, equal to or larger than b. Throws `unit_mismatch`. */
export function compare(a: Money, b: Money): -1 | 0 | 1 {
  same(a, b);
  return a.parts < b.parts ? -1 : a.parts > b.parts ? 1 : 0;
}

/** Whether there is nothing. */
export function isZero(amount: Money): boolean {
  return amount.parts === 0n;
}

/** The smaller of two amounts of one unit. */
export function smaller<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  return compare(a, b) <= 0 ? a : b;
}

/** The larger of two amounts of one unit. */
export function larger<U extends string>(a: Money<U>, b: Money<U>): Money<U> {
  return compare(a, b) >= 0 ? a : b;
}

/** Division of non-negative integers with the rounding said. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  return rounding === 'up' && quotient * denominator !== numerator ? quotient + 1n : quotient;
}

/** Rounds to `digits` behind the point, e.g. to a currency's pay precision (USDT 2, BTC 8). */
export function roundTo<U extends string>(amount: Money<U>, digits: number, rounding: Rounding): Money<U> {
  const scale = scaleOf(amount.unit);
  if (digits >= scale) return amount;
  const step = pow10(scale - digits);
  return money(amount.unit, divide(amount.parts, step, rounding) * step);
}

/** amount × factor, in the same unit. */
export function scaleBy<U extends string>(amount: Money<U>, factor: Fraction, rounding: Rounding): Money<U> {
  return money(amount.unit, divide(amount.parts * factor.numerator, factor.denominator, rounding));
}

/** Splits a whole by weights ≥ 0 (not all 0) so that nothing is lost: the first parts take what is left over. */
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

/** Integer amounts of another scale (a token with 18 decimals on its chain) as parts of the unit's own scale. */
export function rescale(amount: bigint, fromScale: number, toScale: number, rounding: Rounding): bigint {
  if (fromScale <= toScale) return amount * pow10(toScale - fromScale);
  return divide(amount, pow10(fromScale - toScale), rounding);
}
