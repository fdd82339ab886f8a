// Test stores: each case of a payment runs the invoice's own machine and tells its events, and no money moves.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { judgeStep } from '../judge/judge-step.ts';
import { currentOption } from '../invoices/invoice.ts';
import { storeFor } from '../members/stores.testing.ts';
import { eventsOf } from '../rows/event-rows.ts';
import { readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { type TestCase, stepsOf } from '../test-store/test-payment.ts';
import { payTest } from '../test-store/pay-test.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
let store: string;
let postings: number;
before(async () => {
  world = await openInvoiceWorld();
  const { id } = await storeFor(world.db, world.store.holderId);
  store = id;
  postings = await posted();
});
after(() => world.close());

const posted = async (): Promise<number> =>
  (await world.db.row<{ count: number }>('select count(*)::int as count from posting'))?.count ?? -1;

/** Makes a test invoice of 100.00 USD, plays the cases, and returns its state and its events. */
async function play(...cases: readonly TestCase[]) {
  const invoice = await made();
  for (const one of cases) await payTest(world.db, { id: invoice.view.id, case: one }, 'en');
  const { view } = await readInvoice(world.db, invoice.view.id);
  const events = (await eventsOf(world.db, view.id)).map(({ kind }) => kind);
  return { view, state: view.state, events: events.filter((kind) => kind !== 'created' && kind !== 'option_chosen') };
}

const made = (): Promise<StoredInvoice> => makeInvoice(world.db, { store, amount: '100.00', lines: [], metadata: {} }, 'en');

const COURSES: readonly (readonly [readonly TestCase[], string, readonly string[]])[] = [
  [['seen'], 'confirming', ['payment_seen', 'processing']],
  [['final'], 'settled', ['payment_seen', 'processing', 'payment_final', 'settled']],
  [['seen', 'final'], 'settled', ['payment_seen', 'processing', 'payment_final', 'settled']],
  [['seen', 'dropped'], 'open', ['payment_seen', 'processing', 'payment_dropped']],
  [['short'], 'short', ['payment_seen', 'payment_final', 'short']],
  [['short', 'final'], 'settled', ['payment_seen', 'payment_final', 'short', 'payment_seen', 'payment_final', 'settled']],
  [['over'], 'settled', ['payment_seen', 'processing', 'payment_final', 'over', 'settled']],
  [['late'], 'expired', ['expired', 'payment_seen', 'late', 'payment_final', 'late']],
  [['held'], 'confirming', ['payment_seen', 'processing', 'held']],
  [['final', 'reversed'], 'invalid', ['payment_seen', 'processing', 'payment_final', 'settled', 'payment_reversed', 'invalid']],
  [
    ['final', 'final'],
    'settled',
    ['payment_seen', 'processing', 'payment_final', 'settled', 'payment_seen', 'over', 'payment_final', 'over'],
  ],
];

for (const [cases, state, events] of COURSES)
  test(`a test invoice comes to ${state} by ${cases.join(', ')}`, async () => {
    const played = await play(...cases);
    assert.deepEqual([played.state, played.events], [state, events]);
  });

test('posts nothing, reserves nothing, and leaves the proof right', async () => {
  await play('seen');
  await play('over', 'reversed');
  assert.equal(await posted(), postings);
  const { sum } = (await world.db.row<{ sum: string }>('select coalesce(sum(reserved), 0) as sum from invoice')) ?? {};
  assert.equal(sum, '0');
  assert.equal((await world.db.rows('select from invoice where holds_money')).length, 0);
  assert.deepEqual(await world.prove(), []);
});

test('plays nothing to an invoice with money', async () => {
  const invoice = await world.make();
  assert.equal(await refusal(() => payTest(world.db, { id: invoice.view.id, case: 'final' }, 'en')), 'not_a_test');
  assert.deepEqual(await world.events(invoice), ['created']);
});

test('takes at most thirty payments', async () => {
  const invoice = await made();
  for (let at = 0; at < 30; at += 1) await payTest(world.db, { id: invoice.view.id, case: 'dropped' }, 'en');
  assert.equal(await refusal(() => payTest(world.db, { id: invoice.view.id, case: 'final' }, 'en')), 'invoice_not_open');
});

test('refuses a step whose journal does not come out as the invoice states', async () => {
  const { view } = await play('seen');
  const option = currentOption(view) ?? assert.fail('it has no option');
  const [final] = stepsOf('final', view, option, newId);
  const step = final?.(view, { now: new Date(), reservable: 0n, priceNow: () => option.price });
  assert.ok(step && step.legs.length > 1);
  judgeStep(view, step, newId());
  assert.throws(() => judgeStep(view, { ...step, legs: step.legs.slice(1) }, newId()), /leaves -\d+ in invoice:/);
  assert.throws(
    () => judgeStep(view, { ...step, kind: 'invoice_reserve' }, newId()),
    /nothing in it makes it of the kind invoice_reserve/,
  );
});
