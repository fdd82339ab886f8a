// Tests the last check by the owner, where a send becomes irrevocable: a refused payout was never sent.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { PayoutObstacle, Leaving } from '../rails/gates.ts';
import { payRail } from '../sending/send-payouts.ts';
import { requestPayout, stopPayout } from './request-payout.ts';
import { type Desk, events, holdUp, openDesk, resume } from '../scenarios/world.testing.ts';

const PARTS = 100_000n;
let desk: Desk;
let refused = new Map<string, PayoutObstacle>();
let requests: Leaving[][] = [];
before(async () => {
  const order = async (_: unknown, payouts: readonly Leaving[]) => {
    requests.push([...payouts]);
    return refused;
  };
  desk = await openDesk({}, { gates: { order } });
});
beforeEach(() => {
  refused = new Map();
  requests = [];
});
after(() => desk.close());

test('the owner is called when a payout is taken, and again when its send is stored', async () => {
  const id = await desk.request(PARTS);
  await desk.turn();
  assert.deepEqual(
    requests.map((payouts) => payouts.map((one) => [one.id, one.parts])),
    [[[id, PARTS]], [[id, PARTS]]],
  );
  assert.equal(desk.world.executions(id), 1);
});

test('a refused payout is stopped and published with its reason; the others leave', async () => {
  const [stored, other] = [await desk.request(PARTS), await desk.request(PARTS)];
  refused.set(stored, { reason: 'debt_open' });
  await desk.turn();
  await resume(desk, 2);
  assert.deepEqual([desk.world.executions(stored), desk.world.executions(other)], [0, 1]);
  assert.equal(await desk.status(stored), 'stopped');
  const published = await desk.payouts(stored);
  assert.deepEqual([events(published), published[0]?.reason], [['kept'], 'debt_open']);
  assert.equal(await desk.db.tx((tx) => stopPayout(tx, stored)), true, 'a second stop finds it stopped');
});

test('a refusal between signing and storing stops the whole batch, and the others are signed anew', async () => {
  const [stored, other] = [await desk.request(PARTS), await desk.request(PARTS)];
  const held = holdUp(desk, 'prepare');
  const paying = payRail({ ...desk.deps, callMs: 10_000 }, desk.rail);
  await held.requested;
  refused.set(stored, { reason: 'withdrawals_frozen' });
  held.answer();
  await paying;
  await resume(desk, 3);
  assert.deepEqual([desk.world.executions(stored), desk.world.executions(other)], [0, 1]);
  assert.deepEqual(events(await desk.payouts(stored)), ['kept']);
});

test('a payout waits while its owner has no answer, and leaves automatically once it may', async () => {
  const id = await desk.request(PARTS);
  refused.set(id, { reason: 'not looked at yet', mayWait: true });
  await desk.turn();
  assert.equal(await desk.status(id), 'queued');
  refused.clear();
  await resume(desk, 2);
  assert.deepEqual([desk.world.executions(id), events(await desk.payouts(id))], [1, ['send', 'accepted', 'final']]);
});

test('a refused payout that is requested again leaves once', async () => {
  const [id, to] = [await desk.request(PARTS), desk.receiver()];
  refused.set(id, { reason: 'debt_open' });
  await desk.turn();
  refused.clear();
  const [row] = await desk.db.rows<{ owner_id: string; to_fields: typeof to }>(
    'select owner_id, to_fields from payout where id = $1',
    [id],
  );
  const again = {
    id,
    owner: { kind: 'order' as const, id: row?.owner_id ?? '' },
    currency: 'BTC',
    unit: 'BTC',
    purpose: 'payout' as const,
  };
  await desk.db.tx((tx) => requestPayout(tx, { ...again, parts: PARTS, to: row?.to_fields ?? to }));
  await resume(desk, 3);
  assert.deepEqual([desk.world.executions(id), events(await desk.payouts(id))], [1, ['kept', 'send', 'accepted', 'final']]);
});
