import { readEach } from '../odd.ts';
import type { RailBalance, WalletState } from '../rail.ts';
import { type Chain, balanceCall, coinCall, toParts } from './chain.ts';
import { expect, quantity } from './client.ts';

/** Places that one reading asks about again, the one asked longest ago first; the others are as they were. */
const AGAIN = 100;
/** And of those that only the gas of former sweeps lies at. */
const LEFT_AGAIN = 20;

/** What lies at the deposit places, not yet swept. It remembers what it read of each. */
export interface Deposits {
  /** The sum at the places that payments names, per token, and of the gas at those that some was sent to. */
  balances(state: WalletState): Promise<RailBalance[]>;
}

interface Known {
  readonly tokens: readonly bigint[];
  readonly gas: bigint;
  /** Whether it was among those that may hold tokens when it was read. */
  readonly isOpen: boolean;
}

/**
 * The deposits of a chain. New places are asked about at once, and so is one that was swept; known ones in turn, so that
 * a reading stays small. Where the coin is no currency, coins at a place that we sent none to are a stranger's.
 */
export function openDeposits(chain: Chain): Deposits {
  const { tokens, native, coin } = chain.config;
  /** By index: what lies there. */
  const known = new Map<number, Known>();
  const read = async (indexes: readonly number[], open: ReadonlySet<number>): Promise<void> => {
    const calls = indexes.map((index) => [
      ...tokens.map((token) => balanceCall(token.contract, chain.deposit(index))),
      coinCall(chain.deposit(index)),
    ]);
    const held = await chain.client.batch(calls.flat());
    const each = tokens.length + 1;
    const found = readEach(chain.config.id, 'what lies at a place', [...indexes.entries()], ([at, index]) => ({
      index,
      tokens: tokens.map((token, of) => toParts(token, quantity(expect(held[at * each + of])))),
      gas: quantity(expect(held[at * each + tokens.length])),
    }));
    // Where the node's answer can't be, what is known stays and it is asked again at once.
    for (const { index, ...one } of found) {
      known.delete(index);
      known.set(index, { ...one, isOpen: open.has(index) });
    }
  };
  return {
    balances: async ({ indexes, fuelled = [] }) => {
      const open = new Set(indexes);
      const named = new Set([...indexes, ...fuelled]);
      for (const index of known.keys()) if (!named.has(index)) known.delete(index);
      const before = [...known];
      const again = [
        ...before.filter(([, { isOpen }]) => isOpen).slice(0, AGAIN),
        ...before.filter(([, { isOpen }]) => !isOpen).slice(0, LEFT_AGAIN),
      ].map(([index]) => index);
      const fresh = [...named].filter((index) => known.get(index)?.isOpen !== open.has(index));
      // Group by group, so that what was read is kept when a later answer doesn't come.
      for (let from = 0; from < fresh.length; from += AGAIN) await read(fresh.slice(from, from + AGAIN), open);
      const isFresh = new Set(fresh);
      await read(
        again.filter((index) => !isFresh.has(index)),
        open,
      );
      const sumOf = (partsOf: (one: Known) => bigint, of: Iterable<number>): bigint =>
        [...of].reduce((sum, index) => sum + (known.has(index) ? partsOf(known.get(index) as Known) : 0n), 0n);
      const deposit = (currency: string, parts: bigint): RailBalance => ({ currency, place: 'deposit', parts, payable: 0n });
      return [
        ...tokens.map(({ code }, at) =>
          deposit(
            code,
            sumOf((one) => one.tokens[at] ?? 0n, named),
          ),
        ),
        deposit(
          native,
          sumOf(({ gas }) => gas, coin ? named : new Set(fuelled)),
        ),
      ];
    },
  };
}
