import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import type { Chain } from './chain.ts';
import { openDeposits } from './deposits.ts';

it('asks about two thousand deposits once, and then about a hundred at a time', async () => {
  const held = new Map<string, bigint>();
  let asked = 0;
  const chain = {
    config: { tokens: [{ code: 'USDT', unit: 'USDT', contract: '0xc', decimals: 6 }] },
    deposit: (index: number) => `0x${index.toString(16).padStart(40, '0')}`,
    client: {
      batch: async (calls: readonly { params: readonly [{ data: string }] }[]) => {
        asked += calls.length;
        return calls.map(({ params: [{ data }] }) => `0x${(held.get(`0x${data.slice(-40)}`) ?? 0n).toString(16)}`);
      },
    },
  } as unknown as Chain;
  const indexes = Array.from({ length: 2_000 }, (_, index) => index);
  for (const index of indexes) held.set(chain.deposit(index), 5n);
  const deposits = openDeposits(chain);
  const look = async (): Promise<readonly [number, bigint | undefined]> => {
    asked = 0;
    const [balance] = await deposits.balances({ indexes } as unknown as WalletState);
    return [asked, balance?.parts];
  };
  assert.deepEqual(await look(), [2_000, 10_000n]);
  held.set(chain.deposit(1_999), 0n);
  assert.deepEqual(await look(), [100, 10_000n]);
  for (let turn = 0; turn < 20; turn += 1) await look();
  assert.deepEqual(await look(), [100, 9_995n], 'once all were asked again');
});
