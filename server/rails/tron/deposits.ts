import type { RailBalance, WalletState } from '../rail.ts';
import { type Chain, coinOf, tokensOf } from './chain.ts';
import { each, eachApart } from './client.ts';

/** Places that one reading asks about again, the one asked longest ago first; the others are as they were. */
const AGAIN = 2;

/** What lies at the deposit places, not yet swept. It remembers what it read of each. */
export interface Deposits {
  /** The sum at the places that payments names, per token, and of the TRX there. */
  balances(state: WalletState): Promise<RailBalance[]>;
}

interface Known {
  readonly tokens: readonly bigint[];
  readonly coin: bigint;
  /** Whether it was among those that may hold money when it was read. */
  readonly isOpen: boolean;
}

/** The deposits of the chain. New places, and those just swept, are asked about at once; the others in turn. */
export function openDeposits(chain: Chain): Deposits {
  const { client, config } = chain;
  const known = new Map<number, Known>();
  return {
    balances: async ({ indexes, fuelled = [] }) => {
      const open = new Set(indexes);
      const named = [...new Set([...indexes, ...fuelled])];
      for (const index of known.keys()) if (!named.includes(index)) known.delete(index);
      const fresh = named.filter((index) => known.get(index)?.isOpen !== open.has(index));
      const again = [...known.keys()].filter((index) => !fresh.includes(index)).slice(0, AGAIN);
      await eachApart(config.id, 'what lies at a place', [...fresh, ...again], async (index) => {
        const place = chain.deposit(index);
        const coin = (await coinOf(client, 'wallet', place)) ?? 0n;
        const tokens = await each(config.tokens, (token) => tokensOf(client, 'wallet', token, place));
        known.delete(index);
        known.set(index, { tokens, coin, isOpen: open.has(index) });
      });
      const sum = (of: (one: Known) => bigint): bigint => [...known.values()].reduce((all, one) => all + of(one), 0n);
      const deposit = (currency: string, parts: bigint): RailBalance => ({ currency, place: 'deposit', parts, payable: 0n });
      return [
        ...config.tokens.map(({ code }, at) => deposit(code, sum(({ tokens }) => tokens[at] ?? 0n))),
        deposit(config.coin.code, sum(({ coin }) => coin)),
      ]; // prettier-ignore
    },
  };
}
