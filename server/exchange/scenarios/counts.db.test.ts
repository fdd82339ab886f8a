// A completed order's turnover, late coupon and published events always agree on whether it counts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCode } from '../../auth/index.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { turnoverOf } from '../../loyalty/index.ts';
import { type Subscription, newId, outbox } from '../../platform/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { giveWaiting } from '../apply/give-late.ts';
import { ORDER_EVENTS, orderPublished } from '../order/events/order-published.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { buyBack, goOn, reportPayment } from './customers-choices.testing.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
const reported: { readonly order: string; readonly kind: string }[] = [];
const subscriber: Subscription = {
  subscriber: 'a room above',
  kinds: ORDER_EVENTS,
  handle: async (_tx, list) =>
    void reported.push(...list.map(({ kind, body }) => ({ order: orderPublished.parse(body).order, kind: kind.slice(6) }))),
};
before(async () => {
  world = await openWorld();
  world.holdSends();
  await outbox.subscribe(world.db, [subscriber]);
  const id = newId();
  const legs = [leg(accounts.deskFree('USDT'), accounts.promo('late', 'USDT'), 500_000_000n)];
  await world.db.tx((tx) => post(tx, [{ id, kind: 'promo_funded', cause: id, legs }]));
});
after(() => world.close());

/** Worth of each order in cents: 0.005 BTC at 90 000 USD. */
const WORTH = 45_000n;
let customers = 0;

async function publishAll(order: StoredOrder, ...events: Parameters<World['report']>[1][]): Promise<void> {
  for (const event of events) await world.report(order, event);
}

/** Returns an order that took longer than promised and was paid out. */
async function lateOrder(email: string): Promise<StoredOrder> {
  const order = await world.place({ email });
  world.pay(order);
  await world.mine();
  await world.pass(20);
  await publishAll(order, 'send', 'accepted', 'final');
  return world.order(order);
}

interface Customer {
  readonly order: StoredOrder;
  /**
   * Returns the order's turnover (without the second order's), its late coupons by state, and its `counts` by published events.
   */
  stands(): Promise<{ readonly turnover: bigint; readonly coupons: string[]; readonly isPublished: boolean }>;
  /** Returns the events that were published after its completion. */
  kinds(): Promise<string[]>;
}

/** Returns a customer with two completed late orders. The second one never changes. */
async function twoOrders(): Promise<Customer> {
  customers += 1;
  const email = `counts${customers}@example.org`;
  const order = await lateOrder(email);
  await lateOrder(email);
  // The orders earned more coupons than a day's sum allows.
  await giveWaiting(world.db, world.deps.sender);
  const kinds = async (): Promise<string[]> => {
    await outbox.drain(world.db, subscriber);
    const all = reported.filter((one) => one.order === order.view.id).map(({ kind }) => kind);
    return all.slice(all.indexOf('completed') + 1);
  };
  const stands: Customer['stands'] = async () => {
    const coupons = await world.db.rows<{ state: string }>('select state from coupon where earned_by = $1 order by made_at, id', [
      order.view.id,
    ]);
    const states = coupons.map(({ state }) => state);
    return { turnover: (await turnoverOf(world.db, email)) - WORTH, coupons: states, isPublished: isCounted(await kinds()) };
  };
  assert.deepEqual(await stands(), COUNTS);
  return { order, stands, kinds };
}

/** Reads published events as a subscriber does; fails on a repeated event. */
function isCounted(kinds: readonly string[]): boolean {
  let counts = true;
  for (const kind of kinds) {
    if (kind === 'completed' || kind === 'restored') {
      assert.ok(!counts, `${kind} of an order that counts: ${kinds.join()}`);
      counts = true;
    }
    if (kind === 'reversed') assert.ok(counts, `reversed although it does not count: ${kinds.join()}`);
    if (kind === 'reversed' || kind === 'ended') counts = false;
  }
  return counts;
}

const COUNTS = { turnover: WORTH, coupons: ['live'], isPublished: true };
const COUNTS_NOT = { turnover: 0n, coupons: ['void'], isPublished: false };
const COUNTS_AGAIN = { ...COUNTS, coupons: ['void', 'live'] };

const otp = (order: StoredOrder): Promise<string> =>
  world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
async function act(order: StoredOrder, name: 'retry' | 'freeze'): Promise<void> {
  const by = name === 'freeze' ? (['olga', 'oleg'] as const) : 'olga';
  const request = { number: order.number, action: name, by, reason: 'a test' } as Parameters<typeof actOnOrder>[2];
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, request));
}

