import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../../rail.ts';
import type { Chain } from '../chain.ts';
import { openDeposits } from './deposits.ts';

interface Call {
  readonly method: string;
  readonly params: readonly [{ data: string } | string];
}

/** Makes a chain with one token. `requested.places` counts the addresses that were read. */
function world() {
  const held = new Map<string, bigint>();
  const gas = new Map<string, bigint>();
  const requested = { places: 0 };
  const chain = {
    config: { native: 'ETH', tokens: [{ code: 'USDT', unit: 'USDT', contract: '0xc', decimals: 6 }] },
    deposit: (index: number) => `0x${index.toString(16).padStart(40, '0')}`,
    client: {
      batch: async (calls: readonly Call[]) => {
        requested.places += calls.length / 2;
        return calls.map(({ params: [of] }) => {
          const parts = typeof of === 'string' ? gas.get(of) : held.get(`0x${of.data.slice(-40)}`);
          return `0x${(parts ?? 0n).toString(16)}`;
        });
      },
    },
  } as unknown as Chain;
  return { chain, held, gas, requested, deposits: openDeposits(chain) };
}

it('reads two thousand deposits at first, and then a hundred per call', async () => {
  const { chain, held, requested, deposits } = world();
  const indexes = Array.from({ length: 2_000 }, (_, index) => index);
  for (const index of indexes) held.set(chain.deposit(index), 5n);
  const poll = async (): Promise<readonly [number, bigint | undefined]> => {
    requested.places = 0;
    const [balance] = await deposits.balances({ indexes } as unknown as WalletState);
    return [requested.places, balance?.parts];
  };
  assert.deepEqual(await poll(), [2_000, 10_000n]);
  held.set(chain.deposit(1_999), 0n);
  assert.deepEqual(await poll(), [100, 10_000n]);
  for (let turn = 0; turn < 20; turn += 1) await poll();
  assert.deepEqual(await poll(), [100, 9_995n], 'after all were read again');
});

it('counts gas left by sweeps only at addresses that we sent gas to, and reads a swept address at once', async () => {
  const { chain, held, gas, requested, deposits } = world();
  const poll = async (indexes: readonly number[], fuelled: readonly number[]): Promise<bigint[]> => {
    requested.places = 0;
    return (await deposits.balances({ indexes, fuelled } as unknown as WalletState)).map(({ parts }) => parts);
  };
  held.set(chain.deposit(1), 7n);
  gas.set(chain.deposit(2), 9n);
  assert.deepEqual(await poll([1, 2], []), [7n, 0n], 'coin from a stranger is not ours');
  gas.set(chain.deposit(1), 100n);
  assert.deepEqual(await poll([1, 2], [1]), [7n, 100n]);
  held.delete(chain.deposit(1));
  gas.set(chain.deposit(1), 30n);
  assert.deepEqual(await poll([2], [1]), [0n, 30n], 'swept: the rest of the gas');
  const many = Array.from({ length: 500 }, (_, index) => index + 10);
  for (const index of many) gas.set(chain.deposit(index), 1n);
  assert.deepEqual(await poll([2], [1, ...many]), [0n, 530n]);
  gas.set(chain.deposit(1), 0n);
  for (let turn = 0; turn < 30; turn += 1) await poll([2], [1, ...many]);
  assert.deepEqual(await poll([2], [1, ...many]), [0n, 500n]);
  assert.ok(requested.places <= 21);
});
