// The desk's decisions about web sites of businesses: lists, people, states, letters, and rows that SQL wrote back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newHolder } from '../../auth/testing.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { countUndecidedSites } from '../../gate/index.ts';
import { SENDER, approvedFor, storeFor } from '../../gate/testing.ts';
import { saidBy } from '../../ledger/testing.ts';
import { type Db, newId } from '../../platform/index.ts';
import { refusal, testDb } from '../../platform/testing.ts';
import { checksOf } from '../checks.ts';
import { OWNERS } from '../owners.testing.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { decideSite } from './business-sites.ts';
import { businessForDesk, businessesView } from './businesses.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
const people: Record<string, Person> = {};
before(async () => {
  ({ db, owner, drop } = await testDb());
  for (const name of ['kim', 'lee']) people[name] = await addPerson(db, name, 'compliance');
  people['olga'] = await addPerson(db, 'olga', 'operator');
});
after(() => drop());

/** Web site that the owner of each store in these tests added. */
const SITE = 'https://shop.example.com';

/** Makes an approved business with two stores that have the site. Returns its id and its owner's. */
async function business(): Promise<{ readonly id: string; readonly holder: string }> {
  const holder = await newHolder(db);
  const { id } = await approvedFor(db, holder);
  for (const businessId of [id, id]) await storeFor(db, holder, businessId);
  return { id, holder };
}

/** Decides about a site in a person's name. Returns the status, or the code of the refusal. */
async function outcome(name: string, id: string, action: 'accept' | 'strike', site = SITE, key?: string): Promise<string> {
  let status = '';
  const refused = await refusal(async () => {
    const input = { id, action, site, reason: 'for a test' };
    ({ status } = await decideSite({ db, sender: SENDER }, people[name] as Person, input, key));
  });
  return refused === 'done' ? status : refused;
}

const states = async (id: string): Promise<string[]> => (await businessForDesk(db, id)).sites.map(({ state }) => state);
const waiting = async (): Promise<[string, string[]][]> =>
  (await businessesView(db, { page: 1, per_page: 20, new_sites: 'yes' })).data.map((row) => [row.id, row.new_sites]);

test('an added site is listed until the desk has accepted or struck it', async () => {
  const [first, second] = [await business(), await business()];
  assert.deepEqual(await waiting(), [
    [second.id, [SITE]],
    [first.id, [SITE]],
  ]);
  assert.equal(await countUndecidedSites(db), 2, 'the alarm counts both');
  const [site = assert.fail()] = (await businessForDesk(db, first.id)).sites;
  assert.deepEqual([site.site, site.state, site.added_by], [SITE, 'new', `${first.holder}@example.org`]);
  assert.equal(await outcome('kim', first.id, 'accept'), 'done');
  assert.equal(await outcome('kim', second.id, 'strike'), 'done');
  assert.deepEqual(await waiting(), []);
  assert.equal(await countUndecidedSites(db), 0);
  assert.deepEqual(
    [await states(first.id), await states(second.id)],
    [
      ['accepted', 'accepted'],
      ['struck', 'struck'],
    ],
  );
  assert.equal((await businessForDesk(db, second.id)).sites[0]?.decided_by, 'kim');
  const { data } = await businessesView(db, { page: 1, per_page: 20, q: second.holder });
  assert.deepEqual(data[0]?.new_sites, []);
});

test('one person strikes a site with a letter to the owner, and two people take that back', async () => {
  const { id, holder } = await business();
  assert.equal(await outcome('olga', id, 'strike'), 'forbidden');
  const key = newId();
  assert.equal(await outcome('kim', id, 'strike', SITE, key), 'done');
  assert.equal(await outcome('kim', id, 'strike', SITE, key), 'done');
  assert.equal(await outcome('lee', id, 'strike'), 'action_not_open');
  const letters = (await queuedLetters(db, { to: `${holder}@example.org` })).filter(({ subject }) => subject.includes(SITE));
  assert.equal(letters.length, 1);
  assert.equal(await outcome('kim', id, 'accept'), 'awaiting_second');
  assert.deepEqual(await states(id), ['struck', 'struck']);
  assert.equal(await outcome('kim', id, 'accept'), 'same_person');
  assert.equal(await outcome('lee', id, 'accept'), 'done');
  assert.deepEqual(await states(id), ['accepted', 'accepted']);
  assert.equal((await businessForDesk(db, id)).sites[0]?.decided_by, 'kim, lee');
  assert.equal(await outcome('kim', id, 'accept'), 'action_not_open');
});

test('a site that no store has, and an unknown business, are not found', async () => {
  const { id } = await business();
  assert.equal(await outcome('kim', id, 'strike', 'https://other.example'), 'not_found');
  assert.equal(await outcome('kim', newId(), 'strike'), 'not_found');
});

test('a site or a business that SQL changed is decided about by nobody', async () => {
  const { id } = await business();
  await owner.run(`update business set note = 'x' where id = $1`, [id]);
  assert.equal(await outcome('kim', id, 'strike'), 'record_altered');
  await owner.run(`update business set note = '' where id = $1`, [id]);
  await owner.run(`update store_site set added_by = null where store_id in (select id from store where business_id = $1)`, [id]);
  assert.equal(await outcome('kim', id, 'strike'), 'record_altered');
  assert.deepEqual(await states(id), ['struck', 'struck'], 'it counts as struck');
});

test('is accused if it is an earlier row with its MAC, or gone, after the desk has struck it', async () => {
  const isAccused = async (of: string): Promise<boolean> =>
    (await saidBy(db, checksOf(OWNERS))).some((words) => words.includes(of) && words.includes('site'));
  for (const change of [
    'update store_site set (struck_at, struck_by, mac) = ($2, $3, $4) where id = $1',
    'delete from store_site where id = $1 and coalesce($2::text, $3::text, $4::text) is not null',
  ]) {
    const { id } = await business();
    const rows = await owner.rows<{ id: string; struck_at: Date | null; struck_by: string | null; mac: string }>(
      'select id, struck_at, struck_by, mac from store_site where store_id in (select id from store where business_id = $1)',
      [id],
    );
    assert.equal(await outcome('kim', id, 'strike'), 'done');
    assert.equal(await isAccused(id), false);
    for (const row of rows) await owner.run(change, [row.id, row.struck_at, row.struck_by, row.mac]);
    assert.equal(await isAccused(id), true, change);
  }
});
