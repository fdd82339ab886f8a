// A payment that becomes final and is taken back in one group of events: everything made of it in that group is taken back, too.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PAYIN_EVENT, type PayinBody } from '../../payments/index.ts';
import { recordArrived } from '../../payments/testing.ts';
import { newId, outbox } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

type PublishedPayin = Pick<PayinBody, 'payinId' | 'event' | 'parts'>;

/** Delivers several events of payments about an order together, in one turn. */
async function reportTogether({ view }: StoredOrder, ...reported: readonly PublishedPayin[]): Promise<void> {
  const { currency, unit } = view.give;
  const seenAt = (await world.db.now()).toISOString();
  const events = reported.map((one) => ({
    id: newId(),
    kind: PAYIN_EVENT,
    subject: `order:${view.id}`,
    body: {
      ...{ owner: { kind: 'order', id: view.id }, currency, unit, place: 'hot', txid: one.payinId, from: [] },
      ...{ isFeeOk: true, seenAt, confirmations: 1, needed: 1 },
      ...one,
    },
  }));
  await world.db.tx((tx) => outbox.publish(tx, events));
  await world.turn();
}

for (const which of [0, 1]) {
  test(`of two payments that are too much together, number ${which + 1} is taken back at once`, async () => {
    const order = await world.place({ from: 'BTC', amount: '0.01' });
    const paid = [
      { payinId: newId(), event: 'final', parts: '900000' },
      { payinId: newId(), event: 'final', parts: '800000' },
    ] as const;
    const back = paid[which]!;
    await recordArrived(world.db, { ...order.view.give, owner: { kind: 'order', id: order.view.id } }, paid);
    await reportTogether(order, ...paid, { ...back, event: 'reversed' });
    const family = [await world.order(order), ...(await world.unallocatedPayments(order))];
    assert.equal(family.length, 2, 'what was too much is an order of its own');
    const final = family.flatMap(({ view }) => view.payments.filter(({ status }) => status === 'final'));
    assert.ok(
      final.every(({ id }) => id !== back.payinId),
      'nobody has any of it',
    );
    assert.equal(
      final.reduce((sum, { parts }) => sum + parts, 0n),
      BigInt(paid[1 - which]!.parts),
    );
  });
}
