import type { RailBalance, WalletState } from '../rail.ts';
import { type Chain, balanceCall, toParts } from './chain.ts';
import { expect, quantity } from './client.ts';

/** Places that one reading asks about again, the one asked longest ago first; the others are as they were. */
const AGAIN = 100;

/** What lies at the deposit places, not yet swept. It remembers what it read of each. */
export interface Deposits {
  /** The sum at the places that payments names, per token. */
  balances(state: WalletState): Promise<RailBalance[]>;
}

/** The deposits of a chain. New places are asked about at once, known ones in turn, so that a reading stays small. */
export function openDeposits(chain: Chain): Deposits {
  const { tokens } = chain.config;
  /** By index: what lies there, of each token. */
  const known = new Map<number, readonly bigint[]>();
  const read = async (indexes: readonly number[]): Promise<void> => {
    const asked = indexes.flatMap((index) => tokens.map((token) => balanceCall(token.contract, chain.deposit(index))));
    const held = await chain.client.batch(asked);
    for (const [at, index] of indexes.entries()) {
      known.delete(index);
      known.set(
        index,
        tokens.map((token, of) => toParts(token, quantity(expect(held[at * tokens.length + of])))),
      );
    }
  };
  return {
    balances: async ({ indexes }) => {
      const named = new Set(indexes);
      for (const index of known.keys()) if (!named.has(index)) known.delete(index);
      const again = [...known.keys().take(AGAIN)];
      const fresh = [...named].filter((index) => !known.has(index));
      // Group by group, so that what was read is kept when a later answer doesn't come.
      for (let from = 0; from < fresh.length; from += AGAIN) await read(fresh.slice(from, from + AGAIN));
      await read(again);
      return tokens.map(({ code }, of) => {
        const parts = [...known.values()].reduce((sum, held) => sum + (held[of] ?? 0n), 0n);
        return { currency: code, place: 'deposit', parts, payable: 0n };
      });
    },
  };
}
