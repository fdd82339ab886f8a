// Orders while the desk has stopped new ones, or payouts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { setStopped } from '../../payments/index.ts';
import { watchSettings } from '../../platform/index.ts';
import { closedNow, directionOf } from '../../pricing/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let settings: Awaited<ReturnType<typeof watchSettings>>;
before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
});
after(async () => {
  await settings.stop();
  await world.close();
});

const put = (what: string, isStop: boolean): Promise<void> => world.db.tx((tx) => setStopped(tx, [what], isStop, 'ann'));
/** Refreshes this process's settings, as it does within a second. */
const know = async (): Promise<void> => {
  await settings.refresh();
  await world.pass(0);
};
const whyNot = (placed: Promise<unknown>): Promise<unknown> =>
  placed.then(
    () => 'placed',
    (error: unknown) => (error instanceof Problem ? [error.code, error.details.params?.['reason']] : error),
  );

for (const [what, reason] of [
  ['orders', 'stopped'],
  ['payouts', 'payouts_off'],
] as const)
  test(`${what} stopped between review and placing refuse the order, and nothing is stored`, async () => {
    const [first, second] = [await world.calculate(), await world.calculate()];
    const before = await world.db.rows('select from customer_order');
    await put(what, true);
    assert.deepEqual(await whyNot(placeOrder(world.deps, first)), ['direction_closed', reason], 'before this process knows');
    await know();
    assert.equal(closedNow(directionOf('BTC', 'USDT_ERC20')), reason);
    assert.deepEqual(await whyNot(world.calculate()), ['direction_closed', reason], 'before anything is typed');
    assert.equal((await world.db.rows('select from customer_order')).length, before.length);
    await put(what, false);
    await know();
    assert.equal(await whyNot(placeOrder(world.deps, second)), 'placed', 'it may be placed once it is on again');
  });

test('while orders are stopped, placed ones are credited and paid', async () => {
  const order = await world.place();
  await put('orders', true);
  await know();
  world.pay(order);
  await world.mine(6);
  await world.mine(64);
  assert.equal(await world.state(order), 'completed');
  await put('orders', false);
  await know();
  await world.audit();
});

test('while payouts are stopped, paid orders are exchanged and wait, and are paid out once afterwards', async () => {
  const order = await world.place();
  await put('payouts', true);
  await know();
  world.pay(order);
  await world.mine(6);
  for (let turn = 0; turn < 5; turn += 1) await world.pass(1);
  assert.equal(await world.state(order), 'queued');
  const intent = (await world.order(order)).view.facts.transfer?.intent ?? '';
  assert.equal(world.rails.USDT_ERC20.world.executions(intent), 0);
  await put('payouts', false);
  await know();
  await world.mine(64);
  assert.equal(await world.state(order), 'completed');
  assert.equal(world.rails.USDT_ERC20.world.executions(intent), 1);
  await world.audit();
});
