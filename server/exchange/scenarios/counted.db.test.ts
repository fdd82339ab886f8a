// Orders that count towards a customer's limits in addition to placed ones: money for which they really got an offer.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { markStuck } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { withOffer } from '../actions/choose.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

describe('limits count', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const counts = async ({ view }: StoredOrder): Promise<boolean> =>
    (await world.db.row(`select from limit_use where owner_id = $1 limit 1`, [view.id])) !== undefined;

  /** Makes the payout currency stuck at its rail, so that the desk can't offer anything. */
  async function stick(isBack: boolean): Promise<void> {
    await world.db.tx((tx) => markStuck(tx, { id: newId(), currency: 'USDT_ERC20', parts: 1_000_000_000_000n, isBack }));
    await world.pass(1);
  }

  async function offerOf(order: StoredOrder) {
    return (await withOffer(world.deps, await world.order(order))).view.facts.offer;
  }

  test('an unallocated payment by its offer, and not before', async () => {
    const order = await world.place();
    world.pay(order);
    await world.mine();
    await world.mine(64);
    world.pay(order, '0.002');
    await world.pass(1);
    await world.mine();
    const [unallocated] = await world.unallocatedPayments(order);
    assert.ok(unallocated);
    await stick(false);
    assert.equal(await offerOf(unallocated), undefined);
    assert.equal(await counts(unallocated), false, 'nothing was offered for it');
    await stick(true);
    assert.ok(await offerOf(unallocated));
    assert.equal(await counts(unallocated), true);
    await world.pass(1);
    await world.audit();
  });

  test('a late order by its offer, not by being viewed', async () => {
    const order = await world.place();
    await world.pass(16);
    assert.equal(await counts(order), false, 'expired');
    await world.price('80000');
    world.pay(order);
    await world.mine();
    await world.turn();
    assert.equal((await world.order(order)).view.state, 'choosing');
    assert.equal(await counts(order), false, 'a worse rate: it does not go on by itself');
    assert.ok(await offerOf(order));
    assert.equal(await counts(order), true);
    await world.price('90000');
    await world.audit();
  });
});
