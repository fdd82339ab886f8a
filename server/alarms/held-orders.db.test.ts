// The alarm about orders that only people end the hold of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configureCompliance, screenPayments } from '../compliance/index.ts';
import { actOnOrder } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { foundInRooms } from './state.ts';

const plain = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
let world: World;
before(async () => {
  world = await openWorld();
  configureCompliance({
    ...plain,
    screener: async (requests) =>
      requests.map(({ fields: { address = '' } }) =>
        address === 'mixer'
          ? { score: 100 }
          : { score: 1, labels: address === 'thief' ? [{ name: 'stolen funds', kind: 'hard' as const }] : [] },
      ),
  });
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});

const found = async (): Promise<string[]> =>
  (await foundInRooms(world.db)).flatMap(({ kind, words }) => (kind === 'held' ? [words] : []));

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
