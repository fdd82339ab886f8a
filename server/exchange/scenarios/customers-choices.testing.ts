// Actions of customers and rails on an order, one function each, for tests.

import assert from 'node:assert/strict';
import { choose, withOffer } from '../actions/choose.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { World } from './world.testing.ts';

const known = (world: World, order: StoredOrder) => ({ id: order.number, token: world.token(order) });

async function offerOf(world: World, order: StoredOrder): Promise<number> {
  const { view } = await withOffer(world.deps, await world.order(order));
  return view.facts.offer?.number ?? assert.fail(`nothing is offered in ${view.state}`);
}

/** Makes the customer's choice that an undelivered payout is bought back. `otp`: the code that was mailed to the customer. */
export async function buyBack(world: World, order: StoredOrder, otp: string): Promise<void> {
  await choose(world.deps, { ...known(world, order), choice: 'take_back', offer: await offerOf(world, order), otp });
}

/** Makes the customer's choice to go on at the current rate. */
export async function goOn(world: World, order: StoredOrder): Promise<void> {
  await choose(world.deps, { ...known(world, order), choice: 'continue', offer: await offerOf(world, order) });
}

/** Publishes the event that the rail took an order's payment back, or that it is final again. */
export async function reportPayment(world: World, order: StoredOrder, event: 'reversed' | 'final'): Promise<void> {
  const [payment] = (await world.order(order)).view.payments;
  assert.ok(payment);
  const more = event === 'final' ? { isBack: true as const } : { reason: 'reorg' as const };
  await world.reportPayin(order, payment.id, event, { parts: payment.parts.toString(), ...more });
}
