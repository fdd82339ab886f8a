// Tests that a rail's balance altered by SQL promises nothing, and lets nothing more leave without people.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../platform/index.ts';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';
import { fundDesk } from './capital.ts';
import { lastFloat, payable, refreshFloat, takeWithinFloat } from './float.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
});
after(() => desk.close());

/** Changes of a reading, each of which would promise more. */
const CHANGES: Readonly<Record<string, string>> = {
  'what it can pay': 'payable = payable * 10, parts = parts * 10',
  'what is free of it': 'free = payable * 10',
  'all of it': 'payable = payable * 10, parts = parts * 10, free = payable * 10',
  'the reading of another place': `(parts, payable, free, mac) = (parts * 10, payable * 10, payable * 10, mac)`,
  'when it was read': `read_at = read_at + interval '1 hour'`,
  'no MAC': 'mac = null, parts = parts * 10, payable = payable * 10, free = payable * 10',
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a reading that was changed by SQL promises nothing until the next one: ${what}`, async () => {
    await desk.read();
    const free = await payable(desk.db, 'BTC');
    assert.ok(free > 0n);
    await desk.db.run(`update rail_balance set ${change} where currency = 'BTC' and place = 'hot'`);
    const [promised, last] = [await payable(desk.db, 'BTC'), await lastFloat(desk.db, 'BTC')];
    assert.deepEqual([promised, last], [0n, 0n]);
    // Updating the free part alone doesn't accept it, either.
    await refreshFloat(desk.deps, desk.rail);
    const again = await payable(desk.db, 'BTC');
    assert.ok(again === 0n || (again === free && what === 'what is free of it'));
    await desk.read();
    assert.equal(await payable(desk.db, 'BTC'), free);
  });
}

test('no payout is taken within a reading that was raised by SQL', async () => {
  await desk.read();
  const id = await desk.request(desk.world.held('BTC', 'hot') * 2n);
  await desk.db.run(
    `update rail_balance set parts = parts * 10, payable = payable * 10 where currency = 'BTC' and place = 'hot'`,
  );
  const payout = { id, currency: 'BTC', parts: desk.world.held('BTC', 'hot') * 2n } as Parameters<
    typeof takeWithinFloat
  >[2][number];
  const { fit } = await desk.db.tx((tx) => takeWithinFloat(tx, desk.rail.id, [payout]));
  assert.deepEqual(fit, []);
});
