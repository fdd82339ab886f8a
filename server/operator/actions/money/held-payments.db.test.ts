// Payments to invoices with a flagged sender wait for compliance, which decides with a reason in the audit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Input, type Problem, type Routes, routes } from '@kurs/contract';
import { configureCompliance, screenPayments } from '../../../compliance/index.ts';
import { type InvoiceWorld, openInvoiceWorld } from '../../../gate/testing.ts';
import { newId } from '../../../platform/index.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { auditView } from '../../views.ts';
import { actOnHeld, heldPaymentsView } from './held-payments.ts';

const plain = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
let world: InvoiceWorld;
const people: Record<string, Person> = {};
before(async () => {
  world = await openInvoiceWorld();
  for (const name of ['carl', 'cora']) people[name] = await addPerson(world.db, name, 'compliance');
  people['olga'] = await addPerson(world.db, 'olga');
  configureCompliance({ ...plain, screener: async (requests) => requests.map(() => ({ score: 100 })) });
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});

/** Makes an invoice that is paid by a flagged sender. Returns the payment's row in the desk's list. */
async function held() {
  const invoice = await world.make({ email: 'payer@example.org' });
  world.pay(await world.choose(invoice, 'BTC'), undefined, { from: ['bad'] });
  await world.mine();
  await screenPayments(world.db);
  for (let at = 0; at < 2; at += 1) await world.pass(1);
  const listed = routes.operatorHeldPayments.output.parse(await heldPaymentsView(world.db));
  return { invoice, row: listed.find((row) => row.invoice === invoice.number) ?? assert.fail('it is not listed') };
}

type Action = Input<Routes['operatorHeldPayment']>['action'];
const act = (name: string, id: string, action: Action, key?: string) =>
  actOnHeld(world, people[name] as Person, { id, action, reason: 'it was looked at' }, key);
const fails = (code: string) => (error: Problem) => error.code === code;

test('a held payment is listed with its sender and its invoice, and compliance alone releases it, once', async () => {
  const { invoice, row } = await held();
  assert.deepEqual(
    [row.from, row.cause, row.by, row.email, row.store, row.counts],
    [['bad'], 'soft', 'BTC', 'payer@example.org', world.store.name, { amount: '100.00', currency: 'USD' }],
  );
  await assert.rejects(() => act('olga', row.id, 'release'), fails('forbidden'));
  assert.equal((await act('carl', row.id, 'release', 'key')).state, 'credited');
  assert.equal((await act('carl', row.id, 'release', 'key')).status, 'done', 'the same call again does nothing');
  assert.equal((await world.read(invoice)).view.state, 'settled');
  await assert.rejects(() => act('carl', row.id, 'refuse'), fails('order_changed'));
  await assert.rejects(() => act('carl', newId(), 'refuse'), fails('order_changed'));
  const { data } = await auditView(world.db, { page: 1, per_page: 20, subject: row.id });
  assert.deepEqual(
    data.map(({ action, by, reason }) => [action, by, reason]),
    [['invoice_payment_release', 'carl', 'it was looked at']],
  );
});

test('two people freeze a held payment', async () => {
  const { invoice, row } = await held();
  assert.equal((await act('carl', row.id, 'freeze')).status, 'awaiting_second');
  await assert.rejects(() => act('carl', row.id, 'freeze'), fails('same_person'));
  assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'held');
  assert.equal((await act('cora', row.id, 'freeze')).state, 'unallocated');
  assert.equal((await heldPaymentsView(world.db)).length, 0);
  assert.deepEqual(await world.prove(), []);
});
