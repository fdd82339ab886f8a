// Orders while the rail of their payout has less money than the books.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { closedNow, directionOf } from '../../pricing/index.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
  world.holdSends();
});
after(() => world.close());

/** Makes a rail short of money against the books since some minutes. */
async function short(minutes: number): Promise<void> {
  await world.db.run(
    `insert into reconciliation (currency, place, unit, books, rail_says, coming, going, difference, at, off_since)
     values ('USDT_ERC20', 'hot', 'USDT', 2, 1, 0, 0, -1, clock_now(), clock_now() - $1 * interval '1 minute')
     on conflict (currency, place) do update set off_since = excluded.off_since`,
    [minutes],
  );
  await world.pass(0);
}
const closed = () => closedNow(directionOf('BTC', 'USDT_ERC20'));

test('new orders are refused with a reason, and paid orders go on: larger ones after approval', async () => {
  const [small, large] = [await world.place({ amount: '0.005' }), await world.place({ amount: '0.008' })];
  await short(9);
  assert.equal(closed(), undefined);
  await short(10);
  assert.equal(closed(), 'difference');
  await assert.rejects(world.calculate(), (error: Problem) => error.details.params?.['reason'] === 'difference');
  for (const order of [small, large]) world.pay(order);
  await world.mine(3);
  // 450 USD are below the limit of 500, 720 above it.
  assert.equal(await world.state(small), 'queued');
  const { state, facts } = (await world.order(large)).view;
  assert.deepEqual([state, facts.approval?.people], ['approving', 1]);
  await world.db.run('update reconciliation set off_since = null');
  await world.pass(0);
  assert.equal(closed(), undefined);
  await world.audit();
});
