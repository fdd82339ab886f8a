// A payment counts as our money only if its look-up shows the right wallet, currency, order and status. Each is tested alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import type { ShopPayment, Transaction, VoletApi } from './api.ts';
import { currenciesOf, settings } from './config.ts';
import { payinOf } from './payin.ts';

const WALLET = 'U123456789012';
const said = settings.parse({
  ...{ account: 'desk@mail.example', sciName: 'Desk', sciPassword: 'sci password', apiName: 'api', apiPassword: 'api password' },
  wallets: { USD: WALLET, EUR: 'E123456789012' },
});
const PAYMENT: ShopPayment = { transactionId: 't1', orderId: 'REF', sciName: 'Desk', completedAt: '2026-11-22T10:00:00.000Z' };
const PAID: Transaction = {
  ...{ id: 't1', status: 'COMPLETED', direction: 'INCOMING', currency: 'USD', amount: '10.00', fee: '', comment: '' },
  ...{ from: 'U999999999999', to: WALLET, senderEmail: '', startedAt: '2026-11-22T09:59:00.000Z' },
};

async function observe(payment: Partial<ShopPayment>, paid: Partial<Transaction>) {
  const api = {
    paymentOf: async () => ({ ...PAYMENT, ...payment }),
    transaction: async () => ({ ...PAID, ...paid }),
  } as unknown as VoletApi;
  const context = { reference: String, webhookUrl: '', siteUrl: (path: string) => path };
  const seen = await payinOf(said, context, currenciesOf(said), api).observe([
    { currency: 'VOLET_USD', to: 'REF', sinceHeight: 0, isWanted: true },
  ]);
  return seen.map(({ parts: sum, status }) => [sum, status.at]);
}

test('shows only an incoming payment into our wallet, in its currency', async () => {
  assert.deepEqual(await observe({}, {}), [[1_000n, 'block']]);
  assert.deepEqual(await observe({}, { to: 'U111111111111' }), [], 'another wallet');
  assert.deepEqual(await observe({}, { currency: 'EUR' }), [], 'another currency');
  assert.deepEqual(await observe({}, { direction: 'OUTGOING' }), [], 'an outgoing transaction');
});

test('throws Unreachable for an answer about another order, shop or transaction', async () => {
  await assert.rejects(observe({ orderId: 'OTHER' }, {}), Unreachable);
  await assert.rejects(observe({ sciName: 'Other' }, {}), Unreachable);
  await assert.rejects(observe({}, { id: 't2' }), Unreachable);
});

test('counts only COMPLETED as money, and takes back only a completed payment', async () => {
  for (const status of ['PENDING', 'PROCESS', 'NOT_CONFIRMED', 'CONFIRMED', 'NOT_IDENTIFIED'])
    assert.deepEqual(await observe({ completedAt: '' }, { status }), [[1_000n, 'mempool']], status);
  for (const status of ['ERROR', 'CANCELED', 'SOMETHING_NEW', ''])
    assert.deepEqual(await observe({ completedAt: '' }, { status }), [], status);
  assert.deepEqual(await observe({}, { status: 'CANCELED' }), [[1_000n, 'taken_back']]);
});
