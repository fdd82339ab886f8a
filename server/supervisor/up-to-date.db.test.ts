// A database is brought up to date once no payout of an earlier version is under way; until then nothing of it is changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../platform/index.ts';
import { testDbBefore } from '../platform/testing.ts';
import { bringUpToDate } from './up-to-date.ts';

test('payouts that are under way refuse it, or whose outcome their owner was to book; then all is brought up to date', async (t) => {
  const { owner, ownerUrl, drop } = await testDbBefore('0161');
  t.after(() => drop());
  const refused = (): Promise<void> => assert.rejects(bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' }), /Nothing was changed/);
  const [id, event] = [newId(), newId()];
  await owner.run(
    `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, created_at, status_at)
     values ($1::uuid, 'order', $1::text, 'payout', 'bitcoin', 'BTC', 'BTC', 1, '{}', '', 'queued', now(), now())`,
    [id],
  );
  await refused();
  await owner.run(`update payout set status = 'failed'`);
  const body = JSON.stringify({ intentId: id, event: 'refused' });
  await owner.run(`insert into fact (id, kind, subject, body, at) values ($1, 'payments.payout', 'order:x', $2, now())`, [
    event,
    body,
  ]);
  await owner.run(`insert into fact_delivery (subscriber, fact_id, due_at) values ('exchange', $1, now())`, [event]);
  await refused();
  assert.equal(await owner.row(`select from migration where name >= '0161'`), undefined);
  await owner.run('delete from fact_delivery');
  const applied = await bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' });
  assert.match(applied[0] ?? '', /^0161_/);
  assert.deepEqual(await bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' }), []);
});
