import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ObservedPayment } from '../rail.ts';
import { observeEach } from './observe-each.ts';

const payment = (fee?: bigint): ObservedPayment => ({
  ...{ key: 'p', currency: 'VOLET_USD', to: 'a', parts: 1_000n, txid: 'p', from: [] },
  ...(fee !== undefined && { fee }),
  status: { at: 'mempool', isReplaceable: false },
});

it('leaves out an impossible fee, and shows the payment without it', async () => {
  for (const [said, retained] of [
    [undefined, undefined],
    [0n, 0n],
    [1_000n, 1_000n],
    [1_001n, undefined],
    [-1n, undefined],
  ]) {
    const observe = observeEach(1, async () => [payment(said)]);
    const seen = await observe([{ currency: 'VOLET_USD', to: 'a', sinceHeight: 0 }]);
    assert.deepEqual(
      seen.map(({ parts, fee }) => [parts, fee]),
      [[1_000n, retained]],
      `${said}`,
    );
  }
});
