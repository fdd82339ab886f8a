// Counters for all processes: counted together, in sliding windows, and never above the limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { type Counters, forgetCounters, openCounters } from './counters.ts';
import { type Db, openDb } from '../../db/db.ts';
import { testDb } from '../../testing.ts';

let db: Db;
let other: Db;
let drop: () => Promise<void>;
let counters: Counters;
let elsewhere: Counters;
before(async () => {
  const opened = await testDb();
  ({ db, drop } = opened);
  other = openDb({ url: opened.url, name: 'another-process', max: 4 });
  [counters, elsewhere] = [openCounters(db), openCounters(other)];
});
after(async () => {
  await other.close();
  await drop();
});

const HOUR = 3_600;
const limit = { max: 10, seconds: HOUR };
const isLimited = (error: unknown): boolean => error instanceof Problem && error.code === 'rate_limited';
/** Moves all counters into the past. */
const age = (seconds: number): Promise<number> => db.run('update counter set start = start - $1, at = at - $1', [seconds]);

test('two processes count together, and both refuse what is too much', async () => {
  const tries = Array.from({ length: 30 }, (_one, at) => (at % 2 === 0 ? counters : elsewhere).take('password of ann', limit));
  const done = await Promise.allSettled(tries);
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 10);
  await assert.rejects(counters.take('password of ann', limit), isLimited);
  await assert.rejects(elsewhere.take('password of ann', limit), (error) => {
    const wait = (error as Problem).details.retryAfter ?? 0;
    return isLimited(error) && wait >= 1 && wait <= HOUR;
  });
  assert.equal((await elsewhere.take('password of bob', limit)).remaining, 9, 'others are not concerned');
});

test('an undone event does not count', async () => {
  for (let at = 0; at < 15; at++) await (await counters.take('right', limit)).undo();
  assert.equal((await elsewhere.take('right', limit)).remaining, 9);
});

test('a window slides: the end of one and the begin of the next don’t add up', async () => {
  for (let at = 0; at < 10; at++) await counters.take('sliding', limit);
  await age(HOUR);
  const left = await db.row<{ share: number }>(
    `select (1 - (extract(epoch from clock_timestamp())::float8 / $1 - floor(extract(epoch from clock_timestamp())::float8 / $1))) as share`,
    [HOUR],
  );
  const free = Math.floor(10 - 10 * (left?.share ?? 0));
  let taken = 0;
  for (; taken < 11; taken++) if (!(await counters.take('sliding', limit).catch(() => undefined))) break;
  assert.ok(Math.abs(taken - free) <= 1, `${taken} of ${free}`);
  await age(2 * HOUR);
  assert.equal((await counters.take('sliding', limit)).remaining, 9);
});

test('stores counters under a hash, and deletes them when their time is over', async () => {
  await counters.take('password tried ann@example.org', limit);
  const rows = await db.rows<{ key: Buffer }>('select key from counter');
  assert.ok(rows.every(({ key }) => key.length === 32));
  await age(3 * HOUR);
  await counters.take('newer', limit);
  assert.equal(await forgetCounters(db), rows.length);
  assert.equal((await db.rows('select from counter')).length, 1);
});
