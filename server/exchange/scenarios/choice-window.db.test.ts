// A customer may choose for 72 hours from the moment when they were first asked about the money.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { choose } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { showOrder } from '../views/track.ts';
import { type World, openWorld } from './world.testing.ts';

describe('the time to choose', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const shown = async (order: StoredOrder) => showOrder(world.deps, await world.order(order));
  const chooseBy = async (order: StoredOrder): Promise<number> => Date.parse((await shown(order)).choose_by ?? '');

  /** Returns an underpaid order whose customer wants to be asked. */
  async function requested(): Promise<StoredOrder> {
    const order = await world.place({ askMe: true });
    world.pay(order, '0.001');
    await world.mine();
    assert.equal((await shown(order)).status, 'choose');
    return order;
  }

  test('a choice that isn’t open costs no attempt at a code', async () => {
    const order = await world.place();
    const good = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    const bad = good === '000000' ? '000001' : '000000';
    const isChanged = (error: Problem): boolean => error.code === 'order_changed';
    for (let tries = 0; tries < 7; tries += 1)
      await assert.rejects(
        choose(world.deps, { id: order.number, token: world.token(order), choice: 'refund', otp: bad }),
        isChanged,
      );
    world.pay(order, '0.001');
    await world.mine();
    await world.pass(20);
    assert.equal((await world.order(order)).view.state, 'choosing');
    const later = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    await choose(world.deps, { id: order.number, token: world.token(order), choice: 'refund', otp: later });
    assert.equal(await world.state(order), 'r_queued');
    await world.mine(2);
    await world.audit();
  });

  test('the end of the rate doesn’t restart it', async () => {
    const order = await requested();
    const first = await chooseBy(order);
    await world.pass(20);
    assert.equal((await world.order(order)).view.facts.hasLowerRate, true, 'the rate is over');
    assert.equal(await chooseBy(order), first);
    await world.pass(72 * 60 - 22);
    assert.equal((await shown(order)).status, 'choose');
    await world.pass(3);
    assert.equal((await shown(order)).status, 'refunding');
    await world.audit();
  });

  test('a dropped payment doesn’t restart it; a final one does', async () => {
    const order = await requested();
    const first = await chooseBy(order);
    await world.pass(60);
    const gone = world.pay(order, '0.0005');
    await world.pass(1);
    assert.deepEqual((await world.events(order)).slice(-2), ['payin_seen', 'window_over'], 'too late to wait for it');
    assert.equal(await chooseBy(order), first);
    world.rails.BTC.world.doubleSpend(gone);
    world.rails.BTC.world.mine();
    await world.pass(1);
    await world.pass(2);
    assert.deepEqual([(await shown(order)).status, await chooseBy(order)], ['choose', first]);
    world.pay(order, '0.0005');
    await world.mine();
    assert.equal((await shown(order)).status, 'choose');
    assert.ok((await chooseBy(order)) > first, 'they are asked about more');
    await world.audit();
  });
});
