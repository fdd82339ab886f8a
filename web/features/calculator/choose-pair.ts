import type { Direction, Side } from './price-breakdown.ts';

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/** Returns the direction of a pair, open or closed; undefined if there is none. */
export function directionOf(directions: readonly Direction[], { from, to }: Pair): Direction | undefined {
  return directions.find((direction) => direction.from === from && direction.to === to);
}

/**
 * Returns the pair after a currency was picked on one side. The other side is unchanged if the two currencies form a direction.
 * Picking the currency of the other side swaps both sides. Otherwise returns the first direction with the picked currency,
 * preferably an open one.
 */
export function pairWith(directions: readonly Direction[], pair: Pair, side: Side, picked: string): Pair {
  const stored = side === 'give' ? { from: picked, to: pair.to } : { from: pair.from, to: picked };
  if (directionOf(directions, stored)) return stored;
  const turned = { from: pair.to, to: pair.from };
  if ((side === 'give' ? turned.from : turned.to) === picked && directionOf(directions, turned)) return turned;
  const others = directions.filter((direction) => (side === 'give' ? direction.from : direction.to) === picked);
  const first = others.find(({ open }) => open) ?? others[0];
  return first ? { from: first.from, to: first.to } : pair;
}

/** Returns the currencies that can be picked on one side. `isOpen` is true if the currency has an open direction on that side. */
export function choicesOf(directions: readonly Direction[], side: Side): { code: string; isOpen: boolean }[] {
  const open = new Map<string, boolean>();
  for (const direction of directions) {
    const code = side === 'give' ? direction.from : direction.to;
    open.set(code, direction.open || open.get(code) === true);
  }
  return [...open].map(([code, isOpen]) => ({ code, isOpen: isOpen }));
}
