// Geometry of a bar chart, computed in whole numbers: amounts are never floats, not even in a picture.

/** Height of the chart's box, in the units of the SVG drawing. */
export const HEIGHT = 200;
const BANDS = 4n;

/**
 * Bar chart. `heights` are the heights of the bars. `ticks` are the labels of the gridlines from the top, in whole units of the
 * currency.
 */
export interface Bars {
  readonly heights: readonly number[];
  readonly ticks: readonly string[];
}

/** Converts a decimal amount to hundredths. Further digits are cut off. */
const cents = (amount: string): bigint => {
  const [whole = '0', behind = ''] = amount.split('.');
  return BigInt(whole + behind.padEnd(2, '0').slice(0, 2));
};

/**
 * Computes a bar chart. Gridlines divide it into four bands. A band spans 1, 2 or 5 times a power of ten, the smallest such step
 * at which all amounts fit.
 */
export function drawBars(amounts: readonly string[]): Bars {
  const values = amounts.map(cents);
  const max = values.reduce((a, b) => (b > a ? b : a), 1n);
  const step = stepFor(max);
  const top = step * BANDS;
  return {
    heights: values.map((value) => {
      const height = Math.trunc(+String((value * BigInt(HEIGHT)) / top));
      // A small amount gets a visible bar, too.
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
