// Simulations in which the order machine is explored exhaustively.

import type { Bounds, Start } from './order-world.testing.ts';

/** Initial situations of an order. */
export const STARTS: readonly Start[] = [
  { kind: 'order', hasRoute: true, askMe: false },
  { kind: 'order', hasRoute: false, askMe: false },
  { kind: 'order', hasRoute: true, askMe: true },
  { kind: 'unallocated', hasRoute: true, askMe: false },
  { kind: 'unallocated', hasRoute: false, askMe: false },
];

type Explored = Bounds & { readonly starts: readonly Start[] };

/** All simulations. Of 20 due, 16 is just enough, 20 exact, 16 + 6 within the tolerance, and 6 too little. */
export const WORLDS: readonly Explored[] = [
  { rails: 3, starts: STARTS.slice(0, 1), sizes: [20n], pays: 2, reversals: 1, wins: 1, returns: 0, retries: 0 },
  { rails: 3, starts: STARTS, sizes: [16n], pays: 1, reversals: 1, wins: 1, returns: 1, retries: 2 },
  { rails: 3, starts: STARTS, sizes: [16n, 6n], pays: 2, reversals: 0, wins: 0, returns: 0, retries: 0 },
  { rails: 3, starts: STARTS.slice(0, 1), sizes: [20n], pays: 2, reversals: 2, wins: 0, returns: 0, retries: 0 },
  { rails: 3, starts: STARTS, sizes: [20n], pays: 1, hasPapers: true, reversals: 1, wins: 0, returns: 0, retries: 0 },
  { rails: 3, starts: STARTS.slice(0, 1), sizes: [20n], part: 7n, pays: 1, reversals: 2, wins: 1, returns: 0, retries: 0 },
  { rails: 3, starts: STARTS.slice(0, 1), sizes: [20n], hasDebts: true, pays: 1, reversals: 1, wins: 1, returns: 0, retries: 0 },
];

/** Simulations for a quick run: each kind of start, of payment and of reversal occurs once. */
export const QUICK_WORLDS: readonly Explored[] = [
  { starts: STARTS, sizes: [16n], pays: 1, reversals: 1, wins: 0, returns: 0, retries: 0 },
  { starts: STARTS.slice(0, 1), sizes: [16n], pays: 1, reversals: 1, wins: 1, returns: 1, retries: 1 },
  { starts: STARTS, sizes: [6n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
  { starts: STARTS, sizes: [20n], pays: 1, hasPapers: true, reversals: 1, wins: 0, returns: 0, retries: 0 },
  { starts: STARTS.slice(0, 1), sizes: [20n], part: 7n, pays: 1, reversals: 1, wins: 1, returns: 0, retries: 0 },
  { starts: STARTS.slice(0, 1), sizes: [20n], hasDebts: true, pays: 1, reversals: 1, wins: 1, returns: 0, retries: 0 },
];

/** Describes a simulation in words. */
export function worldWords({ pays, sizes, reversals, part, returns, hasPapers, hasDebts }: Explored): string {
  const reversed = `${reversals} reversed${part ? ` or ${part} of it` : ''}`;
  return `${pays} payments of ${sizes.join(' or ')}, ${reversed}, ${returns} returned${hasPapers ? ', papers' : ''}${hasDebts ? ', debts' : ''}`;
}
