// Sample orders, of which `fillHistory` makes copies.

import assert from 'node:assert/strict';
import type { World } from '../scenarios/world.testing.ts';

/** Completes an order from BTC to USDT, and one from USDT to BTC. */
export async function completeBothWays(world: World): Promise<void> {
  for (const [from, amount] of [
    ['BTC', '0.005'],
    ['USDT_ERC20', '500.00'],
  ] as const) {
    const order = await world.place({ from, amount });
    world.pay(order);
    for (const blocks of [1, 70, 70]) await world.mine(blocks);
    assert.equal((await world.order(order)).view.state, 'completed');
  }
}
