// Only another transaction with the same nonce rules a transfer out, and no other answer of a node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain } from '../chain.ts';
import { RpcError } from '../client.ts';
import { find } from './sending.ts';

const US = `0x${'a'.repeat(40)}`;
const OURS = `0x${'1'.repeat(64)}`;
const OTHER = `0x${'2'.repeat(64)}`;
const hex = (value: number): string => `0x${value.toString(16)}`;
const attempt = { reference: OURS, items: [], raw: '', spends: [`nonce:${US}:7`], fee: { currency: 'ETH', parts: 1n } };

/** Makes a node that doesn't show our transaction. `usedAt`: height at which nonce 7 was used. `oldest`: its oldest state. */
function node({ usedAt, by, oldest = 0 }: { usedAt: number; by: string; oldest?: number }): {
  chain: Chain;
  calls: () => number;
} {
  let calls = 0;
  const countAt = (height: number): string => hex(height >= usedAt ? 8 : 7);
  const call = async (method: string, ...[first, second]: unknown[]): Promise<unknown> => {
    calls += 1;
    if (method === 'eth_getBlockByNumber')
      return {
        transactions: Number(first) === usedAt ? [{ hash: by, from: US.toUpperCase().replace('0X', '0x'), nonce: '0x7' }] : [],
      };
    if (Number(second) < oldest) throw new RpcError(-32000, 'missing trie node');
    return countAt(Number(second));
  };
  const head = async () => ({ height: 1_100, hash: '', time: 0, baseFee: 1n, finalised: 1_000 });
  const batch = async () => [null, null, countAt(1_000)];
  return { chain: { head, client: { call, batch } } as unknown as Chain, calls: () => calls };
}

test('another transaction with the same nonce rules a transfer out, also long ago', async () => {
  for (const usedAt of [1_000, 999, 640, 1]) {
    const { chain, calls } = node({ usedAt, by: OTHER });
    assert.deepEqual(await find(chain, attempt), { outcome: 'absent', isConclusive: true }, `${usedAt}`);
    assert.ok(calls() < 25, `${calls()} calls`);
  }
});

test('a used nonce does not rule out the transfer that used it, and proves nothing without old states', async () => {
  const absent = { outcome: 'absent', isConclusive: false };
  assert.deepEqual(await find(node({ usedAt: 990, by: OURS }).chain, attempt), absent);
  assert.deepEqual(await find(node({ usedAt: 600, by: OTHER, oldest: 900 }).chain, attempt), absent);
  assert.deepEqual(await find(node({ usedAt: 1_001, by: OTHER }).chain, attempt), absent);
});
