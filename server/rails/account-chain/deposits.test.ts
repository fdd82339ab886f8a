import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import { openDeposits } from './deposits.ts';

/** Addresses of one token; `asked` has the indexes of each reading. */
function world({ isCoinOurs = true } = {}) {
  const tokens = new Map<number, bigint>();
  const coin = new Map<number, bigint>();
  const unread = new Set<number>();
  const asked: number[][] = [];
  const deposits = openDeposits({
    tokens: ['USDT'],
    coin: 'TRX',
    isCoinOurs,
    again: { open: 2, left: 1 },
    read: async (indexes) => {
      asked.push([...indexes]);
      return indexes
        .filter((index) => !unread.has(index))
        .map((index) => ({ index, tokens: [tokens.get(index) ?? 0n], coin: coin.get(index) ?? 0n }));
    },
  });
  const look = async (indexes: readonly number[], fuelled: readonly number[] = []): Promise<bigint[]> => {
    asked.length = 0;
    return (await deposits.balances({ indexes, fuelled } as unknown as WalletState)).map(({ parts }) => parts);
  };
  return { tokens, coin, unread, asked, look };
}

it('asks new addresses at once and known ones in turn, open ones and those with former fuel apart', async () => {
  const { asked, look } = world();
  await look([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(asked, [[1, 2, 3, 4, 8, 9]]);
  await look([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(asked, [[1, 2, 8]]);
  await look([1, 2, 3, 4], [8, 9]);
  assert.deepEqual(asked, [[3, 4, 9]]);
});

it('asks a swept address at once', async () => {
  const { asked, look } = world();
  await look([1, 2, 3]);
  await look([1, 2], [3]);
  assert.deepEqual(asked, [[3], [1, 2]]);
});

it('keeps what is known of an address whose answer can’t be, and asks a new one again', async () => {
  const { tokens, unread, look } = world();
  tokens.set(1, 5n).set(2, 7n);
  assert.deepEqual(await look([1]), [5n, 0n]);
  unread.add(1).add(2);
  assert.deepEqual(await look([1, 2]), [5n, 0n]);
  unread.clear();
  assert.deepEqual(await look([1, 2]), [12n, 0n]);
});

it('counts coin at every address where it is a currency, else where we sent some', async () => {
  for (const [isCoinOurs, expected] of [
    [true, 12n],
    [false, 9n],
  ] as const) {
    const { coin, look } = world({ isCoinOurs });
    coin.set(1, 3n).set(2, 9n);
    assert.deepEqual(await look([1, 2], [2]), [0n, expected]);
  }
});

it('forgets an address that payments names no more', async () => {
  const { tokens, look } = world();
  tokens.set(1, 5n);
  await look([1]);
  assert.deepEqual(await look([]), [0n, 0n]);
});
