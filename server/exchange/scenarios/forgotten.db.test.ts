import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forgetCalculations, readCalculation } from '../calculation/calculation-store.ts';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

test('a calculation without an order is deleted a day after its end, with all typed data; an order’s stays', async () => {
  const { db } = world;
  const [left, used] = [await world.calculate(), await world.calculate()];
  await placeOrder(world.deps, used);
  const ends = (await readCalculation(db, left.id))?.found.expiresAt.getTime() ?? assert.fail('it is there');
  const at = (seconds: number): Promise<number> => forgetCalculations(db, new Date(ends + seconds * 1000));
  assert.equal(await at(86_400 - 1), 0);
  assert.equal(await at(86_400 + 3600), 1);
  assert.equal(await readCalculation(db, left.id), undefined);
  assert.ok(await readCalculation(db, used.id));
});
