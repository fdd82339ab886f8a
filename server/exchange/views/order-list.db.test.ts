// The desk's list of orders: search by number, address, account and transaction, and paging.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDb } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { fillHistory } from '../history/fill-history.testing.ts';
import { type OrderFilter, listOrders } from './order-list.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

let world: World;
let done: StoredOrder;
before(async () => {
  world = await openWorld();
  const placed = await world.place({ from: 'BTC', amount: '0.005', email: 'Anna.Search@Example.org' });
  world.pay(placed);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  done = await world.order(placed);
  const owner = openDb({ url: world.owner.url, name: 'filling', max: 1, budget: 60_000 });
  await fillHistory(owner, { orders: 60, ofHolder: 10 });
  await owner.close();
});
after(() => world.close());

const list = (filter: Partial<OrderFilter> = {}) => listOrders(world.db, { isWaiting: false, page: 1, per_page: 20, ...filter });
const numbers = async (text: string): Promise<string[]> => (await list({ text })).orders.map(({ number }) => number);

test('an order is found by its number, address, account or transaction, and by nothing else', async () => {
  const { number, payTo, view } = done;
  const [payment] = view.payments;
  for (const text of [
    number,
    number.toLowerCase(),
    number.slice(3, 9),
    'anna.search@example.org',
    'Search@EX',
    payTo,
    payTo?.slice(0, 12),
    view.receive?.key,
    payment?.txid,
    payment?.txid.slice(0, 10),
    view.facts.sent?.txid,
  ])
    assert.deepEqual(await numbers(text ?? assert.fail()), [number], text);
  for (const text of ['nobody@example.org', '%', '_', 'm\\', `${payTo}x`]) assert.deepEqual(await numbers(text), [], text);
  assert.equal((await list({ text: 'history@' })).total, 10);
  assert.equal((await list({ text: 'KX-' })).total, 61, 'what begins every number');
  assert.deepEqual((await list({ text: number, states: ['cancelled'] })).orders, []);
});

test('pages continue after the last row, each order once, sorted as the list', async () => {
  for (const filter of [{}, { states: ['completed', 'cancelled'] }, { text: '@example' }]) {
    const found: StoredOrder[] = [];
    for (let after: string | undefined, pages = 0; pages < 10; pages += 1) {
      const page = await list({ ...filter, per_page: 13, ...(after !== undefined && { after }) });
      assert.equal(page.total, 61);
      found.push(...page.orders);
      after = page.next;
      if (after === undefined) break;
    }
    assert.equal(new Set(found.map(({ number }) => number)).size, 61);
    const times = found.map(({ createdAt }) => createdAt.getTime());
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    const byNumber = await list({ ...filter, per_page: 13, page: 2 });
    assert.deepEqual(
      byNumber.orders.map(({ number }) => number),
      found.slice(13, 26).map(({ number }) => number),
    );
  }
  assert.equal(await refusal(() => list({ after: 'elsewhere' })), 'wrong_value');
});
