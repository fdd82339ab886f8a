// Orders placed at the same moment: one transaction, each placed whole or refused alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { alone } from '../../collecting/index.ts';
import { makePlain } from '../../coupons/testing.ts';
import { type SettingsWatch, putSetting, watchSettings } from '../../platform/index.ts';
import { type PlaceOrder, openPlacing } from '../actions/place-order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type PlaceOptions, type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;
let place: PlaceOrder;

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  place = openPlacing(world.deps);
});
after(async () => {
  await settings.stop();
  await world.close();
});

const set = async (key: string, value: unknown): Promise<void> => {
  await world.db.tx((tx) => putSetting(tx, key, value, 'test'));
  await settings.refresh();
};
/** Places orders at the same moment: the first is under way while the others collect. */
async function together(...requests: Parameters<PlaceOrder>[0][]): Promise<(StoredOrder | string)[]> {
  const ahead = place(await world.calculate({ as: `ahead of ${Math.random()}` }));
  const outcomes = await Promise.allSettled(requests.map((one) => place(one)));
  await ahead;
  return outcomes.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    assert.ok(one.reason instanceof Problem, String(one.reason));
    return one.reason.code;
  });
}
const calculations = async (...options: PlaceOptions[]) => {
  const all = [];
  for (const one of options) all.push(await world.calculate(one));
  return all;
};
const placed = (outcome: StoredOrder | string | undefined): StoredOrder => {
  assert.ok(outcome !== undefined && typeof outcome !== 'string', String(outcome));
  return outcome;
};
const transactionOf = async ({ view }: StoredOrder): Promise<string | undefined> =>
  (await world.owner.row<{ xmin: string }>('select xmin from customer_order where id = $1', [view.id]))?.xmin;

test('they share a transaction, each has its own address, hold, letter and journal', async () => {
  const outcomes = await together(...(await calculations({}, { from: 'USDT_ERC20', amount: '500' }, {}, {})));
  const orders = outcomes.map(placed);
  assert.equal(new Set(await Promise.all(orders.map(transactionOf))).size, 1);
  assert.equal(new Set(orders.map(({ payTo }) => payTo)).size, 4);
  for (const order of orders) {
    assert.ok(order.view.positions.reserve > 0n);
    assert.deepEqual(await world.events(order), ['placed']);
    assert.deepEqual(await world.letters(order), ['placed']);
  }
  await world.audit();
});

test('a refused one stops no other and stores nothing', async () => {
  await alone(world.db, async (unit) => {
    const plain = { kind: 'percent', percent: '10', value: undefined, perCustomer: 1, max: parse('USDT', '9').parts } as const;
    await makePlain(unit.tx, { ...plain, code: 'ONCE', uses: 1 });
  });
  const [used] = await calculations({});
  await place(used!);
  const requests = await calculations({}, { coupon: 'ONCE' }, { coupon: 'ONCE' }, {});
  const outcomes = await together(requests[0]!, used!, requests[1]!, requests[2]!, { ...requests[3]!, token: 'another' });
  placed(outcomes[0]);
  assert.equal(outcomes[1], 'calculation_used');
  // One gets the coupon's only use.
  const [one, other] = [outcomes[2], outcomes[3]].toSorted((left) => (typeof left === 'string' ? 1 : -1));
  assert.equal(placed(one).view.pinned.coupons?.length, 1);
  assert.equal(other, 'coupon_over');
  assert.equal(outcomes[4], 'calculation_not_found');
  assert.deepEqual(
    await world.db.rows('select calculation_id from customer_order where calculation_id = any ($1)', [
      [requests[3]!.id, ...(outcomes[2] === other ? [requests[1]!.id] : [requests[2]!.id])],
    ]),
    [],
  );
  // A refused customer may try again.
  placed(await place(requests[3]!));
  await world.audit();
});

test('two of one customer count for each other in limits and unpaid orders', async () => {
  await set('compliance.unpaid_open', 1);
  const outcomes = await together(...(await calculations({ as: 'ann' }, { as: 'bob' }, { as: 'ann' })));
  assert.deepEqual(
    outcomes.map((one) => (typeof one === 'string' ? one : 'placed')),
    ['placed', 'placed', 'too_many_unpaid_orders'],
  );
  await set('compliance.unpaid_open', 9);
  // A new customer may exchange 2 000 USD in a day; each of these is 990.
  const large = { as: 'carl', amount: '0.011' };
  const sums = await together(...(await calculations(large, large, large)));
  assert.deepEqual(
    sums.map((one) => (typeof one === 'string' ? one : 'placed')),
    ['placed', 'placed', 'validation'],
  );
  await world.audit();
});

test('a repeated call gets its own order, together with others or alone', async () => {
  const requests = await calculations({}, {}, {});
  const orders = (await together(...requests)).map(placed);
  const [fresh] = await calculations({});
  const again = (await together(...requests.map((one) => ({ ...one, isRepeated: true })), fresh!)).map(placed);
  assert.deepEqual(
    again.slice(0, 3).map(({ number }) => number),
    orders.map(({ number }) => number),
  );
  assert.ok(!orders.some(({ number }) => number === again[3]?.number));
  await world.audit();
});
