import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import { openDeposits } from './deposits.ts';

/** Returns addresses of one token; `requests` has the indexes of each reading. */
function world({ isCoinOurs = true } = {}) {
  const tokens = new Map<number, bigint>();
  const coin = new Map<number, bigint>();
  const unread = new Set<number>();
  const requests: number[][] = [];
  const deposits = openDeposits({
    tokens: ['USDT'],
    coin: 'TRX',
    isCoinOurs,
    again: { open: 2, left: 1 },
    read: async (indexes) => {
      requests.push([...indexes]);
      return indexes
        .filter((index) => !unread.has(index))
        .map((index) => ({ index, tokens: [tokens.get(index) ?? 0n], coin: coin.get(index) ?? 0n }));
    },
  });
  const poll = async (indexes: readonly number[], fuelled: readonly number[] = []): Promise<bigint[]> => {
    requests.length = 0;
    return (await deposits.balances({ indexes, fuelled } as unknown as WalletState)).map(({ parts }) => parts);
  };
  return { tokens, coin, unread, requests, poll };
}

it('reads new addresses at once and known ones in turn, open ones and those with former fuel separately', async () => {
  const { requests, poll } = world();
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[1, 2, 3, 4, 8, 9]]);
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[1, 2, 8]]);
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[3, 4, 9]]);
});

it('reads a swept address at once', async () => {
  const { requests, poll } = world();
  await poll([1, 2, 3]);
  await poll([1, 2], [3]);
  assert.deepEqual(requests, [[3], [1, 2]]);
});

it('keeps the last balances of an address with an impossible answer, and reads a new one again', async () => {
  const { tokens, unread, poll } = world();
  tokens.set(1, 5n).set(2, 7n);
  assert.deepEqual(await poll([1]), [5n, 0n]);
  unread.add(1).add(2);
  assert.deepEqual(await poll([1, 2]), [5n, 0n]);
  unread.clear();
  assert.deepEqual(await poll([1, 2]), [12n, 0n]);
});

it('counts coin at every address if it is a currency, otherwise only where we sent fuel', async () => {
  for (const [isCoinOurs, expected] of [
    [true, 12n],
    [false, 9n],
  ] as const) {
    const { coin, poll } = world({ isCoinOurs });
    coin.set(1, 3n).set(2, 9n);
    assert.deepEqual(await poll([1, 2], [2]), [0n, expected]);
  }
});

it('forgets an address that is no longer in the state', async () => {
  const { tokens, poll } = world();
  tokens.set(1, 5n);
  await poll([1]);
  assert.deepEqual(await poll([]), [0n, 0n]);
});
