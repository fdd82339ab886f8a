// Geometry of a bar chart. It uses whole numbers, since amounts are never floats, not even in a picture.

/** Height of the chart's box. */
export const HEIGHT = 200;
const BANDS = 4n;

/** Heights of the bars, and labels of the gridlines from the top in whole units of the currency. */
export interface Bars {
  readonly heights: readonly number[];
  readonly ticks: readonly string[];
}

/** Converts a decimal with two digits after the point to hundredths. */
const cents = (amount: string): bigint => {
  const [whole = '0', behind = ''] = amount.split('.');
  return BigInt(whole + behind.padEnd(2, '0').slice(0, 2));
};

/**
 * Computes the bars. Four bands divide the chart; each spans 1, 2 or 5 times a power of ten, the smallest that fits all amounts.
 */
export function drawBars(amounts: readonly string[]): Bars {
  const values = amounts.map(cents);
  const max = values.reduce((a, b) => (b > a ? b : a), 1n);
  const step = stepFor(max);
  const top = step * BANDS;
  return {
    heights: values.map((value) => {
      const height = Math.trunc(+String((value * BigInt(HEIGHT)) / top));
      // A small amount stays visible.
      return value > 0n ? Math.max(2, height) : 0;
    }),
    ticks: Array.from({ length: 5 }, (_, index) => String((step * (BANDS - BigInt(index))) / 100n)),
  };
}

function stepFor(max: bigint): bigint {
  for (let power = 100n; ; power *= 10n) {
    for (const factor of [1n, 2n, 5n]) if (power * factor * BANDS >= max) return power * factor;
  }
}
