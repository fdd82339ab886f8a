// Payouts and refunds that come back in part: the books hold the part that came, and the right party bears the rest.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accounts, balance } from '../../ledger/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

describe('transfers that come back in part', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    world.holdSends();
  });
  after(() => world.close());

  const hot = () => balance(world.db, accounts.custody('USDT_ERC20', 'hot', 'USDT'));
  const spent = () => balance(world.db, accounts.spent('rail', 'USDT'));
  async function sent(): Promise<{ order: StoredOrder; parts: bigint }> {
    const order = await world.place();
    world.pay(order);
    await world.mine();
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
    return { order, parts: (await world.order(order)).view.facts.sent?.parts ?? 0n };
  }

  test('a payout: the customer keeps the full amount, the desk bears the rail’s deduction', async () => {
    const { order, parts } = await sent();
    const [had, was] = [await hot(), await spent()];
    await world.report(order, 'returned', { back: String(parts - 3_000_000n) });
    const { state, positions } = (await world.order(order)).view;
    assert.deepEqual([state, positions.out], ['undelivered', parts]);
    assert.deepEqual([(await hot()) - had, (await spent()) - was], [parts - 3_000_000n, 3_000_000n]);
    await world.audit();
  });

  test('a receiver who caused it bears the deduction, even if the exchange is reversed', async () => {
    const { order, parts } = await sent();
    const was = await spent();
    await world.report(order, 'returned', { back: String(parts - 3_000_000n), isBorneByReceiver: true });
    const { positions, payments } = (await world.order(order)).view;
    assert.deepEqual([positions.out, (await spent()) - was], [parts - 3_000_000n, 0n]);
    await world.audit();
    const [payment] = payments;
    assert.ok(payment);
    await world.reportPayin(order, payment.id, 'reversed', { parts: payment.parts.toString(), reason: 'reorg' });
    assert.equal((await world.order(order)).view.state, 'reversed');
    await world.audit();
  });
});
