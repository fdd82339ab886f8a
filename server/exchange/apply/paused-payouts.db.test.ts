// A switch that pauses sends never strands a paid order: after a day its customer may have all the money back.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { markStuck, switchPayouts } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { choose } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { showOrder } from '../views/track.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

const DAY = 24 * 60;

describe('payouts that are switched off', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const choices = async (order: StoredOrder) => (await showOrder(world.deps, await world.order(order))).choices;
  const turnSends = (isOn: boolean) => world.db.tx((tx) => switchPayouts(tx, { rail: 'evm', isOn }, 'ann'));

  async function refund(order: StoredOrder): Promise<void> {
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    await choose(world.deps, { id: order.number, token: world.token(order), choice: 'refund', otp });
  }

  async function refuses(order: StoredOrder): Promise<void> {
    await assert.rejects(refund(order), (error: Problem) => error.code === 'choice_not_open');
    await world.db.run('delete from one_time_code');
  }

  /** Returns a paid order whose payout can't leave. */
  async function pausedOrder(): Promise<StoredOrder> {
    await turnSends(true);
    await world.pass(1);
    const order = await world.place();
    await turnSends(false);
    world.pay(order);
    await world.mine();
    assert.equal(await state(order), 'queued');
    return order;
  }

  test('wait if they have been off for less than a day', async () => {
    const order = await pausedOrder();
    await world.pass(DAY - 5);
    assert.deepEqual(await choices(order), []);
    await refuses(order);
    await turnSends(true);
    await world.mine();
    await world.mine(64);
    assert.equal(await state(order), 'completed');
  });

  test('notify the customer once after a day, who may take a full refund', async () => {
    const order = await pausedOrder();
    await world.pass(DAY);
    await world.pass(5);
    assert.deepEqual(await choices(order), [
      { choice: 'refund', money: { amount: '0.00500000', currency: 'BTC' }, needs_code: true },
    ]);
    assert.equal((await world.letters(order)).filter((kind) => kind === 'needs_you').length, 1);
    await refund(order);
    const { view } = await world.order(order);
    assert.equal(view.state, 'refunding');
    assert.deepEqual([view.facts.transfer?.parts, view.facts.transfer?.cost], [order.view.give.parts, 0n]);
    await world.audit();
    await world.mine();
    await world.mine(6);
    assert.equal(await state(order), 'refunded');
    assert.deepEqual((await world.events(order)).slice(-7), [
      'stop',
      'op_hold',
      'release',
      'choose_refund',
      'send',
      'accepted',
      'transfer_final',
    ]);
    await world.audit();
  });

  for (const [signed, words] of [
    [false, 'taken by the worker, but never signed: its customer may have their money back'],
    [true, 'perhaps signed: never'],
  ] as const) {
    test(words, async () => {
      await turnSends(true);
      await world.pass(1);
      const order = await world.place();
      const { payout } = world.rails.USDT_ERC20.rail;
      const { prepare } = payout;
      const no = { ok: false, reason: 'unavailable', detail: '', ...(signed && { mayBeSigned: true as const }) } as const;
      (payout as { prepare: typeof prepare }).prepare = async () => no;
      world.pay(order);
      await world.mine();
      await turnSends(false);
      (payout as { prepare: typeof prepare }).prepare = prepare;
      await world.pass(DAY + 5);
      assert.equal(await state(order), 'queued');
      if (signed) {
        assert.deepEqual(await choices(order), []);
        await refuses(order);
        await turnSends(true);
        await world.mine();
        assert.equal(await state(order), 'sent');
      } else {
        await refund(order);
        assert.equal(await state(order), 'r_queued');
      }
      await world.audit();
    });
  }

  test('allow a refund at once if the payout currency is stuck, whatever the switch says', async () => {
    const order = await pausedOrder();
    await turnSends(true);
    assert.deepEqual(await choices(order), []);
    const mark = (isBack: boolean) => {
      const action = { id: newId(), currency: 'USDT_ERC20', parts: 1_000_000_000_000n, isBack };
      return world.db.tx((tx) => markStuck(tx, action));
    };
    await mark(false);
    await refund(order);
    assert.equal(await state(order), 'r_queued');
    await mark(true);
    await world.pass(1);
    await world.audit();
  });

  test('pay the promised amount once the switch is on again, if the customer waits', async () => {
    const order = await pausedOrder();
    await world.pass(DAY + 5);
    await turnSends(true);
    assert.deepEqual(await choices(order), [], 'nothing keeps it any more');
    await refuses(order);
    await world.mine();
    await world.mine(64);
    assert.equal(await state(order), 'completed');
    assert.equal((await world.order(order)).view.facts.sent?.parts, order.view.get?.parts);
    await world.audit();
  });
});
