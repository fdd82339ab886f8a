// Conditions under which a looked-up payment counts as our money, each tested separately.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MoneyGoApi, Transaction } from './api.ts';
import { payinOf } from './payin.ts';

const WALLET = 'U100';
const FORM = { from: 'U200', to: WALLET, isCancelled: false };
const PAID: Transaction = {
  ...{ id: '7', reference: 'REF', amount: '10.00', fee: '0', type: 'TRANSFER', status: 'SUCCESS', currency: 'USD' },
  form: FORM,
};

async function observe(change: Partial<Transaction>) {
  const api = { transaction: async () => ({ ...PAID, ...change }) } as unknown as MoneyGoApi;
  const context = { reference: String, webhookUrl: '', siteUrl: (path: string) => path };
  const currency = { code: 'MONEYGO_USD', wire: 'USD', letter: 'U', wallet: WALLET };
  const seen = await payinOf(context, [currency], api).observe([{ currency: currency.code, to: 'REF', sinceHeight: 0 }]);
  return seen.map(({ parts: sum, status }) => [sum, status.at]);
}

test('a payment counts if it reached our wallet, in its currency, through the form', async () => {
  assert.deepEqual(await observe({}), [[1_000n, 'block']]);
  assert.deepEqual(await observe({ form: { ...FORM, to: 'U300' } }), [], 'another wallet');
  assert.deepEqual(await observe({ currency: 'EUR' }), [], 'another currency');
  const { form: _form, ...without } = PAID;
  assert.deepEqual(await observe({ ...without, form: undefined as never }), [], 'a transfer by hand');
});

test('only SUCCESS counts, and a payment that was cancelled afterwards is taken back', async () => {
  for (const status of ['PENDING', 'FAIL', 'CANCEL', '']) assert.deepEqual(await observe({ status }), [], status);
  assert.deepEqual(await observe({ form: { ...FORM, isCancelled: true } }), [[1_000n, 'taken_back']]);
});
