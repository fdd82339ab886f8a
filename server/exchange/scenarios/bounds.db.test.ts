// Automatic payouts are limited by those of the last hour and day, of whatever kind. Each counts once, when it is queued, and not
// at all if it is stopped or comes back.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type SettingsWatch, advanceClock, putSetting, watchSettings } from '../../platform/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { ordersMayLeave } from '../apply/payout-obstacles.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { SignedIn } from './signed-in.testing.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;
const put = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
  await world.db.tx(async (tx) => {
    for (const [key, value] of Object.entries(values))
      await putSetting(tx, key as 'exchange.auto_order_usd', value as string, 'test');
  });
  await settings.refresh();
};
before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await put({
    'compliance.reversible_currencies': ['USDT_ERC20'],
    'compliance.exposure_usd': '20000',
  });
});
beforeEach(async () => {
  // A day later earlier orders don't count.
  await world.pass(24 * 60 + 1);
  await put({ 'exchange.auto_customer_day_usd': '150', 'exchange.auto_desk_hour_usd': '10000' });
});
after(async () => {
  await settings.stop();
  await world.close();
});

const stateOf = (order: StoredOrder): Promise<string> => world.state(order);
/** Places an order for about 100 USD of bitcoin, paid in a reversible currency. */
async function clearing(own: SignedIn): Promise<StoredOrder> {
  const order = await world.place({ from: 'USDT_ERC20', amount: '100', own });
  world.pay(order, undefined, { from: [`account of ${own.email}`] });
  await world.mine(70);
  assert.deepEqual((await world.order(order)).view.facts.approval?.people, 0);
  return order;
}
/** Places an order paid in bitcoin; the default is worth about 99 USD. */
async function paid(own: SignedIn, btc = '0.0011'): Promise<StoredOrder> {
  const order = await world.place({ from: 'BTC', amount: btc, own });
  world.pay(order);
  for (let block = 0; block < 2; block += 1) {
    world.rails.BTC.world.mine();
    await world.turn();
  }
  return order;
}
/** Returns a customer's counted automatic payouts in whole USD. */
const counted = async ({ id }: SignedIn): Promise<number> => {
  const row = await world.db.row<{ usd: string }>(
    'select coalesce(sum(usd), 0) as usd from moneyout_counted where customer = $1',
    [`holder:${id}`],
  );
  return Math.round(Number(row?.usd ?? 0) / 100);
};

test('cleared payouts count as they leave: of three of 100 USD under 150 a day the second and third wait', async () => {
  const customer = await world.holder(3);
  const orders: StoredOrder[] = [];
  for (let at = 0; at < 3; at += 1) orders.push(await clearing(customer));
  await world.pass(74 * 60);
  for (let turn = 0; turn < 3; turn += 1) await world.mine();
  const views = await Promise.all(orders.map(async (order) => (await world.order(order)).view));
  const waiting = views.filter(({ state }) => state === 'approving');
  assert.deepEqual(
    [views.length - waiting.length, waiting.map(({ facts }) => facts.approval)],
    [1, [{ people: 1 }, { people: 1 }]],
  );
  const stops = await world.db.rows(`select from order_event where event = 'stop'`);
  assert.equal(stops.length, 0, 'they wait before they are queued, not as they leave');
  const [late] = waiting;
  const number = orders.find(({ view }) => view.id === late?.id)?.number ?? '';
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number, action: 'approve', by: 'olga', reason: 'looked at' }));
  assert.equal(await counted(customer), 97, 'what people let out is not counted');
  await world.audit();
});

test('an hour is the last sixty minutes, whatever the clock shows', async () => {
  await put({ 'exchange.auto_customer_day_usd': '10000', 'exchange.auto_desk_hour_usd': '150' });
  // Five minutes before the full hour.
  const past = (await world.db.now()).getTime() % 3_600_000;
  await advanceClock(world.db, (past > 3_300_000 ? 6_900_000 : 3_300_000) - past);
  await world.pass(0);
  const first = await paid(await world.holder(3));
  assert.notEqual(await stateOf(first), 'approving');
  await world.pass(10);
  const second = await paid(await world.holder(3));
  assert.equal(await stateOf(second), 'approving', 'the next hour by the clock, and ten minutes later');
  await world.pass(60);
  const third = await paid(await world.holder(3));
  assert.notEqual(await stateOf(third), 'approving');
});

