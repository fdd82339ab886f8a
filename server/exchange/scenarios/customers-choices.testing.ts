// Actions of customers and rails on an order in tests, one function each.

import assert from 'node:assert/strict';
import { choose, withOffer } from '../actions/choose.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { World } from './world.testing.ts';

const known = (world: World, order: StoredOrder) => ({ id: order.number, token: world.token(order) });

async function offerOf(world: World, order: StoredOrder): Promise<number> {
  const { view } = await withOffer(world.deps, await world.order(order));
  return view.facts.offer?.number ?? assert.fail(`nothing is offered in ${view.state}`);
}

/** Lets the customer have an undelivered payout bought back. `otp`: the code that was mailed to them. */
export async function buyBack(world: World, order: StoredOrder, otp: string): Promise<void> {
  await choose(world.deps, { ...known(world, order), choice: 'take_back', offer: await offerOf(world, order), otp });
}

/** Lets the customer go on at the current rate. */
export async function goOn(world: World, order: StoredOrder): Promise<void> {
  await choose(world.deps, { ...known(world, order), choice: 'continue', offer: await offerOf(world, order) });
}

/** Reports that the rail takes an order's payment back, or restores it. */
export async function reportPayment(world: World, order: StoredOrder, event: 'reversed' | 'final'): Promise<void> {
  const [payment] = (await world.order(order)).view.payments;
  assert.ok(payment);
  const more = event === 'final' ? { isBack: true as const } : { reason: 'reorg' as const };
  await world.reportPayin(order, payment.id, event, { parts: payment.parts.toString(), ...more });
}
