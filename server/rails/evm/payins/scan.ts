import type { Scan } from '../../rail.ts';
import { type Chain, balanceCall, coinCall, toParts } from '../chain.ts';
import { count, expect, quantity } from '../client.ts';

/**
 * Asks a node which of our addresses were ever used: something lies there, or a transaction has left from there, as each sweep
 * does. The addresses share one call.
 */
export function evmScan({ client, config, deposit, head }: Chain): Scan {
  const { tokens, native } = config;
  const each = tokens.length + 2;
  return {
    receiving: async (indexes) => {
      // A node of another chain, or one that is behind, says nothing of what was never used.
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
