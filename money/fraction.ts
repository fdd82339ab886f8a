const POWERS = /* @__PURE__ */ Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10 to a whole power of 0 or more. */
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

/** numerator ÷ denominator in lowest terms. Throws a RangeError below zero or for a denominator of zero. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('A fraction is non-negative over positive');
  const divisor = gcd(numerator, denominator);
  return divisor === 1n || divisor === 0n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
}

const DECIMAL = /^(0|[1-9][0-9]{0,29})(?:\.([0-9]{1,30}))?$/;

/** Reads a plain decimal (`"93196.64"`) exactly. Throws a RangeError for anything else. */
export function decimal(text: string): Fraction {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`Not a plain decimal: ${text.slice(0, 40)}`);
  const behind = match[2] ?? '';
  return fraction(BigInt(match[1] + behind), pow10(behind.length));
}

/** Reads percent (`"1.5"` → 3/200). */
export function percent(text: string): Fraction {
  const value = decimal(text);
  return fraction(value.numerator, value.denominator * 100n);
}
