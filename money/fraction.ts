const POWERS = /* @__PURE__ */ Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** Returns 10 to the power of a whole exponent ≥ 0. */
export const pow10 = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** An exact non-negative fraction. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/**
 * Returns numerator ÷ denominator in lowest terms. Throws a RangeError if the result is below zero or the denominator is zero.
 */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('A fraction is non-negative over positive');
  const divisor = gcd(numerator, denominator);
  return divisor === 1n || divisor === 0n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
}

const DECIMAL = /^(0|[1-9][0-9]{0,29})(?:\.([0-9]{1,30}))?$/;

/** Parses a plain decimal (`"93196.64"`) exactly. Throws a RangeError for anything else. */
export function decimal(text: string): Fraction {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`Not a plain decimal: ${text.slice(0, 40)}`);
  const behind = match[2] ?? '';
  return fraction(BigInt(match[1] + behind), pow10(behind.length));
}

/** Writes a fraction as a plain decimal with at least `digits` decimals. Throws a RangeError if the decimal never ends. */
export function decimalText({ numerator, denominator }: Fraction, digits = 0): string {
  let scale = 0;
  while ((numerator * pow10(scale)) % denominator !== 0n) {
    scale += 1;
    if (scale > 60) throw new RangeError('This fraction does not end: cut it first');
  }
  scale = Math.max(scale, digits);
  const text = ((numerator * pow10(scale)) / denominator).toString().padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`;
}

/** Cache of the texts of shares in percent. All prices use the same few shares. */
const percents = /* @__PURE__ */ new WeakMap<Fraction, string>();

/** Writes a share as percent in plain decimals (3/200 → `"1.5"`). Throws a RangeError if the decimal never ends. */
export function percentText(share: Fraction): string {
  const known = percents.get(share);
  if (known !== undefined) return known;
  const text = decimalText(fraction(share.numerator * 100n, share.denominator));
  percents.set(share, text);
  return text;
}

/** Parses percent (`"1.5"` → 3/200). */
export function percent(text: string): Fraction {
  const value = decimal(text);
  return fraction(value.numerator, value.denominator * 100n);
}
