// Payments that two people take back, with the order in each possible state.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decidePayin } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { ShownState } from '../views/shown-state.ts';
import { type World, openWorld } from './world.testing.ts';

describe('a payment that people take back', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    world.holdSends();
  });
  after(() => world.close());

  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const by = ['ann', 'bob'];
  async function say(order: StoredOrder, word: 'take_back' | 'restore'): Promise<void> {
    const payin = await world.db.row<{ id: string }>('select id from payin where owner_id = $1', [order.view.id]);
    const said = { id: newId(), payinId: payin?.id ?? '', word, evidence: 'statement', by };
    await world.db.tx((tx) => decidePayin(tx, said));
    await world.mine();
    await world.turn();
  }

  const CASES: readonly {
    sent: readonly ('send' | 'unknown' | 'accepted' | 'refused' | 'final')[];
    ends: ShownState;
    restored?: ShownState;
  }[] = [
    { sent: [], ends: 'reversed', restored: 'queued' },
    { sent: ['send'], ends: 'sending', restored: 'sending' },
    { sent: ['send', 'unknown'], ends: 'in_doubt', restored: 'in_doubt' },
    { sent: ['send', 'accepted'], ends: 'sent', restored: 'sent' },
    { sent: ['send', 'refused'], ends: 'reversed', restored: 'queued' },
    { sent: ['send', 'accepted', 'final'], ends: 'charged_back', restored: 'completed' },
  ];
  for (const { sent, ends, restored } of CASES) {
    test(`queued, then ${sent.join(', ') || 'nothing'}: ${ends}; restored: ${restored}`, async () => {
      const order = await world.place();
      world.pay(order);
      await world.mine();
      for (const event of sent) await world.report(order, event);
      await say(order, 'take_back');
      assert.equal(await state(order), ends);
      const { positions } = (await world.order(order)).view;
      assert.equal(positions.receivable > 0n, ends !== 'reversed', 'what had left is owed');
      await world.audit();
      await say(order, 'restore');
      assert.equal(await state(order), restored);
      assert.equal((await world.order(order)).view.positions.receivable, 0n);
      await world.audit();
    });
  }

  test('is taken from an order that waits for its customer’s choice', async () => {
    const order = await world.place({ askMe: true });
    world.pay(order, '0.002');
    await world.mine();
    await world.pass(20);
    assert.equal(await state(order), 'choosing');
    await say(order, 'take_back');
    assert.equal(await state(order), 'reversed');
    await world.audit();
  });
});
