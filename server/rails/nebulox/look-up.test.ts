// A payment counts only by its invoice's look-up, not by a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NebuloxClient } from './client.ts';
import { nebuloxPayin } from './payin.ts';

const INVOICE = { orderId: 'REF', paidAmount: '0.5', coinSymbol: 'LTC', expirationDate: '2020-01-01T00:00:00Z' };

async function observe(change: Record<string, unknown>, isWanted = true) {
  const call: NebuloxClient['call'] = async (_path, _fields, schema) => schema.parse({ ...INVOICE, ...change }) as never;
  const payin = nebuloxPayin(
    { apiUrl: '', apiKey: '' },
    { call },
    { reference: String, webhookUrl: '', siteUrl: (path: string) => path },
  );
  const seen = await payin.observe([{ currency: 'LTC', to: 'REF', id: 'code', sinceHeight: 0, isWanted }]);
  return seen.map(({ parts }) => parts);
}

test('counts only an invoice that has ended, by its paid amount', async () => {
  for (const status of ['COMPLETED', 'EXPIRED', 'PARTIAL']) assert.deepEqual(await observe({ status }), [50_000_000n], status);
  for (const status of ['PENDING', 'REFUNDED', 'completed', '']) assert.deepEqual(await observe({ status }), [], status);
  assert.deepEqual(await observe({ status: 'PARTIAL', expirationDate: '2999-01-01T00:00:00Z' }), [], 'it may still grow');
  assert.deepEqual(await observe({ status: 'EXPIRED', paidAmount: '0' }), []);
});