test('a retry of the same money isn’t counted again; refused and returned payouts don’t count', async () => {
  await put({ 'exchange.auto_customer_day_usd': '10000' });
  const customer = await world.holder(3);
  world.holdSends();
  const order = await paid(customer);
  assert.equal(await counted(customer), 98);
  await world.report(order, 'send');
  await world.report(order, 'refused', { isTransient: true });
  assert.equal(await counted(customer), 0, 'refused');
  await world.pass(2);
  assert.deepEqual([await stateOf(order), await counted(customer)], ['queued', 98], 'tried again');
  for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
  assert.deepEqual([await stateOf(order), await counted(customer)], ['completed', 98]);
  await world.report(order, 'returned');
  assert.deepEqual([await stateOf(order), await counted(customer)], ['payout_failed', 0], 'came back');
  await world.audit();
});

test('a retry falls under the current limits: above one it waits for a person', async () => {
  const customer = await world.holder(3);
  const order = await paid(customer);
  await world.report(order, 'send');
  await world.report(order, 'refused', { isTransient: true });
  await put({ 'exchange.auto_customer_day_usd': '50' });
  await world.pass(2);
  assert.equal(await stateOf(order), 'approving');
  assert.deepEqual((await world.order(order)).view.facts.approval, { people: 1 });
  await world.audit();
});

test('an approved payout is retried without another approval, unless more are needed by then', async () => {
  const customer = await world.holder(3);
  const order = await paid(customer, '0.002');
  assert.equal(await stateOf(order), 'approving');
  const act = (by: string | string[]) =>
    world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number: order.number, action: 'approve', by, reason: 'looked at' }));
  await act('olga');
  await world.report(order, 'send');
  await world.report(order, 'refused', { isTransient: true });
  await world.pass(2);
  assert.equal(await stateOf(order), 'queued');
  await world.report(order, 'send');
  await world.report(order, 'refused', { isTransient: true });
  await put({ 'exchange.two_people_usd': '100' });
  await world.pass(6);
  assert.deepEqual([await stateOf(order), (await world.order(order)).view.facts.approval], ['approving', { people: 2 }]);
  await assert.rejects(act('olga'), /second_person_required/);
  await act(['olga', 'oleg']);
  assert.equal(await stateOf(order), 'queued');
  await put({ 'exchange.two_people_usd': '20000' });
  await world.audit();
});

test('ending a hold is no approval: an automatic payout after it counts', async () => {
  const customer = await world.holder(3);
  const order = await paid(customer, '0.002');
  assert.equal(await stateOf(order), 'approving');
  const act = (name: 'hold' | 'release', by: string) =>
    world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number: order.number, action: name, by, reason: 'looked at' }));
  await act('hold', 'olga');
  await put({ 'exchange.auto_customer_day_usd': '200' });
  await act('release', 'clara');
  assert.deepEqual([await stateOf(order), await counted(customer)], ['queued', 178]);
  const second = await paid(customer);
  assert.equal(await stateOf(second), 'approving', 'both together are more than leaves by itself');
  await world.audit();
});

test('while a rail is short, a larger payout needs a person as it leaves', async () => {
  await put({ 'exchange.auto_customer_day_usd': '10000' });
  world.holdSends();
  const [large, small] = [await paid(await world.holder(3), '0.01'), await paid(await world.holder(3), '0.002')];
  assert.deepEqual([await stateOf(large), await stateOf(small)], ['queued', 'queued']);
  const stored = async () => {
    const orders = await Promise.all([large, small].map((order) => world.order(order)));
    const requests = orders.map(({ view }) => ({
      ...{
        id: view.facts.transfer?.intent ?? '',
        owner: { kind: 'order', id: view.id } as const,
        purpose: 'payout' as const,
        to: {},
      },
      ...{ currency: 'USDT_ERC20', unit: 'USDT', parts: view.facts.transfer?.parts ?? 0n },
    }));
    const found = await world.db.tx((tx) => ordersMayLeave(tx, requests));
    return requests.map(({ id }) => found.get(id)?.reason);
  };
  assert.deepEqual(await stored(), [undefined, undefined]);
  await world.db.run(
    `insert into reconciliation (currency, place, unit, books, rail_says, coming, going, difference, at, off_since)
     values ('USDT_ERC20', 'hot', 'USDT', 100, 0, 0, 0, -100, clock_now(), clock_now() - interval '1 hour')
     on conflict (currency, place) do update set off_since = excluded.off_since`,
  );
  assert.deepEqual(await stored(), ['above_bounds', undefined]);
});
