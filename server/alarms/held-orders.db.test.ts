// The alarm about orders that only people end the hold of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { screenPayments } from '../compliance/index.ts';
import { actOnOrder } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { heldWords, screenNobody, screenSenders } from './holds.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
  screenSenders();
});
after(async () => {
  screenNobody();
  await world.close();
});

const found = (): Promise<string[]> => heldWords(world.db);

/** Places an order, pays it from an account, lets it be screened, and returns its number. */
async function heldFrom(address: string): Promise<string> {
  const order = await world.place();
  world.pay(order, undefined, { from: [address] });
  await world.mine();
  await screenPayments(world.db);
  for (let at = 0; at < 2; at += 1) await world.pass(1);
  assert.equal((await world.order(order)).view.state, 'holding');
  return order.number;
}

test('an order that only a person ends the hold of raises an alarm until then; a soft hold, which ends by time, raises none', async () => {
  await heldFrom('mixer');
  assert.deepEqual(await found(), []);
  const number = await heldFrom('thief');
  assert.deepEqual(await found(), ['1 orders are held until a person decides: see `desk waiting`.']);
  await world.pass(73 * 60);
  assert.equal((await found()).length, 1, 'after the time of the hold as well');
  const decision = { number, action: 'decide_refund', by: 'carl', reason: 'stolen' } as const;
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, decision));
  assert.deepEqual(await found(), []);
});
