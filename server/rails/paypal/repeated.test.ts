// Tests that PayPal's refusal of a repeated id is no refusal: a send exists under the id, even if PayPal doesn't show it now.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import type { PayPal } from './client.ts';
import { paypalPayout } from './payout.ts';

const ID = '019abcde-0000-7000-8000-000000000001';
const body = {
  sender_batch_header: { sender_batch_id: ID },
  items: [{ receiver: 'a@b.example', amount: { currency: 'USD', value: '5.00' }, sender_item_id: ID }],
};
const payout = { kind: 'payout', path: '/v1/payments/payouts', body: JSON.stringify(body) };
const refund = { kind: 'refund', path: '/v2/payments/captures/C1/refund', body: '{}' };

const link = [{ href: 'https://api.paypal.com/v1/payments/payouts/BATCH1', rel: 'self' }];
const said = (name: string, detail: object = {}, message = ''): object => ({ name, message, details: [detail] });
const REPEATED = said('USER_BUSINESS_ERROR', {
  field: 'SENDER_BATCH_ID',
  issue: 'Batch with given sender_batch_id already exists',
  link,
});

async function sent(request: object, status: number, answer: object, read: PayPal['read']): Promise<string> {
  const post: PayPal['post'] = async () => ({ status, text: JSON.stringify(answer), headers: new Headers() });
  const rail = paypalPayout({ read, post }, {} as never, async () => []);
  const attempt = {
    reference: ID,
    items: [ID],
    spends: [],
    raw: JSON.stringify(request),
    fee: { currency: 'PAYPAL_USD', parts: 0n },
  };
  return (await rail.send(attempt)).outcome;
}

const silent: PayPal['read'] = () => Promise.reject(new Unreachable('no answer'));
const nothing: PayPal['read'] = async () => undefined;
const another: PayPal['read'] = async (_path, shape) =>
  shape.parse({
    batch_header: { payout_batch_id: 'BATCH1', batch_status: 'SUCCESS', sender_batch_header: { sender_batch_id: ID } },
    items: [
      { payout_item_id: 'I1', transaction_status: 'SUCCESS', payout_item: { ...body.items[0], receiver: 'other@b.example' } },
    ],
  }) as never;

test('a repeated batch exists, even if PayPal shows none, shows another one, or doesn’t answer', async () => {
  for (const read of [silent, nothing, another]) assert.equal(await sent(payout, 400, REPEATED, read), 'exists');
  const unlinked = said('DUPLICATE_REQUEST', {}, 'The sender_batch_id was already used');
  assert.equal(await sent(payout, 422, unlinked, nothing), 'exists');
});

test('a repeated refund exists', async () => {
  assert.equal(await sent(refund, 422, said('UNPROCESSABLE_ENTITY', { issue: 'DUPLICATE_REQUEST_ID' }), nothing), 'exists');
});

test('refuses for errors that are not about a repeated id', async () => {
  const invalid = said('VALIDATION_ERROR', { field: 'items[0].receiver', issue: 'Receiver is invalid or does not match' });
  assert.equal(await sent(payout, 400, invalid, nothing), 'refused');
  assert.equal(await sent(refund, 422, said('UNPROCESSABLE_ENTITY', { issue: 'REFUND_AMOUNT_EXCEEDED' }), nothing), 'refused');
  assert.equal(await sent(payout, 409, said('CONFLICT'), nothing), 'unknown');
});
