// Debts stop customers whose proven keys they have. Keys that were only typed call a person.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { Problem } from '@kurs/contract';
import type { Db } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { configureCompliance } from '../configure.ts';
import { type Debtor, noteDebt, openDebts, owedBy, requireNoDebts } from './debts.ts';
import type { Subject } from './subject.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'k', isLoopbackCounted: true });
});
after(() => drop());
beforeEach(async () => void (await db.run('delete from debt')));

const ANN = { id: 'ann', mailbox: 'ann@x.org' };
const ip = '203.0.113.7';
const typed = (email: string, more: Partial<Subject> = {}): Subject => ({ email, accounts: [], device: 'another', ip, ...more });

async function owes(subject: Subject, more: Partial<Debtor> = {}, parts = 500n): Promise<string> {
  const id = randomUUID();
  await db.tx((tx) => noteDebt(tx, { id, about: 'order', unit: 'USDT', parts }, { subject, payers: [], ...more }));
  return id;
}
/** Returns the outcome for a customer who would place an order. */
async function status(subject: Subject): Promise<'stopped' | 'a person looks' | 'free'> {
  try {
    return (await requireNoDebts(db, subject)).isSuspect ? 'a person looks' : 'free';
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'debt_stops', String(error));
    assert.deepEqual(error.details.params, { owed: '0.000500', unit: 'USDT' });
    return 'stopped';
  }
}

test('a debt stops the holder, their mailbox and their device; typing their address or account sends to a person', async () => {
  await owes(typed('ann@x.org', { holder: ANN, device: 'hers', accounts: ['BTC:hers'] }));
  assert.equal(await status(typed('other@x.org', { holder: { id: 'ann' } })), 'stopped', 'the account');
  assert.equal(await status(typed('a@x.org', { holder: { id: 'new', mailbox: 'Ann+2@x.org' } })), 'stopped', 'the mailbox');
  assert.equal(await status(typed('other@x.org', { device: 'hers' })), 'stopped', 'the device');
  assert.equal(await status(typed('Ann@x.org')), 'a person looks');
  assert.equal(
    await status(typed('bob@x.org', { accounts: ['BTC:hers'], holder: { id: 'bob', mailbox: 'bob@x.org' } })),
    'a person looks',
  );
  assert.equal(await status(typed('bob@x.org', { accounts: ['BTC:his'], holder: { id: 'bob', mailbox: 'bob@x.org' } })), 'free');
});

test('a debtor who only typed an address does not stop its real owner', async () => {
  await owes(typed('ann@x.org', { device: 'of mallory', accounts: ['BTC:hers'] }));
  assert.equal(await status(typed('ann@x.org', { holder: ANN, accounts: ['BTC:hers'] })), 'a person looks');
  assert.equal(await status(typed('ann@x.org')), 'a person looks');
  assert.equal(await status(typed('new@x.org', { device: 'of mallory' })), 'stopped');
});

test('having paid from an account at a provider proves it; naming the account does not', async () => {
  await owes(typed('ann@x.org'), { payers: ['PAYPAL_USD:HER1'], paidFor: { kind: 'order', id: 'o1' } });
  const asks = async (debtor: Partial<Debtor>) =>
    (await owedBy(db, new Map([['x', { subject: typed('b@x.org', { device: 'b' }), payers: [], ...debtor }]]))).get('x');
  assert.equal((await asks({ payers: ['PAYPAL_USD:HER1'] }))?.shown.length, 1);
  assert.equal((await asks({ paidFor: { kind: 'order', id: 'o1' } }))?.shown.length, 1, 'more money for the same order');
  const named = await asks({ subject: typed('b@x.org', { device: 'b', accounts: ['PAYPAL_USD:HER1'] }) });
  assert.deepEqual([named?.shown.length, named?.typed.length], [0, 1]);
  assert.equal(await asks({ payers: ['PAYPAL_USD:OTHER'] }), undefined);
});

test('a settled debt stops nobody; a partly settled one stays, with its first date', async () => {
  const subject = typed('ann@x.org', { holder: ANN });
  const id = await owes(subject, {}, 800n);
  const [first] = await openDebts(db, 9);
  await db.tx((tx) => noteDebt(tx, { id, about: 'order', unit: 'USDT', parts: 500n }, { subject, payers: [] }));
  const [second] = await openDebts(db, 9);
  assert.deepEqual(
    [second?.parts, second?.since, second?.keys],
    [500n, first?.since, ['device:another', 'email:ann@x.org', 'holder:ann']],
  );
  assert.equal(await status(subject), 'stopped');
  await db.tx((tx) => noteDebt(tx, { id, about: 'order', unit: 'USDT', parts: 0n }, { subject, payers: [] }));
  assert.equal(await status(subject), 'free');
  assert.deepEqual(await openDebts(db, 9), []);
});
