import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { enterRestored, openRestore, sendingRails } from '../../payments/index.ts';
import { proveAudit } from '../people/audit-seal.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { endRestoredBy, restoredHeaders, restoredView } from './restored.ts';

const asked = {
  evidence: 'the journal was put in place, and every transfer since the backup is booked',
  reason: 'all is booked',
};
const fails = (code: string) => (error: Problem) => error.code === code;
const DETAIL = 'By keys/books.seal the seal 9, which was made, is not there.';
let world: TestDb;
let olga: Person;
let oleg: Person;
let kim: Person;

before(async () => {
  world = await testDb();
  const { db } = world;
  [olga, oleg, kim] = [await addPerson(db, 'olga'), await addPerson(db, 'oleg'), await addPerson(db, 'kim', 'compliance')];
});
after(() => world.drop());

const enter = (detail: string): Promise<boolean> => world.db.tx((tx) => enterRestored(tx, [{ found: 'books', detail }]));
const view = async () => routes.operatorRestored.output.parse(await restoredView(world.db));

test('nothing is told, and nothing ended, while the mode is off', async () => {
  assert.deepEqual(await view(), { restored: false, why: [] });
  assert.deepEqual(await restoredHeaders(world.db), {});
  await assert.rejects(endRestoredBy(world.db, olga, asked), fails('act_not_open'));
});

test('two operators end it; the audit keeps which ends of the chains they accept, and money may leave', async () => {
  const { db } = world;
  await enter(DETAIL);
  const { restored, since, why } = await view();
  assert.deepEqual([restored, why], [true, [DETAIL]]);
  assert.deepEqual(await restoredHeaders(db), { 'kurs-restored': `since ${since}` });
  await assert.rejects(endRestoredBy(db, kim, asked), fails('forbidden'));
  assert.equal((await endRestoredBy(db, olga, asked)).status, 'awaiting_second');
  await assert.rejects(endRestoredBy(db, olga, asked), fails('same_person'));
  await assert.rejects(endRestoredBy(db, oleg, { ...asked, evidence: 'another' }), fails('request_differs'));
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 0, 'one person ends nothing');

  await enter('The signer has signed what the database doesn’t know.');
  assert.equal((await endRestoredBy(db, oleg, asked)).status, 'awaiting_second', 'more was found since olga looked');
  assert.equal((await endRestoredBy(db, olga, asked)).status, 'done');
  assert.equal(await openRestore(db), undefined);
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 1);
  assert.deepEqual(await restoredHeaders(db), {});
  const acts = await db.rows<{ act: string; by: string; body: { instead_of?: string[] } }>(
    `select act, by, body from audit where outcome = 'done' and act in ('restored_end', 'notes_accepted') order by id`,
  );
  assert.deepEqual(acts.map(({ act, by }) => [act, by]), [['restored_end', 'olga'], ['notes_accepted', 'olga']]); // prettier-ignore
  assert.equal(acts[1]?.body.instead_of?.[0], DETAIL);
  assert.deepEqual((await proveAudit(db)).faults, []);
});
