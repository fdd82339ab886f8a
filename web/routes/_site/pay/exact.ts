/** Decimal number as an integer, and its number of decimals. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

function exact(text: string): Exact {
  const [whole = '0', behind = ''] = text.split('.');
  return { digits: BigInt(whole + behind), scale: behind.length };
}

/** Multiplies two decimal texts exactly: `productOf('2.5', '10.30')` → `25.750`. */
export function productOf(one: string, other: string): string {
  const [left, right] = [exact(one), exact(other)];
  const scale = left.scale + right.scale;
  const digits = (left.digits * right.digits).toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * Returns how much of `whole` some parts are together, in whole percent from 0 to 100 as text, rounded down. Amounts are decimal
 * texts.
 */
export function shareOf(parts: readonly string[], whole: string): string {
  const [all, ...own] = [whole, ...parts].map(exact) as [Exact, ...Exact[]];
  const scale = Math.max(all.scale, ...own.map((one) => one.scale));
  const aligned = ({ digits, scale: has }: Exact): bigint => digits * 10n ** BigInt(scale - has);
  const total = aligned(all);
  const sum = own.map(aligned).reduce((one, other) => one + other, 0n);
  if (total === 0n) return '0';
  return sum >= total ? '100' : ((sum * 100n) / total).toString();
}
