import { type Deposits, openDeposits as openAll } from '../account-chain/deposits.ts';
import { type Chain, coinOf, tokensOf } from './chain.ts';
import { each, eachApart } from './client.ts';

/** Opens the balances of our deposit addresses. Each address takes separate calls, so only a few are read again per poll. */
export function openDeposits({ client, config, deposit }: Chain): Deposits {
  return openAll({
    tokens: config.tokens.map(({ code }) => code),
    coin: config.coin.code,
    isCoinOurs: true,
    again: { open: 2, left: 1 },
    read: (indexes) =>
      eachApart(config.id, 'a balance of an address', indexes, async (index) => {
        const address = deposit(index);
        const coin = (await coinOf(client, 'wallet', address)) ?? 0n;
        const tokens = await each(config.tokens, (token) => tokensOf(client, 'wallet', token, address));
        return { index, tokens, coin };
      }),
  });
}
