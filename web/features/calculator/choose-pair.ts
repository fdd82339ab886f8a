import type { Direction, Side } from './price-breakdown.ts';

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/** The direction of a pair, whether it is open or not. */
export function directionOf(directions: readonly Direction[], { from, to }: Pair): Direction | undefined {
  return directions.find((direction) => direction.from === from && direction.to === to);
}

/**
 * The pair after a currency was picked on one side: the other side stays where that is a direction, turns around where
 * the same currency was picked, and else goes to the first direction, open ones first.
 */
export function pairWith(directions: readonly Direction[], pair: Pair, side: Side, picked: string): Pair {
  const kept = side === 'give' ? { from: picked, to: pair.to } : { from: pair.from, to: picked };
  if (directionOf(directions, kept)) return kept;
  const turned = { from: pair.to, to: pair.from };
  if ((side === 'give' ? turned.from : turned.to) === picked && directionOf(directions, turned)) return turned;
  const others = directions.filter((direction) => (side === 'give' ? direction.from : direction.to) === picked);
  const first = others.find(({ open }) => open) ?? others[0];
  return first ? { from: first.from, to: first.to } : pair;
}

/** Currencies that a side can have, and whether any open direction has them there. */
export function choicesOf(directions: readonly Direction[], side: Side): { code: string; open: boolean }[] {
  const open = new Map<string, boolean>();
  for (const direction of directions) {
    const code = side === 'give' ? direction.from : direction.to;
    open.set(code, direction.open || open.get(code) === true);
  }
  return [...open].map(([code, isOpen]) => ({ code, open: isOpen }));
}
