import { type Deposits, openDeposits as openAll } from '../../account-chain/deposits.ts';
import { readEach } from '../../odd.ts';
import { type Chain, balanceCall, coinCall, toParts } from '../chain.ts';
import { expect, quantity } from '../client.ts';

/** Returns the balances of a chain's deposit addresses. One request reads many addresses. */
export function openDeposits({ client, config, deposit }: Chain): Deposits {
  const { id, tokens, native, coin } = config;
  return openAll({
    tokens: tokens.map(({ code }) => code),
    coin: native,
    isCoinOurs: coin !== undefined,
    again: { open: 100, left: 20 },
    read: async (indexes) => {
      const calls = indexes.map((index) => [
        ...tokens.map((token) => balanceCall(token.contract, deposit(index))),
        coinCall(deposit(index)),
      ]);
      const held = await client.batch(calls.flat());
      const each = tokens.length + 1;
      return readEach(id, 'what lies at a place', [...indexes.entries()], ([at, index]) => ({
        index,
        tokens: tokens.map((token, of) => toParts(token, quantity(expect(held[at * each + of])))),
        coin: quantity(expect(held[at * each + tokens.length])),
      }));
    },
  });
}
