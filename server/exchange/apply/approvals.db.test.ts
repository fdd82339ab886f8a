import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '../scenarios/world.testing.ts';

test('a short outage of a rail sends no payout to people: it leaves when the rail is back', async () => {
  const world = await openWorld();
  try {
    const order = await world.place();
    const { world: evm } = world.rails.USDT_ERC20;
    evm.health = { isUp: false, detail: 'away' };
    await world.db.run(`update rail_state set up = false where rail = 'evm'`);
    world.pay(order);
    await world.mine();
    assert.equal(await world.state(order), 'queued');
    evm.health = { isUp: true, detail: 'up' };
    await world.pass(2);
    await world.mine(64);
    await world.mine(64);
    assert.equal((await world.order(order)).view.state, 'completed');
    await world.audit();
  } finally {
    await world.close();
  }
});
