import type { Direction } from './slip.ts';

/** Directions by the currency given, each as the currency got; a minus stands before one that is closed. */
export type OtherPairs = Readonly<Record<string, readonly string[]>>;

const CLOSED = '-';

/** Packs directions that a page need not know the price of yet: with a hundred of them it would be most of the page. */
export function packPairs(directions: readonly Direction[]): OtherPairs {
  const packed: Record<string, string[]> = {};
  for (const { from, to, open } of directions) (packed[from] ??= []).push(open ? to : CLOSED + to);
  return packed;
}

/** The directions of packed pairs: without a price until the browser has asked for it. */
export function unpackPairs(packed: OtherPairs): Direction[] {
  return Object.entries(packed).flatMap(([from, targets]) =>
    targets.map((target) => ({
      from,
      to: target.replace(CLOSED, ''),
      slug: '',
      open: !target.startsWith(CLOSED),
      fee_percent: '',
      min: '',
      max: '',
      reserve: '',
    })),
  );
}

/** Whether a direction's price and limits are there. */
export const isPriced = ({ min }: Direction): boolean => min !== '';
