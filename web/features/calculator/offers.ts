import type { Direction } from './price-breakdown.ts';

/**
 * Directions as a table. Each row is a text and stands for a currency to send. Each character of the text stands for a currency
 * to receive, and says if that direction is open, closed or not offered.
 */
export interface OtherPairs {
  /** Codes of the currencies, in the order of rows and of characters. */
  readonly codes: readonly string[];
  readonly rows: readonly string[];
}

const OPEN = 'o';
const CLOSED = 'x';
const NONE = '.';

/**
 * Packs directions whose price the page doesn't need yet into a small table. Unpacked, a hundred directions would be most of the
 * page.
 */
export function packPairs(directions: readonly Direction[]): OtherPairs {
  const codes = [...new Set(directions.flatMap(({ from, to }) => [from, to]))];
  const places = new Map(codes.map((code, at) => [code, at]));
  const rows = codes.map(() => codes.map(() => NONE));
  for (const { from, to, open } of directions) {
    (rows[places.get(from) ?? 0] as string[])[places.get(to) ?? 0] = open ? OPEN : CLOSED;
  }
  return { codes, rows: rows.map((row) => row.join('')) };
}

/** Unpacks the directions of a table. They have no price and no limits; the browser requests them later. */
export function unpackPairs({ codes, rows }: OtherPairs): Direction[] {
  return rows.flatMap((row, at) =>
    [...row].flatMap((mark, column) => {
      if (mark === NONE) return [];
      const pair = { from: codes[at] as string, to: codes[column] as string };
      return [{ ...pair, slug: '', open: mark === OPEN, fee_percent: '', min: '', max: '', reserve: '' }];
    }),
  );
}

/** True if a direction has its price and limits. */
export const isPriced = ({ min }: Direction): boolean => min !== '';
