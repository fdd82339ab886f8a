import type { Scan } from '../../rail.ts';
import { type Chain, balanceCall, coinCall, toParts } from '../chain.ts';
import { count, expect, quantity } from '../client.ts';

/**
 * Returns the scan for used addresses of ours: those with a balance, or with a sent transaction, such as a sweep. One request reads
 * all given addresses.
 */
export function evmScan({ client, config, deposit, head }: Chain): Scan {
  const { tokens, native } = config;
  const each = tokens.length + 2;
  return {
    receiving: async (indexes) => {
      // Throws for a node that is behind or of another chain: its answers don't prove that an address was never used.
      await head();
      const answers = await client.batch(
        indexes.flatMap((index) => [
          { method: 'eth_getTransactionCount', params: [deposit(index), 'latest'] },
          coinCall(deposit(index)),
          ...tokens.map((token) => balanceCall(token.contract, deposit(index))),
        ]),
      );
      return indexes.flatMap((index, at) => {
        const [sent, coin, ...held] = answers.slice(at * each, (at + 1) * each).map((answer) => expect(answer));
        const holds = [
          ...tokens.map((token, of) => ({ currency: token.code, parts: toParts(token, quantity(held[of])) })),
          { currency: native, parts: quantity(coin) },
        ].filter(({ parts }) => parts > 0n);
        return count(sent) > 0 || holds.length > 0 ? [{ index, to: deposit(index), holds }] : [];
      });
    },
  };
}
