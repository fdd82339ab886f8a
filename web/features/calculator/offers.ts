import type { Direction } from './price-breakdown.ts';

/** Directions as a table: a row for each currency that is given, in it a mark for each that may be got. */
export interface OtherPairs {
  /** The currencies, as they stand in rows and columns. */
  readonly codes: readonly string[];
  readonly rows: readonly string[];
}

const OPEN = 'o';
const CLOSED = 'x';
const NONE = '.';

/** Packs directions that a page need not know the price of yet: with a hundred of them it would be most of the page. */
export function packPairs(directions: readonly Direction[]): OtherPairs {
  const codes = [...new Set(directions.flatMap(({ from, to }) => [from, to]))];
  const places = new Map(codes.map((code, at) => [code, at]));
  const rows = codes.map(() => codes.map(() => NONE));
  for (const { from, to, open } of directions) {
    (rows[places.get(from) ?? 0] as string[])[places.get(to) ?? 0] = open ? OPEN : CLOSED;
  }
  return { codes, rows: rows.map((row) => row.join('')) };
}

/** The directions of packed pairs: without a price until the browser has asked for it. */
export function unpackPairs({ codes, rows }: OtherPairs): Direction[] {
  return rows.flatMap((row, at) =>
    [...row].flatMap((mark, column) => {
      if (mark === NONE) return [];
      const pair = { from: codes[at] as string, to: codes[column] as string };
      return [{ ...pair, slug: '', open: mark === OPEN, fee_percent: '', min: '', max: '', reserve: '' }];
    }),
  );
}

/** Whether a direction's price and limits are there. */
export const isPriced = ({ min }: Direction): boolean => min !== '';
