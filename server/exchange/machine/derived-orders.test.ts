import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  freshFacts,
  heldBy,
  holdOf,
  orderFromUnallocated,
  unallocatedOf,
  unallocatedPayment,
  withoutOrder,
} from './derived-orders.ts';
import type { Offer, Payment } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { begin } from '../exploration/order-world.testing.ts';

const NOW = new Date(0);
const final = (parts: bigint): Payment => ({ id: 'p', status: 'final', parts }) as Payment;
const placed = begin(
  { kind: 'order', hasRoute: true, askMe: false },
  { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
).order;
const parent = { view: placed, number: 'KX', email: '', locale: 'en' } as unknown as StoredOrder;

test('a sum that another payment settled moves with split-off money and with a new order’s money', () => {
  const unallocated = unallocatedOf(parent, { id: 's', pieces: [final(60n)], settled: 40n }, '', NOW).view;
  assert.deepEqual([unallocated.positions.in, unallocated.give.parts, unallocated.facts.settled], [100n, 100n, 40n]);
  const offer = { number: 1, breakdown: { get: { parts: 7n } }, version: '1' } as unknown as Offer;
  const order = orderFromUnallocated(
    { ...parent, view: unallocated },
    { do: 'open_order', id: 'o', parts: 100n, offer, payments: [final(60n)] },
    '',
    NOW,
  ).view;
  assert.deepEqual([order.positions.in, order.facts.settled], [100n, 40n]);
  const whole = unallocatedOf(parent, { id: 't', pieces: [final(60n)] }, '', NOW).view;
  assert.deepEqual([whole.positions.in, whole.facts.settled], [60n, undefined]);
});

test('an unallocated payment waits for its customer’s choice, or is held; a debtor’s waits for people', () => {
  const plain = unallocatedOf(parent, { id: 's', pieces: [final(60n)] }, 'KX-2', NOW);
  assert.deepEqual([plain.view.kind, plain.view.state, plain.view.version, plain.number], ['unallocated', 'choosing', 1, 'KX-2']);
  assert.deepEqual(plain.view.facts, freshFacts(NOW, { isLate: true, isAsked: true }));
  assert.equal(plain.unallocatedOf, placed.id);
  assert.equal(unallocatedOf({ ...parent, unallocatedOf: 'root' }, { id: 's', pieces: [] }, '', NOW).unallocatedOf, 'root');
  for (const how of ['soft', 'hard', 'debt'] as const) {
    const { view } = unallocatedOf(parent, { id: 's', pieces: [final(60n)], held: how }, '', NOW);
    assert.deepEqual([view.state, view.facts.isAsked, view.facts.hold], ['holding', false, holdOf(how, NOW)]);
  }
  assert.deepEqual(
    [holdOf('soft', NOW), holdOf('hard', NOW)],
    [
      { cause: 'soft', since: NOW },
      { cause: 'hard', since: NOW },
    ],
  );
  assert.deepEqual(holdOf('debt', NOW), { cause: 'hard', since: NOW, isDebt: true });
});

test('an unallocated payment in the order’s currency inherits its accounts; in another currency it has none', () => {
  const account = { fields: { account: 'a' }, key: 'a' };
  const full = { ...parent, view: { ...placed, receive: account, refund: account } };
  const own = unallocatedOf(full, { id: 's', pieces: [final(60n)] }, '', NOW).view;
  assert.deepEqual([own.get?.parts, own.receive, own.refund, own.pinned.terms], [0n, account, account, undefined]);
  assert.equal(own.pinned.refundCost, placed.pinned.refundCost);
  const side = { currency: 'BTC', unit: 'BTC', rail: 'bitcoin', parts: 0n };
  const other = unallocatedOf(full, { id: 's', pieces: [final(60n)], side }, '', NOW).view;
  assert.deepEqual([other.get, other.receive, other.refund], [undefined, undefined, undefined]);
  assert.deepEqual([other.give, other.pinned.refundCost, other.pinned.minRefund], [{ ...side, parts: 60n }, 0n, 1n]);
});

test('an unallocated payment without an order has a customer but no accounts', () => {
  const customer = { email: 'ann@example.org', locale: 'ru', holderId: 'ann' } as const;
  const side = { currency: 'BTC', unit: 'BTC', rail: 'bitcoin', parts: 0n };
  const origin = withoutOrder(customer, side, { now: NOW, isReversible: true, isReceiveOnly: true });
  const one = unallocatedPayment(origin, { id: 's', pieces: [final(60n)], held: 'soft' }, 'KX-5', NOW);
  assert.deepEqual([one.unallocatedOf, one.email, one.locale, one.holderId], [undefined, 'ann@example.org', 'ru', 'ann']);
  const { view } = one;
  assert.deepEqual([view.kind, view.state, view.give.parts, view.positions.in], ['unallocated', 'holding', 60n, 60n]);
  assert.deepEqual([view.get, view.receive, view.refund], [undefined, undefined, undefined]);
  assert.deepEqual([view.pinned.refundCost, view.pinned.minRefund], [0n, 1n]);
  assert.deepEqual([view.pinned.isReversible, view.pinned.isReceiveOnly], [true, true]);
  const free = withoutOrder(customer, side, { now: NOW, isReversible: false, isReceiveOnly: false });
  assert.equal('isReceiveOnly' in free.pinned, false);
});

test('an order made of an unallocated payment has that payment’s offer and customer', () => {
  const unallocated = unallocatedOf(
    { ...parent, holderId: 'ann', device: 'd', ip: 'i' },
    { id: 's', pieces: [final(60n)] },
    '',
    NOW,
  );
  const offer = { number: 4, breakdown: { get: { parts: 7n } }, terms: placed.pinned.terms, version: '9' } as unknown as Offer;
  const made = { do: 'open_order', id: 'o', parts: 60n, offer, payments: [final(60n)] } as const;
  const order = orderFromUnallocated(unallocated, made, 'KX-3', NOW);
  assert.deepEqual([order.holderId, order.device, order.ip, order.unallocatedOf], ['ann', 'd', 'i', placed.id]);
  const { view } = order;
  assert.deepEqual([view.kind, view.state, view.give.parts, view.get?.parts], ['order', 'choosing', 60n, 7n]);
  assert.deepEqual([view.pinned.terms, view.pinned.ratesVersion], [placed.pinned.terms, '9']);
  assert.deepEqual(view.facts, freshFacts(NOW, { isLate: true, offer: { ...offer, choice: 'continue' }, offers: 4 }));
  const { get: _, ...nowhere } = unallocated.view;
  assert.throws(() => orderFromUnallocated({ ...unallocated, view: nowhere }, made, '', NOW), /no direction/);
});

test('fresh facts have no history', () => {
  const no = { isLate: false, hasLowerRate: false, askMe: false, isAsked: false, isFreeRefund: false, isTransient: false };
  assert.deepEqual(freshFacts(NOW), { since: NOW, ...no, tries: 0, offers: 0, reminded: 0 });
});

test('only final payments bring money to a new order; the rest was settled by another payment', () => {
  const unallocated = unallocatedOf(parent, { id: 's', pieces: [final(60n)], settled: 40n }, '', NOW);
  const offer = { number: 1, breakdown: { get: { parts: 7n } }, version: '1' } as unknown as Offer;
  const reversed = { ...final(40n), status: 'reversed' } as const;
  const made = { do: 'open_order', id: 'o', parts: 100n, offer, payments: [final(60n), reversed] } as const;
  assert.equal(orderFromUnallocated(unallocated, made, '', NOW).view.facts.settled, 40n);
});

test('payments of debtors and blocked customers are held; those of customers who share only typed data are not', () => {
  const held = (['blocked', 'shown', 'typed', undefined] as const).map(heldBy);
  assert.deepEqual(held, ['hard', 'debt', undefined, undefined]);
});
