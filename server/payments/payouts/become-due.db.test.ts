// Tests that each block's query stays cheap, however long the history is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, openDb } from '../../platform/index.ts';
import { type TestDb, apart, grownPages, pagesOf, testDb } from '../../platform/testing.ts';
import { becomeDue } from './become-due.ts';

let database: TestDb;
/** A page that shows confirmations, and so waits for blocks. */
let page: Db;
before(async () => {
  database = await testDb();
  page = openDb({ url: database.url, name: 'page', max: 1 });
  await page.row(`select pg_advisory_lock_shared(hashtext('wake'), hashtext('blocks'))`);
});
after(async () => {
  await page.close();
  await database.drop();
});

/** Inserts addresses that were paid long ago, and final attempts, with consecutive numbers. */
const fill = (from: number, to: number): Promise<void> =>
  apart(database.db, database.ownerUrl, async (own) => {
    await own.run(
      `insert into receiving_address (rail, currency, number, to_text, to_key, owner_kind, owner_id, customer, taken_at, due_at)
       select 'evm', 'ETH', n, 'to ' || n, 'to ' || n, 'order', 'old', 'ann', now(), now() + interval '7 days'
       from generate_series($1::int, $2::int) as n`,
      [from, to],
    );
    await own.run(
      `insert into payin (id, rail, key, number, owner_kind, owner_id, customer, currency, unit, place, is_foreign, parts, txid, senders,
         inputs, status, is_fee_ok, height, confirmations, finalised, needed, deep, followed, seen_at)
       select gen_random_uuid(), 'evm', 'key ' || n, n, 'order', 'old', 'ann', 'ETH', 'ETH', 'deposit', false, 1, 'tx ' || n, '{}', '{}',
         'final', true, 1, 100, true, 1, true, false, now() from generate_series($1::int, $2::int) as n`,
      [from, to],
    );
    await own.run(
      `with sent as (
         insert into payment_attempt (id, rail, purpose, reference, items, raw, spends, fee_currency, fee, fee_known, status, height, stored_at)
         select gen_random_uuid(), 'evm', 'payout', 'reference ' || n, '{}', '', '{}', 'ETH', 1, 'mined', 'final', 1, now()
         from generate_series($1::int, $2::int) as n returning id
       )
       insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, attempt_id, created_at, status_at)
       select gen_random_uuid(), 'order', 'old', 'payout', 'evm', 'ETH', 'ETH', 1, '{}', '', 'final', id, now(), now() from sent`,
      [from, to],
    );
    await own.run('analyze receiving_address, payin, payment_attempt, payout');
  });

for (const isReorg of [false, true])
  test(`a block reads no more with a longer history (${isReorg ? 'a reorg' : 'the next one'})`, async () => {
    const block = (own: Parameters<typeof becomeDue>[0]) =>
      becomeDue(own, 'evm', { height: 1_000, isReorg, isBlocksOnly: true, held: [] });
    // Often enough that PostgreSQL caches the statement's plan.
    const read = () =>
      pagesOf(database.db, database.url, async (own) => {
        for (let time = 0; time < 8; time += 1) await block(own);
      });
    const begun = isReorg ? 100_000 : 0;
    await fill(begun + 1, begun + 200);
    await database.db.run(`update payment_attempt set status = 'sent' where reference = $1`, [`reference ${begun + 1}`]);
    const few = await read();
    await fill(begun + 201, begun + 30_000);
    assert.deepEqual(grownPages(few, await read()), []);
  });
