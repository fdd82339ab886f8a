// Bounded worlds in which invoices are explored. For tests.

import type { Bounds, Size } from './exploration.testing.ts';
import type { Coin, Start } from './invoice-terms.testing.ts';

/** Invoice of 100 USD without tolerance, of a desk that can reserve everything. */
export const PLAIN: Start = { amount: 10_000n, tolerance: 0, isBorneByStore: false, free: 1_000n };
export const POOR: Start = { ...PLAIN, free: 60n };
/** The store takes litecoin, which arrives at addresses of bitcoin. */
const LITECOIN: Start = { ...PLAIN, hasLitecoin: true };
const TOP_UP: Start = { ...PLAIN, amount: undefined };
/** The store bears the spread, and a hundredth may be missing. */
const GENEROUS: Start = { ...PLAIN, tolerance: 100, isBorneByStore: true };

const of = (coin: Coin, ...usd: bigint[]): Size[] => usd.map((one) => ({ coin, usd: one }));

/** Half of the amount with its spread, the whole, and twice the whole; less than the smallest payment; the least with a tolerance. */
export const [HALF, WHOLE, DOUBLE, DUST, NEARLY] = [51n, 102n, 204n, 3n, 99n];

/** Worlds of the quick run: each event occurs in one of them, and each row of the table fires. */
export const QUICK: readonly Bounds[] = [
  { starts: [PLAIN], sizes: of('BTC', HALF, WHOLE), pays: 2, drops: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 3 },
  { starts: [PLAIN], sizes: of('BTC', WHOLE), pays: 2, reversals: 1, backs: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, flags: 1, reversals: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, confirms: 1 },
  { starts: [PLAIN], sizes: [...of('LTC', HALF), ...of('USDT', 50n)], pays: 2, choices: 1 },
  { starts: [PLAIN], sizes: of('BTC', DOUBLE), pays: 1, reversals: 2, backs: 2, part: 40n, moves: 1 },
  { starts: [{ ...POOR, isClosed: true }], sizes: of('BTC', HALF), pays: 3, closings: 1 },
  { starts: [GENEROUS], sizes: of('BTC', NEARLY, DUST), pays: 2, reversals: 1, moves: 1 },
  { starts: [TOP_UP], sizes: of('BTC', HALF), pays: 2, reversals: 1, closings: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, decisions: 1, closings: 2, moves: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, decisions: 1, reversals: 1, backs: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, flags: 1, desk: 2 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 1, flags: 1, desk: 2, decisions: 1, reversals: 1 },
  { starts: [PLAIN], sizes: of('BTC', WHOLE), pays: 1, flags: 1, desk: 1, reversals: 1, backs: 1, part: 40n, moves: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 2, marks: 2, decisions: 1 },
  { starts: [LITECOIN], sizes: of('LTC', HALF, DOUBLE), pays: 2, closings: 1, decisions: 1 },
];

/** Worlds of the full run. */
export const WIDE: readonly Bounds[] = [
  ...[PLAIN, POOR, GENEROUS].map((start) => ({ starts: [start], sizes: of('BTC', HALF), pays: 3, drops: 1 })),
  ...[PLAIN, POOR].map((start) => ({ starts: [start], sizes: of('BTC', HALF, WHOLE), pays: 3 })),
  { starts: [PLAIN], sizes: of('BTC', HALF, DOUBLE), pays: 2, choices: 1, reversals: 1, backs: 1, part: 20n },
  ...[TOP_UP, GENEROUS, POOR].map((start) => ({
    ...{ starts: [start], sizes: of('BTC', HALF, NEARLY, DUST), pays: 2, drops: 1, reversals: 1, backs: 1, moves: 1 },
  })),
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 3, flags: 1, reversals: 1 },
  { starts: [PLAIN], sizes: of('USDT', 50n), pays: 3, choices: 1, drops: 1 },
  { starts: [POOR], sizes: of('BTC', HALF, DOUBLE), pays: 2, closings: 2, flags: 1, confirms: 1 },
  { starts: [PLAIN], sizes: of('BTC', HALF), pays: 3, decisions: 2 },
  { starts: [GENEROUS], sizes: of('BTC', HALF, DOUBLE), pays: 2, decisions: 2, reversals: 2, backs: 1, moves: 1 },
  { starts: [POOR], sizes: [...of('BTC', HALF), ...of('USDT', 50n)], pays: 2, decisions: 2, choices: 1, closings: 1 },
  { starts: [GENEROUS], sizes: of('BTC', HALF, DOUBLE), pays: 2, flags: 1, desk: 2, decisions: 1, closings: 1 },
  { starts: [TOP_UP], sizes: of('BTC', HALF), pays: 2, flags: 2, desk: 2, reversals: 1, backs: 1, moves: 1 },
  { starts: [POOR], sizes: of('BTC', HALF), pays: 3, marks: 2, decisions: 1 },
  { starts: [{ ...LITECOIN, free: 60n }], sizes: of('LTC', HALF, DUST), pays: 2, flags: 1, desk: 1, closings: 1, decisions: 1 },
];

/** Describes a world in words. */
export function worldWords({ starts, sizes, pays, ...more }: Bounds): string {
  const kinds = starts.map(
    ({ amount, free, isBorneByStore }) =>
      `${amount === undefined ? 'a top-up' : '100 USD'}${isBorneByStore ? ', the store bears costs' : ''}${free === POOR.free ? ', little to reserve' : ''}`,
  );
  const rest = Object.entries(more).map(([name, times]) => `${name} ${times}`);
  return [kinds.join('; '), `${pays} payments of ${sizes.map(({ usd, coin }) => `${usd} ${coin}`).join(' or ')}`, ...rest].join(
    ', ',
  );
}
