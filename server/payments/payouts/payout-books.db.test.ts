// A database in which an earlier version left payouts whose accounts nobody named is refused while anything may still be posted
// of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId, outbox } from '../../platform/index.ts';
import { type TestDb, apart, grownPages, pagesOf, testDb } from '../../platform/testing.ts';
import { PAYOUT_EVENT, type PayoutEvent } from '../rails/event-bodies.ts';
import { payoutsBefore } from './payout-books.ts';

let database: TestDb;
const subscription = { subscriber: 'exchange', kinds: [PAYOUT_EVENT], about: 'order:', handle: async () => {} };
before(async () => {
  database = await testDb();
  await outbox.subscribe(database.db, [subscription]);
});
after(() => database.drop());

/** A payout as an earlier version left it, without books unless said. */
async function payout(status: string, books: string | null = null): Promise<string> {
  const id = newId();
  await database.db.run(
    `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, books, created_at, status_at)
     values ($1::uuid, 'order', $1::text, 'payout', 'bitcoin', 'BTC', 'BTC', 1, '{}', '', $2, $3::jsonb, now(), now())`,
    [id, status, books],
  );
  return id;
}
const tell = (intentId: string, event: PayoutEvent): Promise<void> =>
  database.db.tx((tx) =>
    outbox.publish(tx, [{ id: newId(), kind: PAYOUT_EVENT, subject: `order:${intentId}`, body: { intentId, event } }]),
  );
const isBefore = async (): Promise<boolean> => (await payoutsBefore(database.db)).length > 0;

test('payouts of before that may still move refuse a start; those at rest do not', async () => {
  for (const status of ['sent', 'final', 'failed', 'stopped']) await payout(status);
  await payout('queued', '{}');
  assert.equal(await isBefore(), false);
  const open = await payout('in_doubt');
  assert.deepEqual((await payoutsBefore(database.db)).map(({ id, waits }) => [id, waits]), [[open, 'in_doubt']]); // prettier-ignore
  await database.db.run(`update payout set status = 'failed' where id = $1`, [open]);
  assert.equal(await isBefore(), false);
});

for (const [status, event] of [
  ['failed', 'refused'],
  ['failed', 'absent'],
  ['sent', 'accepted'],
  ['sent', 'found'],
  ['failed', 'returned'],
] as const)
  // prettier-ignore
  test(`one at rest whose owner was not told that it was ${event} refuses it until they are: that owner was to post it`, async () => {
    await tell(await payout(status, '{}'), event);
    assert.equal(await isBefore(), false, 'of one with books payments has posted it');
    await tell(await payout(status), event);
    assert.equal(await isBefore(), true);
    await outbox.drain(database.db, subscription);
    assert.equal(await isBefore(), false);
  });

test('what moves no money may still be told', async () => {
  await tell(await payout('final'), 'final');
  assert.equal(await isBefore(), false);
});

test('a start with a long history reads no more of it', async () => {
  // In a database of its own, and written over connections that end: one that lives tells later what it read.
  const long = await testDb();
  const read = () => pagesOf(long.db, long.url, payoutsBefore);
  const fill = (count: number) =>
    apart(long.db, long.ownerUrl, async (own) => {
      await own.run(
        `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, books, created_at, status_at)
         select gen_random_uuid(), 'order', 'old', 'payout', 'bitcoin', 'BTC', 'BTC', 1, '{}', '', 'final', '{}', now(), now()
         from generate_series(1, $1::int)`,
        [count],
      );
      await own.run(
        `insert into fact (id, kind, subject, body, at) select gen_random_uuid(), $2, 'order:old', '{}', now() from generate_series(1, $1::int)`,
        [count, PAYOUT_EVENT],
      );
      await own.run('analyze payout, fact');
    });
  try {
    await fill(200);
    const few = await read();
    await fill(4_000);
    assert.deepEqual(grownPages(few, await read()), []);
  } finally {
    await long.drop();
  }
});
