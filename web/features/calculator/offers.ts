import type { Direction } from './price-breakdown.ts';

/** Directions as a table: a row per sent currency, in which each character stands for a received currency. */
export interface OtherPairs {
  /** Currencies in the order of rows and columns. */
  readonly codes: readonly string[];
  readonly rows: readonly string[];
}

const OPEN = 'o';
const CLOSED = 'x';
const NONE = '.';

/** Packs directions whose price a page does not need yet. With a hundred directions they would be most of the page. */
export function packPairs(directions: readonly Direction[]): OtherPairs {
  const codes = [...new Set(directions.flatMap(({ from, to }) => [from, to]))];
  const places = new Map(codes.map((code, at) => [code, at]));
  const rows = codes.map(() => codes.map(() => NONE));
  for (const { from, to, open } of directions) {
    (rows[places.get(from) ?? 0] as string[])[places.get(to) ?? 0] = open ? OPEN : CLOSED;
  }
  return { codes, rows: rows.map((row) => row.join('')) };
}

/** Returns the directions of packed pairs. They have no price until the browser has requested it. */
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
