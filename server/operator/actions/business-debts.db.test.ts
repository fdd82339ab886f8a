// Two people of the desk book what a dispute cost, and write off what a business owes. The audit has their statements.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { type InvoiceWorld, moveSettled, openInvoiceWorld, paidReversibly, permit } from '../../gate/testing.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { auditView } from '../views.ts';
import { businessForDesk } from './businesses.ts';
import { bookCostOfDispute, writeOffOfBusiness } from './business-debts.ts';

let world: InvoiceWorld;
const people: Record<string, Person> = {};
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  for (const name of ['kim', 'lee']) people[name] = await addPerson(world.db, name, 'operator');
  people['carl'] = await addPerson(world.db, 'carl', 'compliance');
});
after(() => world.close());

const fails = (code: string) => (error: Problem) => error.code === code;

test('a debt is written off by two people with one statement, once, for the sum that both saw', async () => {
  const id = world.store.businessId ?? assert.fail();
  const write = (name: string, key?: string, evidence = 'It is insolvent.') =>
    writeOffOfBusiness(world.db, people[name] as Person, { id, unit: 'USDT', evidence, reason: 'insolvent' }, key);
  await assert.rejects(write('kim'), fails('action_not_open'));
  const invoice = await world.make();
  world.pay(await world.choose(invoice, 'USDT_ERC20'));
  await world.mine();
  const { store } = world;
  await moveSettled(world.db, store);
  const [payment] = (await world.read(invoice)).view.payments;
  await world.db.tx((tx) => decidePayin(tx, takeBack(payment?.id ?? '')));
  await world.turn();
  const { owes } = await businessForDesk(world.db, id);
  assert.deepEqual(
    owes.map(({ currency, amount }) => [currency, Number(amount) > 90]),
    [['USDT', true]],
  );
  await assert.rejects(write('carl'), fails('forbidden'));
  assert.equal((await write('kim')).status, 'awaiting_second');
  await assert.rejects(write('kim'), fails('same_person'));
  await assert.rejects(write('lee', 'other', 'It moved.'), fails('request_differs'));
  assert.equal((await write('lee', 'key')).status, 'done');
  assert.equal((await write('lee', 'key')).status, 'done', 'the same call again does nothing');
  assert.deepEqual((await businessForDesk(world.db, id)).owes, []);
  const { data } = await auditView(world.db, { page: 1, per_page: 20, subject: id });
  assert.deepEqual(
    data.map(({ action, by, outcome }) => [action, by, outcome]),
    [
      ['business_write_off', 'lee', 'done'],
      ['business_write_off', 'kim', 'asked'],
    ],
  );
  assert.deepEqual(await world.prove(), []);
});

test('the cost of a dispute is booked by two people with one statement, and again only if both know of the first', async () => {
  const id = world.store.businessId ?? assert.fail();
  await permit(world, {});
  const { view } = await paidReversibly(world);
  const payment = view.payments[0]?.id ?? assert.fail();
  const book = (name: string, more: object = {}, key?: string) => {
    const input = { id, payment, amount: '20', evidence: 'Statement of today.', reason: 'lost', ...more };
    return bookCostOfDispute(world.db, people[name] as Person, input, key);
  };
  assert.equal((await book('kim')).status, 'awaiting_second');
  await assert.rejects(book('carl'), fails('forbidden'));
  await assert.rejects(book('kim'), fails('same_person'));
  await assert.rejects(book('lee', { amount: '15' }), fails('request_differs'));
  await assert.rejects(book('lee', { amount: '0' }), fails('validation'));
  await assert.rejects(book('lee', { payment: id }), fails('not_found'));
  assert.equal((await book('lee', {}, 'key')).status, 'done');
  assert.equal((await book('lee', {}, 'key')).status, 'done', 'the same call again does nothing');
  const { owes } = await businessForDesk(world.db, id);
  assert.deepEqual(
    owes.map(({ currency, amount }) => [currency, Number(amount) > 19 && Number(amount) < 21]),
    [['USDT', true]],
  );
  assert.equal((await book('kim')).status, 'awaiting_second', 'a second cost of this payment takes two people again');
  const { data } = await auditView(world.db, { page: 1, per_page: 3, subject: id });
  assert.deepEqual(
    data.map(({ action, by, outcome }) => [action, by, outcome]),
    [
      ['business_dispute_cost', 'kim', 'asked'],
      ['business_dispute_cost', 'lee', 'done'],
      ['business_dispute_cost', 'kim', 'asked'],
    ],
  );
  assert.deepEqual(await world.prove(), []);
});
