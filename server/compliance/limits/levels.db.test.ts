// Levels belong to an account holder. Typing the holder's address gives nobody their level.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import type { Db } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { configureCompliance } from '../configure.ts';
import type { Level } from '../customers/customer-store.ts';
import { holderWithLevel, levelOf, levelsOf, setLevel } from '../customers/level.ts';
import type { Subject } from '../customers/subject.ts';
import { readCounted, requireWithinLimits, reserveLimits } from './limits.ts';

let db: Db;
let drop: () => Promise<void>;

before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'k', isLoopbackCounted: true });
});
after(() => drop());

const usd = (text: string) => parse('USD', text) as ReturnType<typeof parse<'USD'>>;
const HOLDERS = new Map<string, string>();
/** Returns the id of the account with an address, the same throughout this file. */
function holderId(email: string): string {
  const id = HOLDERS.get(email) ?? randomUUID();
  HOLDERS.set(email, id);
  return id;
}
/** Returns a signed-in customer with a verified mailbox. */
const person = (email: string, more: Partial<Subject> = {}): Subject => ({
  email,
  accounts: [],
  holder: { id: holderId(email), mailbox: email },
  ...more,
});
/** Returns a visitor, whose data is only typed, at a device. */
const visitor = (email: string, device: string): Subject => ({
  email,
  accounts: [],
  device,
  ip: '203.0.113.7',
});
/** Opens an account; `verified`: its mailbox is verified. */
async function openAccount(email: string, verified = false): Promise<void> {
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, case when $3 then clock_now() end, 'en', clock_now()) on conflict do nothing`,
    [holderId(email), email, verified],
  );
  await writeHolderMacs(db);
}
const giveLevel = async (email: string, level: Level): Promise<void> => {
  await openAccount(email);
  await db.tx((tx) => setLevel(tx, holderId(email), level, 'papers'));
};
/** Counts a sum towards a customer's limits. */
const reserve = (subject: Subject, amount: string) =>
  db.tx((tx) => reserveLimits(tx, subject, usd(amount), { kind: 'order', id: randomUUID() }));
/** Returns the remaining sum that the refusal states. */
const left = async (run: Promise<unknown>): Promise<string> => {
  const problem = await run.then(
    () => assert.fail('was not refused'),
    (error: unknown) => error,
  );
  assert.ok(problem instanceof Problem, String(problem));
  const field = problem.details.errors?.['amount'] as { code: string; params: { left: string } };
  assert.equal(field.code, 'amount_above_limit');
  return field.params.left;
};

test('an account has level 1 once its address is verified, or a higher level that was set', async () => {
  const [ann, bob] = ['level.ann@example.org', 'level.bob@example.org'];
  await Promise.all([openAccount(ann, true), openAccount(bob)]);
  assert.deepEqual([await levelOf(db, holderId(ann)), await levelOf(db, holderId(bob))], [1, 0]);
  await giveLevel(ann, 2);
  assert.equal(await levelOf(db, holderId(ann)), 2);
  assert.deepEqual([await levelOf(db, randomUUID()), await levelOf(db, undefined)], [0, 0], 'nobody’s, and a visitor');
  assert.deepEqual(await levelsOf(db, [undefined, holderId(bob), holderId(ann), undefined]), [0, 0, 2, 0]);
});

test('the desk sets the level of an account with a verified mailbox, by its address in any letter case', async () => {
  await Promise.all([openAccount('shown@x.org', true), openAccount('typed@x.org')]);
  assert.equal((await holderWithLevel(db, 'Shown@x.org')).id, holderId('shown@x.org'));
  for (const email of ['typed@x.org', 'shown+1@x.org', 'nobody@x.org'])
    await assert.rejects(
      holderWithLevel(db, email),
      (error: Problem) => JSON.stringify(error.details.errors) === '{"email":{"code":"email_no_account"}}',
      email,
    );
});

test('typing the address of a verified customer gives a visitor’s limits; a holder has their own, whatever they type', async () => {
  await giveLevel('ann@x.org', 3);
  assert.equal(await left(reserve(visitor('ann@x.org', 'one'), '1000.01')), '1000.00');
  await reserve(visitor('ann@x.org', 'one'), '1000');
  await giveLevel('bob@x.org', 1);
  const bob = person('bob@x.org', { email: 'ann@x.org' });
  assert.equal(await left(reserve(bob, '3000.01')), '3000.00');
  await reserve(person('ann@x.org', { email: 'bob@x.org' }), '100000');
  await reserve(bob, '3000');
});

test('each level has its own limits', async () => {
  const ann = person('level.eve@x.org');
  await giveLevel('level.eve@x.org', 3);
  await reserve(ann, '100000');
  await reserve(ann, '100000');
  assert.equal(await left(reserve(ann, '50000.01')), '50000.00');
  await giveLevel('level.eve@x.org', 1);
  assert.equal(await left(reserve(ann, '1')), '0.00');
  const counted = async (whose: Subject) => readCounted(db, whose, await db.now());
  const [hers, news] = [await counted(ann), await counted(person('new@x.org'))];
  assert.throws(() => requireWithinLimits(usd('1'), hers), Problem);
  requireWithinLimits(usd('1000'), news);
});
