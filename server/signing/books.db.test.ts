import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type Db, newId, openDb } from '../platform/index.ts';
import { type TestDb, asRole, testDb } from '../platform/testing.ts';
import { unrecordedMac } from '../rails/index.ts';
import { openBooksComparison } from './books.ts';
import { type Journal, openJournal } from './journal.ts';

const MINUTE = 60_000;
const AT = Date.parse('2026-11-25T10:00:00Z');
const at = (minutes: number): string => new Date(AT + minutes * MINUTE).toISOString();

let database: TestDb;
/** The database as the signer reads it. */
let db: Db;
let folder: string;
let journal: Journal;

before(async () => {
  database = await testDb();
  db = openDb({ url: asRole(database.ownerUrl, 'kurs_signer'), name: 'as-signer', max: 1 });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurs-books-'));
  journal = openJournal(join(folder, 'signed.jsonl'));
});
afterEach(async () => {
  journal.close();
  rmSync(folder, { recursive: true });
  await database.db.run('delete from payment_attempt');
  await database.owner.run('truncate unrecorded_send');
});
after(async () => {
  await db.close();
  await database.drop();
});

async function payout(status: string, minutes: number): Promise<string> {
  const id = newId();
  await database.db.run(
    `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, created_at, status_at)
     values ($1, 'order', 'o', 'payout', 'evm', 'ETH', 'ETH', 1, '{}', 'k', $2, $3, $3)`,
    [id, status, at(minutes)],
  );
  return id;
}

async function attempt(reference: string, minutes: number): Promise<void> {
  await database.db.run(
    `insert into payment_attempt (id, rail, purpose, reference, items, raw, spends, fee_currency, fee, fee_known, status, stored_at)
     values ($1, 'evm', 'payout', $2, '{}', '0x', '{}', 'ETH', 1, 'mined', 'sent', $3)`,
    [newId(), reference, at(minutes)],
  );
}

const line = (txid: string, payouts: readonly string[], minutes: number): void =>
  journal.append({
    at: at(minutes),
    rail: 'evm',
    txid,
    payouts,
    spends: [`1:0x:${txid}`],
    leaves: {},
    ...{ raw: '0x', fee: { currency: 'ETH', parts: '1' }, pays: [] },
  });

/** Returns the findings of a newly started signer. */
async function found(): Promise<{ stopped: string; unexplained: string[] }> {
  const comparison = openBooksComparison(db, journal, ['evm']);
  try {
    const { stopped = '', unexplained } = await comparison.now();
    return { stopped, unexplained: unexplained.map(({ txid }) => txid) };
  } finally {
    await comparison.stop();
  }
}
const FINE = { stopped: '', unexplained: [] };

test('signs where each send of the journal has its attempt, and where nothing was ever signed', async () => {
  assert.deepEqual(await found(), FINE);
  line('0xa', [await payout('sent', 0)], 1);
  await attempt('0xa', 2);
  assert.deepEqual(await found(), FINE);
});

test('signs nothing for a rail while the journal has a payout that the database doesn’t know, until two people have decided', async () => {
  line('0xa', [newId()], 1);
  assert.deepEqual(await found(), { stopped: '', unexplained: ['0xa'] });
  const row = {
    ...{ id: newId(), rail: 'evm', source: 'journal', reference: '0xa', spend: null, first_nonce: null, last_nonce: null },
    ...{ payout_id: null, currency: null, parts: null, receiver: null },
  };
  const decide = (state: string, mac: string): Promise<unknown> =>
    database.db.run(
      `insert into unrecorded_send (id, rail, source, reference, found_at, state, decided_at, mac)
       values ($1, 'evm', 'journal', '0xa', now(), $2, now(), $3)
       on conflict (rail, reference) do update set mac = excluded.mac`,
      [row.id, state, mac],
    );
  await decide('booked', newId());
  assert.deepEqual((await found()).unexplained, ['0xa'], 'somebody wrote that by SQL');
  await decide('booked', unrecordedMac({ ...row, state: 'booked' }));
  assert.deepEqual(await found(), FINE);
});

test('signs nothing for a payout that waits as it did before it was signed', async () => {
  line('0xa', [await payout('queued', 0)], 1);
  assert.deepEqual((await found()).unexplained, ['0xa']);
  line('0xb', [await payout('queued', 3)], 2);
  assert.deepEqual((await found()).unexplained, ['0xa'], 'the other one was asked for again since');
});

test('takes a line whose payout is being prepared for an ordinary crash', async () => {
  line('0xa', [await payout('preparing', 0)], 1);
  assert.deepEqual(await found(), FINE);
});

test('signs nothing at all beside an empty journal while there are sends, until a person says that it is lost', async () => {
  await attempt('0xa', 0);
  assert.match((await found()).stopped, /its journal .* is empty.*Put the newest journal in place/);
  journal.begin(new Date(AT), at(5));
  assert.deepEqual(await found(), FINE);
  await attempt('0xb', 6);
  assert.match((await found()).stopped, /the journal is older/, 'that word is good for what was there');
});

test('signs nothing at all where the database has a send that came after the journal’s last', async () => {
  line('0xa', [await payout('sent', 0)], 1);
  await attempt('0xa', 2);
  await attempt('0xb', 3);
  assert.match((await found()).stopped, /the journal is older\. Put the newest journal in place/);
  line('0xb', [await payout('sent', 0)], 3);
  assert.deepEqual(await found(), FINE);
});

test('takes no send that people have booked for one of its own, and none of a rail whose keys it lacks', async () => {
  await attempt('booked', 0);
  await database.db.run(`update payment_attempt set raw = '' where reference = 'booked'`);
  await attempt('payout id', 1);
  await database.db.run(`update payment_attempt set rail = 'payeer' where reference = 'payout id'`);
  assert.deepEqual(await found(), FINE);
});
