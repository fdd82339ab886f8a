import type { Scan, UsedAddress } from '../rail.ts';
import { type Chain, coinOf, tokensOf } from './chain.ts';
import { each } from './client.ts';

/**
 * Asks a node which of our addresses were ever used: the chain has an account of it, which each TRX that comes and each sweep
 * makes, or a token lies there, which makes none.
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