test('a returned payout followed by a reversal stops an order from counting, once', async () => {
  const { order, stands, kinds } = await twoOrders();
  await publishAll(order, 'returned');
  assert.deepEqual(await stands(), COUNTS, 'its payout waits for an account');
  await reportPayment(world, order, 'reversed');
  assert.equal(await world.state(order), 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT);
  assert.deepEqual(await kinds(), ['exchange_reversed', 'ended']);
  await world.audit();
});

test('a reversal followed by a returned payout is deducted once', async () => {
  const { order, stands, kinds } = await twoOrders();
  await reportPayment(world, order, 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await publishAll(order, 'returned');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await world.pass(1);
  assert.equal(await world.state(order), 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT);
  assert.deepEqual(await kinds(), ['reversed', 'exchange_reversed', 'ended']);
  await world.audit();
});

test('a bought-back order stops counting, even if its refund comes back or its payment is reversed', async () => {
  const { order, stands } = await twoOrders();
  await publishAll(order, 'returned');
  await buyBack(world, order, await otp(order));
  assert.deepEqual(await stands(), COUNTS_NOT);
  await publishAll(order, 'send', 'accepted', 'final');
  assert.equal(await world.state(order), 'refunded');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await publishAll(order, 'returned');
  await act(order, 'retry');
  await publishAll(order, 'send', 'accepted', 'final');
  assert.equal(await world.state(order), 'refunded');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await reportPayment(world, order, 'reversed');
  assert.equal(await world.state(order), 'charged_back');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await reportPayment(world, order, 'final');
  assert.equal(await world.state(order), 'refunded');
  assert.deepEqual(await stands(), COUNTS_NOT);
});

test('an unclaimed order counts until its payment is reversed', async () => {
  const { order, stands } = await twoOrders();
  await publishAll(order, 'returned');
  await world.pass(72 * 60 + 1);
  assert.equal(await world.state(order), 'unclaimed');
  assert.deepEqual(await stands(), COUNTS);
  await reportPayment(world, order, 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT);
});

test('an order paid out again after a return counts as before, and is deducted once', async () => {
  const { order, stands, kinds } = await twoOrders();
  await publishAll(order, 'returned');
  await act(order, 'retry');
  await publishAll(order, 'send', 'accepted');
  await reportPayment(world, order, 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT, 'it is owed while the payout is on its way');
  await publishAll(order, 'final');
  assert.equal(await world.state(order), 'charged_back');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await reportPayment(world, order, 'final');
  assert.deepEqual(await stands(), COUNTS_AGAIN);
  assert.deepEqual(await kinds(), ['reversed', 'restored']);
});

test('an order frozen after its payout came back stops counting', async () => {
  const { order, stands } = await twoOrders();
  await publishAll(order, 'returned');
  await act(order, 'freeze');
  assert.equal(await world.state(order), 'frozen');
  assert.deepEqual(await stands(), COUNTS_NOT);
});

test('an order counts again each time its payment is restored, with a new coupon for the unused rest', async () => {
  const { order, stands, kinds } = await twoOrders();
  for (const coupons of [
    ['void', 'live'],
    ['void', 'void', 'live'],
  ]) {
    await reportPayment(world, order, 'reversed');
    assert.equal((await stands()).turnover, 0n);
    await reportPayment(world, order, 'final');
    assert.deepEqual(await stands(), { ...COUNTS, coupons });
  }
  assert.deepEqual(await kinds(), ['reversed', 'restored', 'reversed', 'restored']);
  await world.audit();
});

test('an order exchanged and paid out anew with new money counts again, as completed', async () => {
  const { order, stands, kinds } = await twoOrders();
  await publishAll(order, 'returned');
  await reportPayment(world, order, 'reversed');
  assert.deepEqual(await stands(), COUNTS_NOT);
  await reportPayment(world, order, 'final');
  await goOn(world, order);
  await publishAll(order, 'send', 'accepted', 'final');
  assert.equal(await world.state(order), 'completed');
  assert.deepEqual(await stands(), COUNTS_AGAIN);
  assert.equal((await kinds()).at(-1), 'completed');
  await world.audit();
});

test('a payout that is final after a reversal counts only once the payment is restored', async () => {
  const order = await world.place({ email: 'owes@example.org' });
  world.pay(order);
  await world.mine();
  await publishAll(order, 'send', 'accepted');
  await reportPayment(world, order, 'reversed');
  await publishAll(order, 'final');
  assert.equal(await world.state(order), 'charged_back');
  assert.equal(await turnoverOf(world.db, 'owes@example.org'), 0n);
  await reportPayment(world, order, 'final');
  assert.equal(await world.state(order), 'completed');
  assert.equal(await turnoverOf(world.db, 'owes@example.org'), WORTH);
});
