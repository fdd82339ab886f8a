// Tests payouts at a provider that were requested before a restore: the original may have sent them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../platform/index.ts';
import { fundDesk } from '../balances/capital.ts';
import { type Desk, openDesk, resume } from '../scenarios/world.testing.ts';
import { resolvePayout } from '../sending/resolve-payout.ts';
import { endRestored, enterRestored } from './restored-mode.ts';

const PARTS = 100_000n;
const people = ['olga', 'oleg'] as const;
let desk: Desk;
before(async () => {
  desk = await openDesk({ id: 'provider', provider: { hasDedupe: false } });
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: desk.currency, place: 'hot', parts: 10_000_000n }));
});
after(() => desk.close());

/** The original sends a payout under the reference that these books have for it, too. */
async function originalPays(id: string, to: Readonly<Record<string, string>>): Promise<void> {
  const { payout } = desk.rail;
  const made = await payout?.prepare([{ id, currency: desk.currency, to, parts: PARTS }], {
    spent: [],
    unconfirmed: [],
    indexes: [],
    changeIndex: 0,
  });
  assert.ok(made?.ok);
  await payout?.send(made.attempt);
}

async function restore(): Promise<void> {
  await desk.pass(1_000);
  await desk.db.tx((tx) => enterRestored(tx, [{ found: 'keys', detail: 'The keys were brought back.' }]));
  await desk.db.tx((tx) => endRestored(tx, people));
}

test('a payout sent by the original is looked up and counts as sent; it is not sent again', async () => {
  const to = desk.receiver();
  const id = await desk.request(PARTS, to);
  await originalPays(id, to);
  await restore();
  await resume(desk, 8);
  assert.equal(desk.world.executions(id), 1);
  assert.ok(['sent', 'final'].includes(await desk.status(id)), await desk.status(id));
});

test('a payout that the provider doesn’t show is in doubt until two people decide, and is never sent', async () => {
  const id = await desk.request(PARTS);
  await restore();
  const fresh = await desk.request(PARTS);
  await resume(desk, 8);
  assert.deepEqual([await desk.status(id), desk.world.executions(id)], ['in_doubt', 0]);
  assert.equal(desk.world.executions(fresh), 1, 'later requests are sent');
  await desk.db.tx((tx) => resolvePayout(tx, id, 'not_sent', { statement: 'not on their list', by: people }));
  await resume(desk, 2);
  assert.deepEqual([await desk.status(id), desk.world.executions(id)], ['failed', 0]);
});
