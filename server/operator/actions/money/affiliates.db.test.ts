// The desk's decisions about affiliates: terms and suspensions by one or two people, cases by one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { putPostback } from '../../../affiliates/index.ts';
import { writeHolderMacs } from '../../../auth/testing.ts';
import { type Db, advanceClock, newId } from '../../../platform/index.ts';
import { testDb, testSealer } from '../../../platform/testing.ts';
import { findAffiliate } from '../../../referrals/index.ts';
import { olderThanDecided } from '../../decided-actions.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { changeLevel } from '../customers.ts';
import { abuseView, changeAffiliate, decideAbuse, postbacksView, switchOnPostback } from './affiliates.ts';

const reason = 'a monitor of rates';
const email = 'eve@example.org';
const eve = newId();
let db: Db;
let drop: () => Promise<void>;
let ann: Person;
let bob: Person;
before(async () => {
  ({ db, drop } = await testDb());
  [ann, bob] = [await addPerson(db, 'ann'), await addPerson(db, 'bob')];
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [eve, email],
  );
  await writeHolderMacs(db);
});
after(() => drop());

const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code);
const change = (person: Person, terms: { share?: number; split_most?: number; suspend?: boolean }) =>
  changeAffiliate(db, person, { email, reason, ...terms });

test('a higher share or split takes two people, a lower one', async () => {
  assert.equal((await change(ann, { share: 45 })).status, 'awaiting_second');
  await refuses(change(ann, { share: 45 }), 'same_person');
  await refuses(change(bob, { share: 44 }), 'request_differs');
  const changed = await change(bob, { share: 45 });
  assert.deepEqual([changed.status, changed.share, changed.split_most], ['done', 45, 50]);
  assert.deepEqual([(await change(ann, { share: 20 })).status, (await findAffiliate(db, eve)).share], ['done', 20]);
  assert.equal((await change(ann, { split_most: 80 })).status, 'awaiting_second');
  assert.equal((await change(bob, { split_most: 80 })).split_most, 80);
  await refuses(changeAffiliate(db, ann, { email: 'nobody@example.org', share: 1, reason }), 'no_such_holder');
});

test('an alias belongs to one account', async () => {
  const named = (alias: string, of: string) => changeAffiliate(db, ann, { email: of, reason, alias });
  assert.equal((await named('best-rates', email)).status, 'done');
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'dan@example.org', 'dan@example.org', 'en', clock_now())`,
    [newId()],
  );
  await writeHolderMacs(db);
  await refuses(named('best-rates', 'dan@example.org'), 'alias_taken');
});

test('one person suspends an affiliate, two resume', async () => {
  assert.equal((await change(ann, { suspend: true })).suspended, true);
  assert.deepEqual(
    [(await change(ann, { suspend: false })).suspended, (await change(bob, { suspend: false })).suspended],
    [true, false],
  );
});

test('postbacks that were switched off are listed with their reason, and one operator switches them on', async () => {
  await db.tx((tx) => putPostback(tx, testSealer, { holderId: eve, campaign: 'blog', url: 'https://eve.example/?secret' }));
  assert.deepEqual(await postbacksView(db), []);
  await db.run(`update delivery_endpoint set switched_off_at = clock_now(), switched_off_because = 'gone' where owner = $1`, [
    `affiliate:${eve}:blog`,
  ]);
  const [off, ...more] = await postbacksView(db);
  assert.deepEqual(
    [off?.email, off?.campaign, off?.to, off?.state, off?.reason, more.length],
    [email, 'blog', 'https://eve.example', 'off', 'gone', 0],
  );
  const switchOn = (of: { email: string; campaign: string }) => switchOnPostback(db, ann, { ...of, missed: true, reason });
  await refuses(switchOn({ email, campaign: 'none' }), 'not_found');
  await refuses(switchOn({ email: 'nobody@example.org', campaign: 'blog' }), 'no_such_holder');
  assert.deepEqual(await switchOn({ email, campaign: 'blog' }), { status: 'done', state: 'on', missed: 0 });
  assert.deepEqual(await postbacksView(db), []);
  const actions = await db.rows(`select action from audit where action = 'postback_on'`);
  assert.equal(actions.length, 1);
});

test('an unknown case is refused', async () => {
  assert.deepEqual(await abuseView(db), []);
  await refuses(decideAbuse(db, ann, { id: newId(), decision: 'pay', reason }), 'not_found');
});

test('the proof reports an affiliate’s row that is replaced by an older one with its MAC, or deleted', async () => {
  const accused = async (): Promise<boolean> => (await olderThanDecided(db)).some(({ account }) => account === eve);
  await change(ann, { share: 19 });
  const rows = () => db.rows<{ row: object }>('select to_jsonb(a) as row from affiliate a where holder_id = $1', [eve]);
  const [older] = await rows();
  await change(ann, { share: 18, suspend: true });
  const [newer] = await rows();
  assert.equal(await accused(), false);
  const put = async (row: object | undefined): Promise<void> => {
    await db.run('delete from affiliate where holder_id = $1', [eve]);
    if (row) await db.run('insert into affiliate select r.* from jsonb_populate_record(null::affiliate, $1) r', [row]);
  };
  await put(older?.row);
  assert.deepEqual([(await findAffiliate(db, eve)).isAltered, await accused()], [undefined, true], 'its own MAC is right');
  await put(undefined);
  assert.equal(await accused(), true);
  await put(newer?.row);
  assert.equal(await accused(), false);
});

test('the proof reports a customer’s level that is replaced by an older one with its MAC, or deleted', async () => {
  const [kim, lou] = [await addPerson(db, 'kim', 'compliance'), await addPerson(db, 'lou', 'compliance')];
  const accused = async (): Promise<boolean> => (await olderThanDecided(db)).some(({ account }) => account === eve);
  const set = (level: 2 | 3, ...people: Person[]) =>
    Promise.all(people.map((person) => changeLevel(db, person, { email, level, reason, evidence: 'a passport' })));
  for (const person of [kim, lou]) await set(3, person);
  const [older] = await db.rows<{ row: object }>('select to_jsonb(l) as row from customer_level l where holder_id = $1', [eve]);
  await advanceClock(db, 60_000);
  await set(2, kim);
  assert.equal(await accused(), false);
  await db.run('delete from customer_level where holder_id = $1', [eve]);
  assert.equal(await accused(), true);
  await db.run('insert into customer_level select r.* from jsonb_populate_record(null::customer_level, $1) r', [older?.row]);
  assert.equal(await accused(), true);
});
