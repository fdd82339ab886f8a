import type { Scan, UsedAddress } from '../rail.ts';
import { type Chain, coinOf, tokensOf } from './chain.ts';
import { each } from './client.ts';

/**
 * Returns the scan for our addresses that were ever used. Incoming TRX and sweeps create an account on the chain. A payment of
 * tokens creates none, so a token balance counts too. Throws `Unreachable`.
 */
export function tronScan({ client, config, deposit, head }: Chain): Scan {
  return {
    receiving: async (indexes) => {
      await head();
      const found = await each(indexes, async (index): Promise<UsedAddress[]> => {
        const to = deposit(index);
        const coin = await coinOf(client, 'wallet', to);
        const tokens = await each(config.tokens, (token) => tokensOf(client, 'wallet', token, to));
        const holds = [
          ...config.tokens.map(({ code }, at) => ({ currency: code, parts: tokens[at] ?? 0n })),
          { currency: config.coin.code, parts: coin ?? 0n },
        ].filter(({ parts }) => parts > 0n);
        return coin !== undefined || holds.length > 0 ? [{ index, to, holds }] : [];
      });
      return found.flat();
    },
  };
}
