// The geometry of a chart of bars, in whole numbers: sums of money are no floats in a picture either.

/** Bars in a box of this height, drawn from its bottom. */
export const HEIGHT = 200;
const BANDS = 4n;

/** Bars and what the gridlines mean, from the top: whole units of the currency. */
export interface Bars {
  readonly heights: readonly number[];
  readonly ticks: readonly string[];
}

/** Hundredths of a decimal with two digits behind its point. */
const cents = (amount: string): bigint => {
  const [whole = '0', behind = ''] = amount.split('.');
  return BigInt(whole + behind.padEnd(2, '0').slice(0, 2));
};

/** Heights of sums, under the lowest round top (1, 2 or 5 of some digit, in four bands) that none exceeds. */
export function drawBars(amounts: readonly string[]): Bars {
  const values = amounts.map(cents);
  const most = values.reduce((a, b) => (b > a ? b : a), 1n);
  const step = stepFor(most);
  const top = step * BANDS;
  return {
    heights: values.map((value) => {
      const height = Math.trunc(+String((value * BigInt(HEIGHT)) / top));
      // Little is not nothing.
      return value > 0n ? Math.max(2, height) : 0;
    }),
    ticks: Array.from({ length: 5 }, (_, index) => String((step * (BANDS - BigInt(index))) / 100n)),
  };
}

function stepFor(most: bigint): bigint {
  for (let power = 100n; ; power *= 10n) {
    for (const factor of [1n, 2n, 5n]) if (power * factor * BANDS >= most) return power * factor;
  }
}
