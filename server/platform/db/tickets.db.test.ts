// Tickets of downloads: valid once, for a minute, in every process.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, openDb } from './db.ts';
import { newId } from '../base/id.ts';
import { testDb } from '../testing.ts';
import { openTickets } from './tickets.ts';

let db: Db;
let other: Db;
let drop: () => Promise<void>;
before(async () => {
  const opened = await testDb();
  ({ db, drop } = opened);
  other = openDb({ url: opened.url, name: 'another-process', max: 2 });
});
after(async () => {
  await other.close();
  await drop();
});

const sessionId = newId();

test('a ticket of one process is accepted by another, once, and for its own download only', async () => {
  const [tickets, elsewhere] = [openTickets<{ format: string }>(db, 'orders'), openTickets<{ format: string }>(other, 'orders')];
  const ticket = await tickets.issue({ sessionId, wanted: { format: 'csv' } });
  const given = { sessionId, wanted: { format: 'csv' } };
  assert.equal(await elsewhere.take(`${ticket}x`), undefined);
  assert.equal(await openTickets(other, 'transactions').take(ticket), undefined);
  assert.deepEqual(await elsewhere.peek(ticket), given);
  const taken = await Promise.all([elsewhere.take(ticket), tickets.take(ticket), elsewhere.take(ticket)]);
  assert.deepEqual(taken.filter(Boolean), [given]);
  assert.equal(await tickets.peek(ticket), undefined);
});

test('a ticket expires after a minute and is deleted', async () => {
  const tickets = openTickets<null>(db, 'account');
  const ticket = await tickets.issue({ sessionId, wanted: null });
  await db.run(`update download_ticket set until = until - interval '1 minute'`);
  assert.equal(await tickets.peek(ticket), undefined);
  assert.equal(await tickets.take(ticket), undefined);
  await tickets.issue({ sessionId, wanted: null });
  assert.equal((await db.rows('select from download_ticket')).length, 1);
});
