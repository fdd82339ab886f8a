// What a rail can promise: never more than it has.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId, putSetting } from '../platform/index.ts';
import { fundDesk } from './capital.ts';
import { askReserve, payable, refreshFloat } from './float.ts';
import { followRail } from './follow-attempts.ts';
import { payRail } from './send-payouts.ts';
import { type Desk, openDesk, resume } from './world.testing.ts';

const PARTS = 100_000n;
let desk: Desk;
before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
});
after(() => desk.close());

test('payable is what the rail confirmed less what is queued or under way', async () => {
  await askReserve(desk.deps, desk.rail);
  await desk.turn();
  const free = await payable(desk.db, 'BTC');
  assert.ok(free > 0n && free <= desk.world.held('BTC', 'hot'));
  const id = await desk.request(PARTS);
  await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', false, 'test'));
  await desk.turn();
  assert.equal(await payable(desk.db, 'BTC'), free - PARTS);
  await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', true, 'test'));
  await desk.db.run(`update rail_state set up = false`);
  assert.equal(await payable(desk.db, 'BTC'), 0n, 'a rail that is down promises nothing');
  await desk.db.run(`update rail_state set up = true`);
  assert.equal(await payable(desk.db, 'DOGE'), 0n);
  await resume(desk, 2);
  assert.equal(await desk.status(id), 'final');
});

test('what was final before the rail was asked again is promised to nobody', async () => {
  await desk.read();
  const free = await payable(desk.db, 'BTC');
  const id = await desk.request(PARTS);
  await payRail(desk.deps, desk.rail);
  desk.world.mine(6);
  await desk.pass(61_000);
  await followRail(desk.deps, desk.rail);
  assert.equal(await desk.status(id), 'final');
  await refreshFloat(desk.deps, desk.rail);
  const promised = await payable(desk.db, 'BTC');
  assert.ok(promised <= free - PARTS, `${promised} of ${free}`);
});
