// Events that are published about orders, as a subscriber receives them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Subscription, outbox } from '../../platform/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { ORDER_EVENTS, type OrderPublished, orderPublished } from '../order/events/order-published.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
const reported: { readonly kind: string; readonly body: OrderPublished }[] = [];
const subscriber: Subscription = {
  subscriber: 'a room above',
  kinds: ORDER_EVENTS,
  handle: async (_tx, list) => void reported.push(...list.map(({ kind, body }) => ({ kind, body: orderPublished.parse(body) }))),
};
before(async () => {
  world = await openWorld();
  world.holdSends();
  await outbox.subscribe(world.db, [subscriber]);
});
after(() => world.close());

/** Returns the events that a subscriber has received about an order, in sequence. */
async function published(order: StoredOrder): Promise<{ readonly kind: string; readonly body: OrderPublished }[]> {
  await outbox.drain(world.db, subscriber);
  return reported.filter(({ body }) => body.order === order.view.id);
}
const kinds = async (order: StoredOrder): Promise<string[]> =>
  (await published(order)).map(({ kind, body }) => `${kind.slice('order.'.length)}${body.ended ? ` ${body.ended}` : ''}`);
async function publishAll(order: StoredOrder, ...events: Parameters<World['report']>[1][]): Promise<void> {
  for (const event of events) await world.report(order, event);
}
async function paidOrder(): Promise<StoredOrder> {
  const order = await world.place();
  world.pay(order);
  await world.mine();
  return world.order(order);
}
/** Reports that the rail takes the order's payment back, or restores it. */
async function reportPayment(order: StoredOrder, event: 'reversed' | 'final'): Promise<void> {
  const [payment] = (await world.order(order)).view.payments;
  assert.ok(payment);
  const body = {
    parts: payment.parts.toString(),
    ...(event === 'final' ? { isBack: true as const } : { reason: 'reorg' as const }),
  };
  await world.reportPayin(order, payment.id, event, body);
}

test('an order’s life: placed, exchanged, paid out, reversed, restored, each with the current price', async () => {
  const order = await paidOrder();
  await world.pass(2);
  await world.report(order, 'send');
  await world.pass(3);
  await publishAll(order, 'accepted', 'final');
  await reportPayment(order, 'reversed');
  await reportPayment(order, 'final');
  assert.equal((await world.order(order)).view.state, 'completed');
  assert.deepEqual(await kinds(order), ['placed', 'exchanged', 'completed', 'reversed', 'restored']);
  const [placed, exchanged, completed] = (await published(order)).map(({ body }) => body) as OrderPublished[];
  assert.deepEqual([placed?.price.isBooked, exchanged?.price.isBooked], [false, true]);
  assert.deepEqual({ ...placed?.price, isBooked: true }, exchanged?.price, 'it was paid in time: booked as promised');
  assert.deepEqual([placed?.version, exchanged?.version], [1, 2]);
  assert.equal(exchanged?.takenSeconds, null);
  const taken = completed?.takenSeconds ?? 0;
  assert.ok(taken >= 5 * 60 && taken < 6 * 60, `${taken} s: five minutes, and what the test took`);
  assert.deepEqual([completed?.sentBy, completed?.promisedSeconds], [null, 12 * 60]);
});

test('a write-off restores nothing: only money that comes back restores an order', async () => {
  const order = await paidOrder();
  await publishAll(order, 'send', 'accepted', 'final');
  await reportPayment(order, 'reversed');
  const writeOff = { action: 'write_off', by: ['olga', 'oleg'], reason: 'test', evidence: 'the account is closed' } as const;
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number: order.number, ...writeOff }));
  const { state, positions } = (await world.order(order)).view;
  assert.deepEqual([state, positions.receivable, positions.loss], ['charged_back', 0n, order.view.give.parts]);
  assert.deepEqual((await kinds(order)).slice(2), ['completed', 'reversed']);
  await reportPayment(order, 'final');
  assert.deepEqual((await kinds(order)).slice(2), ['completed', 'reversed', 'restored']);
});

test('the price contains everything booked, with the mid-market rate as an exact fraction', async () => {
  const order = await paidOrder();
  const { price } = (await published(order)).find(({ kind }) => kind === 'order.exchanged')?.body ?? assert.fail();
  const sum = price.lines.reduce((sum, { kind, parts }) => (kind === 'discount' ? sum - BigInt(parts) : sum + BigInt(parts)), 0n);
  assert.equal(BigInt(price.give.parts) - sum, BigInt(price.exchanged));
  assert.deepEqual([price.give.currency, price.get.currency], ['BTC', 'USDT_ERC20']);
  assert.deepEqual(price.lines[0], { code: 'fee', kind: 'fee', account: 'income:spread', payer: 'customer', parts: '2500' });
  assert.deepEqual(price.mid, { base: 'BTC', quote: 'USDT', numerator: '90000', denominator: '1' });
  assert.deepEqual([price.retained, price.provision], ['0', '0']);
});

test('events name the customer’s keys, proven and typed ones apart, and the way of payment', async () => {
  const order = await world.place({ email: 'An.Address+tag@gmail.com', as: 'a device' });
  const [first] = await published(order);
  assert.deepEqual(first?.body.customer.shown, ['device:a device']);
  assert.ok(first.body.customer.typed.includes('email:anaddress@gmail.com'));
  assert.ok(first.body.customer.typed.some((key) => key.startsWith('account:USDT_ERC20:')));
  assert.equal(first.body.customer.holder, null);
  assert.deepEqual(first.body.paidBy, { way: 'chain', isReversible: false });
});

test('the ways in which an order ends without a payout, and reversals before it', async () => {
  const cancelled = await world.place();
  await cancelOrder(world.deps, { id: cancelled.number, token: world.token(cancelled) });
  assert.deepEqual(await kinds(cancelled), ['placed', 'ended cancelled']);
  const expired = await world.place();
  await world.pass(16);
  assert.deepEqual(await kinds(expired), ['placed', 'ended expired']);
  const takenBack = await paidOrder();
  await reportPayment(takenBack, 'reversed');
  assert.deepEqual(await kinds(takenBack), ['placed', 'exchanged', 'exchange_reversed', 'ended taken_back']);
  const [, exchanged, reversed] = await published(takenBack);
  assert.deepEqual(reversed?.body.price, exchanged?.body.price, 'the exchange that was turned round');
});

test('an unallocated payment publishes nothing', async () => {
  const order = await paidOrder();
  world.pay(order, '0.002');
  await world.mine(6);
  const [unallocated] = await world.unallocatedPayments(order);
  assert.ok(unallocated);
  assert.deepEqual(await published(unallocated), []);
  assert.deepEqual(await kinds(order), ['placed', 'exchanged']);
});

test('an order is completed once, even if its payout comes back and goes out again', async () => {
  const order = await paidOrder();
  await publishAll(order, 'send', 'accepted', 'final', 'returned');
  assert.equal(await world.state(order), 'payout_failed');
  const again = { number: order.number, action: 'retry', by: 'olga', reason: 'the account is open again' } as const;
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, again));
  await publishAll(order, 'send', 'accepted', 'final');
  assert.equal((await world.order(order)).view.state, 'completed');
  assert.deepEqual(await kinds(order), ['placed', 'exchanged', 'completed']);
});
