// Heights of bars, computed in whole numbers: amounts are never floats, not even in a picture.

const DIGITS = 18;

const wholeOf = (amount: string): bigint => {
  if (amount.startsWith('-')) return 0n;
  const [whole = '0', behind = ''] = amount.split('.');
  return BigInt(whole + behind.padEnd(DIGITS, '0'));
};

/** Returns the heights of bars in percent of the highest. Any sum above zero has 2 at least; a sum below zero has none. */
export function barHeights(amounts: readonly string[]): number[] {
  const values = amounts.map(wholeOf);
  const max = values.reduce((a, b) => (b > a ? b : a), 0n);
  return values.map((value) => {
    if (value === 0n) return 0;
    return Math.max(2, Number.parseInt(String((value * 100n) / max), 10));
  });
}
