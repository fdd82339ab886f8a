import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import { openDeposits } from './deposits.ts';

/** Addresses of one token; `requests` has the indexes of each reading. */
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

it('asks new addresses at once and known ones in turn, open ones and those with former fuel apart', async () => {
  const { requests, poll } = world();
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[1, 2, 3, 4, 8, 9]]);
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[1, 2, 8]]);
  await poll([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(requests, [[3, 4, 9]]);
});

it('asks a swept address at once', async () => {
  const { requests, poll } = world();
  await poll([1, 2, 3]);
  await poll([1, 2], [3]);
  assert.deepEqual(requests, [[3], [1, 2]]);
});

it('keeps what is known of an address whose answer can’t be, and asks a new one again', async () => {
  const { tokens, unread, poll } = world();
  tokens.set(1, 5n).set(2, 7n);
  assert.deepEqual(await poll([1]), [5n, 0n]);
  unread.add(1).add(2);
  assert.deepEqual(await poll([1, 2]), [5n, 0n]);
  unread.clear();
  assert.deepEqual(await poll([1, 2]), [12n, 0n]);
});

it('counts coin at every address where it is a currency, else where we sent some', async () => {
  for (const [isCoinOurs, expected] of [
    [true, 12n],
    [false, 9n],
  ] as const) {
    const { coin, poll } = world({ isCoinOurs });
    coin.set(1, 3n).set(2, 9n);
    assert.deepEqual(await poll([1, 2], [2]), [0n, expected]);
  }
});

it('forgets an address that payments names no more', async () => {
  const { tokens, poll } = world();
  tokens.set(1, 5n);
  await poll([1]);
  assert.deepEqual(await poll([]), [0n, 0n]);
});
