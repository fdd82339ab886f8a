// Payouts that wait for another one, as vouchers of one sum do: the pause between their tries doesn't grow.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { events, openDesk, resume } from './world.testing.ts';

const TRIES = 12;
const PAUSE_MS = 10_000;

it('a payout that waits for another is tried again at the same short pause, however often it has waited', async () => {
  const desk = await openDesk({ id: 'bitcoin' });
  await desk.turn();
  const id = await desk.request(100_000n);
  const { prepare } = desk.rail.payout;
  let asked = 0;
  (desk.rail.payout as { prepare: typeof prepare }).prepare = async () => {
    asked += 1;
    return { ok: false, reason: 'busy', detail: 'another payout of the sum is being sent' };
  };
  for (let at = 0; at < TRIES; at += 1) {
    await desk.turn();
    await desk.pass(PAUSE_MS);
  }
  assert.equal(asked, TRIES);
  assert.equal(await desk.status(id), 'queued');
  (desk.rail.payout as { prepare: typeof prepare }).prepare = prepare;
  await resume(desk, 2);
  assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
  await desk.close();
});
