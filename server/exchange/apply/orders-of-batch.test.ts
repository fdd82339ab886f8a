import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrdersOfBatch } from './orders-of-batch.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

const order = (id: string, ...payments: string[]): StoredOrder =>
  ({ view: { id, payments: payments.map((payment) => ({ id: payment })) } }) as unknown as StoredOrder;

test('a batch finds the current orders of a payment, locked ones before new ones, including one that has lost it', () => {
  const orders = new OrdersOfBatch();
  const put = (one: StoredOrder): unknown => orders.set(one.view.id, one);
  const found = (payment: string): string[] =>
    orders.withPayment(payment).map(({ view }) => `${view.id}: ${view.payments.map(({ id }) => id).join(' ')}`);
  for (const one of [order('b'), order('c', 'p')]) put(one);
  assert.deepEqual(found('p'), ['c: p']);
  // One order is created in the batch, and one gets the payment later.
  for (const one of [order('a', 'p', 'q'), order('b', 'p')]) put(one);
  assert.deepEqual(found('p'), ['b: p', 'c: p', 'a: p q']);
  put(order('c'));
  assert.deepEqual(found('p'), ['b: p', 'c: ', 'a: p q']);
  assert.deepEqual(found('q'), ['a: p q']);
  assert.deepEqual(found('none'), []);
});
