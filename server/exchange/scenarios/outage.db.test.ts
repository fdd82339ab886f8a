// Our outages, and payments that no node shows, make no order late.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { advanceClock } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { showOrder } from '../views/track.ts';
import { type World, openWorld } from './world.testing.ts';

describe('an outage of ours', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());
  afterEach(async () => {
    chain().now = undefined;
    // A rail that was silent for long counts as down until it answers.
    await pollsAgain();
  });

  const chain = () => world.rails.BTC.world;
  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const isLate = async (order: StoredOrder): Promise<boolean> => (await world.order(order)).view.facts.isLate;
  /** Makes all polls fail until the chain is calm again. */
  const nobodyPolls = (): void => {
    chain().chance = (call) => (call === 'send' || call === 'reserve' ? undefined : { kind: 'error' });
  };
  /** Mines a block at the current time of the chain's clock. */
  const block = async (): Promise<void> => {
    const now = await world.db.now();
    chain().now = () => now;
    chain().mine();
  };
  /** Lets the node answer again; the first poll may take some turns. */
  const pollsAgain = async (): Promise<void> => {
    chain().calm();
    await world.pass(1);
    await world.pass(1);
  };

  test("beyond the lock's end: a payment mined in time keeps the rate", async () => {
    const order = await world.place();
    await world.turn();
    // The worker is down: time passes, and none of our loops runs.
    await advanceClock(world.db, 5 * 60_000);
    world.pay(order);
    await block();
    await advanceClock(world.db, 70 * 60_000);
    await world.price('80000');
    await world.turn();
    const { view } = await world.order(order);
    assert.equal(view.facts.isLate, false);
    assert.equal(view.facts.exchange?.got, view.get?.parts);
    await world.price('90000');
    await world.audit();
  });

  test('an order waits for the first successful poll, and takes a payment made meanwhile', async () => {
    const order = await world.place();
    await world.turn();
    nobodyPolls();
    await world.pass(16);
    await world.pass(20);
    assert.equal(await state(order), 'awaiting', 'nobody could look at the end of its lock');
    assert.equal((await showOrder(world.deps, await world.order(order))).reason, 'looking', 'and its page says so');
    world.pay(order);
    await pollsAgain();
    assert.deepEqual([await state(order), await isLate(order)], ['seen', false]);
    await world.mine();
    const { view } = await world.order(order);
    assert.equal(view.facts.exchange?.got, view.get?.parts);
    await world.audit();
  });

  test('extends a lock for an hour at most', async () => {
    const order = await world.place();
    await world.turn();
    nobodyPolls();
    await world.pass(16);
    await world.pass(50);
    assert.equal(await state(order), 'awaiting');
    await world.pass(11);
    assert.equal(await state(order), 'expired');
    await world.audit();
  });

  test('a payment made in it but not mined within the window is late', async () => {
    const order = await world.place();
    await world.turn();
    nobodyPolls();
    await world.pass(45);
    world.pay(order);
    await pollsAgain();
    assert.equal(await state(order), 'seen');
    await world.pass(30);
    await world.pass(1);
    assert.equal(await isLate(order), true);
    await world.audit();
  });

  test('a payment that is missing makes nothing late; mined in time it keeps the rate', async () => {
    const order = await world.place();
    const txid = world.pay(order);
    await world.turn();
    assert.equal(await state(order), 'seen');
    await world.pass(10);
    await block();
    chain().endless.add(order.payTo ?? '');
    chain().inject('seek', { kind: 'error' }, 1_000);
    for (const minutes of [60, 60, 1, 1]) await world.pass(minutes);
    assert.deepEqual([await state(order), await isLate(order)], ['seen', false], 'not shown is not unconfirmed');
    chain().endless.delete(order.payTo ?? '');
    await pollsAgain();
    const { view } = await world.order(order);
    assert.equal(view.payments[0]?.txid, txid);
    assert.equal(view.facts.exchange?.got, view.get?.parts);
    await world.audit();
  });
});
