// Accounts that reversible payments come from belong to one person each.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import type { Db, Owner } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { configureCompliance } from '../configure.ts';
import { forgetUses } from './limit-store.ts';
import { reserveLimits } from './limits.ts';
import { strangersAmong } from './payers.ts';
import { settle } from './settle.ts';
import type { ShownHolder } from '../customers/subject.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
});
after(() => drop());

/** Counts an order. Its e-mail is only typed unless it is the holder's verified one. */
async function order(email: string, holder?: ShownHolder): Promise<{ owner: Owner; email: string }> {
  const owner = { kind: 'order', id: randomUUID() };
  await db.tx((tx) => reserveLimits(tx, { email, accounts: [], holder }, parse('USD', '1'), owner));
  return { owner, email };
}
type Order = Awaited<ReturnType<typeof order>>;
const isStrange = async (by: Order, ...accounts: string[]): Promise<boolean> =>
  (await db.tx((tx) => strangersAmong(tx, [{ ...by, accounts }]))).has(0);
const end = (of: Order, outcome: 'completed' | 'ended'): Promise<void> =>
  db.tx((tx) => settle(tx, [{ owner: of.owner, outcome }]));

test('two people who pay from one account at the same time both go to a person', async () => {
  const [one, two] = [await order('a1@x.example'), await order('a2@x.example')];
  const paying = [one, two].map((by) => ({ ...by, accounts: ['A'] }));
  assert.deepEqual(await db.tx((tx) => strangersAmong(tx, paying)), new Set([0, 1]));
  const [three, four] = [await order('a3@x.example'), await order('a4@x.example')];
  const apart = await Promise.all([isStrange(three, 'AA'), isStrange(four, 'AA')]);
  assert.equal(apart.filter((strange) => strange).length >= 1, true, 'in two transactions at once, too');
});

test('a cancelled order binds no account; a completed one does for good, by any of its names and spellings', async () => {
  const first = await order('b1@x.example');
  assert.equal(await isStrange(first, 'B'), false);
  await end(first, 'ended');
  const second = await order('b2+tag@x.example');
  assert.equal(await isStrange(second, 'B', 'b@pay.example'), false);
  await end(second, 'completed');
  await db.run(`update limit_use set at = at - interval '40 days'`);
  await forgetUses(db);
  assert.equal(await isStrange(await order('b2@x.example'), 'B'), false);
  assert.equal(await isStrange(await order('b1@x.example'), 'other id', 'b@pay.example'), true);
});

test('a person’s second account counts as a stranger’s during and after their order; a nameless one always does', async () => {
  const first = await order('c@x.example');
  assert.equal(await isStrange(first, 'C'), false);
  assert.equal(await isStrange(await order('c@x.example'), 'C2'), true);
  await end(first, 'completed');
  assert.equal(await isStrange(await order('c@x.example'), 'C3'), true);
  assert.equal(await isStrange(await order('c@x.example'), 'C'), false);
  assert.equal(await isStrange(await order('d@x.example')), true);
});

test('a payer who only typed an e-mail binds nothing for the holder of that e-mail', async () => {
  const hers = () => order('e@x.example', { id: 'e', mailbox: 'e@x.example' });
  const typed = await order('e@x.example');
  assert.equal(await isStrange(typed, 'of mallory'), false);
  assert.equal(await isStrange(await hers(), 'E'), false, 'while his order is live');
  await end(typed, 'completed');
  const first = await hers();
  assert.equal(await isStrange(first, 'E'), false, 'and once it is done');
  await end(first, 'completed');
  assert.equal(await isStrange(await hers(), 'E2'), true, 'her own are bound as ever');
  assert.equal(
    await isStrange(await order('e@x.example'), 'of mallory'),
    true,
    'what she has shown binds everybody who types it',
  );
});
