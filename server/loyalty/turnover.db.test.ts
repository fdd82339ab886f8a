// Customers' turnover: by day, under one address in any spelling, moved and deleted with it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, advanceClock } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { holderLoyalty, holderStatus } from './holder-loyalty.ts';
import { countTurnover, forgetTurnover, forgetTurnoverOf, moveTurnover, turnoverOf } from './turnover.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

const count = (email: string, cents: bigint, days = 0): Promise<void> =>
  db.tx((tx) => countTurnover(tx, [{ email, cents, completedAt: new Date(tx.now.getTime() - days * 86_400_000) }]));

test('what was completed in 30 days counts under every spelling of an address, and is taken off its own day', async () => {
  await count('An.Na+kurs@gmail.com', 30_000n);
  await count('anna@gmail.com', 25_000n, 29);
  await count('anna@gmail.com', 99_000n, 31);
  assert.equal(await turnoverOf(db, 'ANNA@googlemail.com'), 55_000n);
  await count('anna@gmail.com', -5_001n, 29);
  assert.equal(await turnoverOf(db, 'anna@gmail.com'), 49_999n);
  await count('anna@gmail.com', -90_000n, 29);
  assert.equal(await turnoverOf(db, 'anna@gmail.com'), 30_000n, 'never more than is there');
  await count('nobody@example.org', -1n);
  assert.equal(await turnoverOf(db, 'nobody@example.org'), 0n);
});

test('several at once are one sum, and groups that count the same customers wait for each other', async () => {
  const both = ['b@example.org', 'a@example.org'].map((email) => ({ email, cents: 100n, completedAt: new Date() }));
  const at = await db.now();
  const group = both.map((one) => ({ ...one, completedAt: at }));
  const groups = Array.from({ length: 8 }, (_, turn) => (turn % 2 ? group : group.toReversed()));
  await Promise.all(groups.map((list) => db.tx((tx) => countTurnover(tx, [...list, ...list]))));
  assert.deepEqual([await turnoverOf(db, 'a@example.org'), await turnoverOf(db, 'b@example.org')], [1_600n, 1_600n]);
});

test('a level is a holder’s whose address is shown to be theirs', async () => {
  await count('holder@example.org', 500_000n);
  const holder = { email: 'holder@example.org', isEmailVerified: true };
  assert.equal(await holderLoyalty(db, holder), 10);
  assert.equal((await holderStatus(db, holder)).next?.percent, 15);
  assert.equal(await holderLoyalty(db, { ...holder, isEmailVerified: false }), undefined, 'anybody can type an address');
  assert.equal(await holderLoyalty(db, undefined), undefined);
});

test('it goes along to another address, and is forgotten', async () => {
  await count('old@example.org', 700n);
  await count('new@example.org', 11n);
  await db.tx((tx) => moveTurnover(tx, { from: 'old@example.org', to: 'new@example.org' }));
  await db.tx((tx) => moveTurnover(tx, { from: 'new@example.org', to: 'new+tag@example.org' }));
  assert.deepEqual([await turnoverOf(db, 'old@example.org'), await turnoverOf(db, 'new@example.org')], [0n, 711n]);
  await db.tx((tx) => forgetTurnoverOf(tx, 'new@example.org'));
  assert.equal(await turnoverOf(db, 'new@example.org'), 0n);
  await db.run(`insert into turnover_day select 'x@example.org', (clock_now() at time zone 'UTC')::date - 30, 5`);
  assert.equal(await forgetTurnover(db), 1);
});

test('what counts today counts 29 days on, and not 31 days on', async () => {
  await count('window@example.org', 100n);
  await advanceClock(db, 29 * 86_400_000);
  assert.equal(await turnoverOf(db, 'window@example.org'), 100n);
  await advanceClock(db, 2 * 86_400_000);
  assert.equal(await turnoverOf(db, 'window@example.org'), 0n);
});
