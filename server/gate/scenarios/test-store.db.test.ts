// Test stores: each case of a payment runs the invoice's own machine and tells its events, and no money moves.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GREENFIELD_EVENTS, STORE_EVENTS, routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { queuedLetters } from '../../deliveries/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal, testSealer } from '../../platform/testing.ts';
import { judgeStep } from '../judge/judge-step.ts';
import { currentOption } from '../invoices/options.ts';
import { storeFor } from '../members/stores.testing.ts';
import { cancelInvoice } from '../actions/change-invoice.ts';
import { markInvoice } from '../actions/mark-invoice.ts';
import { eventsOf, eventsOfRefund } from '../rows/event-rows.ts';
import { readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { type TestCase, stepsOf } from '../test-store/test-payment.ts';
import { payTest } from '../test-store/pay-test.ts';
import { cancelRefund } from '../refunds/actions/end-refund.ts';
import { claimRefund } from '../refunds/actions/claim-refund.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import { takenLegs } from '../refunds/machine/claim-legs.ts';
import { judgeRefund } from '../refunds/machine/judge-refund.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { claimsOf } from '../refunds/rows/claim-rows.ts';
import { readRefund, refundsOfInvoice } from '../refunds/rows/refund-rows.ts';
import { claimPageWire } from '../refunds/views/claim-wire.ts';
import { makeWebhook, removeWebhook } from '../webhooks/webhooks.ts';
import { payWire } from '../views/pay-wire.ts';
import { openReceiver } from './receiver.testing.ts';
import { CLAIMANT } from './refund-world.testing.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
let store: string;
let postings: number;
before(async () => {
  world = await openInvoiceWorld({ hasRefunds: true });
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
  for (const one of cases) await payTest(world, { id: invoice.view.id, case: one }, 'en');
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

test('a payment of the case late is shown as late, to the buyer as well', async () => {
  const { view } = await play('late');
  assert.deepEqual(
    view.payments.map(({ isLate, stage }) => [isLate, stage]),
    [[true, 'unallocated']],
  );
  const wire = await payWire({ db: world.db, tokens: world.sender.tokens }, await readInvoice(world.db, view.id), {
    locale: 'en',
  });
  assert.deepEqual([wire.late, wire.payments[0]?.late], [true, true]);
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

test('a refund of a test invoice is claimed and paid at once, with its events', async () => {
  const { view } = await play('refund_claimed');
  assert.equal(view.state, 'settled');
  const [refund, ...others] = await refundsOfInvoice(world.db, view.id);
  assert.ok(refund);
  assert.deepEqual([refund.state, refund.amount >= 10_000n, refund.rests, others], ['paid', true, [], []]);
  const [claim] = await claimsOf(world.db, [refund.id]);
  assert.deepEqual([claim?.state, claim?.payout], ['done', undefined]);
  const told = (await eventsOfRefund(world.db, refund.id)).map(({ kind, state }) => [kind, state]);
  assert.deepEqual(told, [
    ['refund.created', 'open'],
    ['refund.claimed', 'paying'],
    ['refund.paid', 'paid'],
  ]);
  const again = () => payTest(world, { id: view.id, case: 'refund_claimed' }, 'en');
  assert.equal(await refusal(again), 'refund_too_large');
  assert.equal(await posted(), postings);
  assert.deepEqual(await world.prove(), []);
});

test('test refunds are claimed by their link, in parts, or return, and no money moves', async () => {
  const { view } = await play('final');
  const { db, sender } = world;
  const owner = { kind: 'member', id: world.store.holderId, isProposed: false } as const;
  const wanted = { store, invoice: view.id, email: 'buyer@example.org' };
  const made = await makeRefund({ db, sender }, { ...wanted, amount: '60.00' }, owner, 'en');
  assert.equal(await refusal(() => makeRefund({ db, sender }, { ...wanted, amount: '60.00' }, owner, 'en')), 'refund_too_large');
  const plain = await makeRefund({ db, sender }, { store, amount: '1000.00' }, owner, 'en');
  const link = { id: plain.id, token: refundSecret(sender.tokens, plain.id) };
  const page = await claimPageWire(db, plain, {}, 'en');
  assert.deepEqual([page.test, page.bounded, page.waits], [true, false, undefined]);
  const method = page.methods.find(({ closed }) => closed === undefined)?.method ?? assert.fail();
  const { unit, parts } = plain.taken;
  const to = world.rails[method as Code].receiver();
  const half = await claimRefund(
    { db, sender },
    { ...link, amount: format(money(unit, parts / 2n)), unit, method, to },
    CLAIMANT,
  );
  assert.deepEqual([half.state, half.rests.length], ['open', 1]);
  assert.equal((await cancelRefund(db, { store, id: plain.id })).state, 'cancelled');
  await world.pass(31 * 24 * 60);
  await world.turn();
  assert.equal((await readRefund(db, made.id)).state, 'expired');
  assert.equal((await world.db.rows('select from store_refund where holds_money')).length, 0);
  assert.equal((await queuedLetters(db, { to: wanted.email })).length, 0);
  assert.equal(await posted(), postings);
  assert.deepEqual(await world.prove(), []);
});

// Payouts that fail and moves to a wallet need money, and so does a late payment that a store accepts.
const BODIES = [
  { body: 'kurs', types: STORE_EVENTS, absent: ['refund.returned', 'refund.failed', 'settlement.moved'] },
  { body: 'greenfield', types: GREENFIELD_EVENTS, absent: ['InvoicePaidAfterExpiration'] },
] as const;

for (const { body: form, types, absent } of BODIES)
  test(`every case of a test store reaches the shop’s log as a test, and no posting is written: ${form}`, async (t) => {
    const shop = await openReceiver();
    t.after(() => shop.close());
    const deps = { db: world.db, webhooks: testSealer, privateOrigin: shop.origin };
    const { endpoint } = await makeWebhook(deps, { store, url: `${shop.origin}/hook`, body: form });
    t.after(() => removeWebhook(world.db, { store, id: endpoint.id }));
    for (const one of routes.storeTestPay.input.shape.case.options) await play(one);
    const idle = await made();
    await markInvoice(world.db, { store, id: idle.view.id, as: 'settled' });
    await cancelInvoice(world.db, { store, id: (await made()).view.id });
    for (let before = -1; before !== shop.received.length;) {
      before = shop.received.length;
      await shop.deliver(world.db);
    }
    const seen = new Set(shop.received.map(({ type }) => type));
    assert.deepEqual(
      types.filter((type) => !seen.has(type)),
      absent,
    );
    for (const { type, body } of shop.received) assert.equal(((body['data'] ?? body) as { test?: boolean }).test, true, type);
    assert.equal(await posted(), postings);
  });

test('refuses a journal of a test refund that does not come out as its rows state', async () => {
  const { view } = await play('refund_claimed');
  const [refund] = await refundsOfInvoice(world.db, view.id);
  assert.ok(refund);
  const open = { ...refund, rests: [refund.taken] };
  const journal = { id: newId(), kind: 'merchant_refund', cause: refund.id, legs: takenLegs(refund, 0n) } as const;
  judgeRefund(undefined, { refund: open, claims: [] }, journal);
  const more = { ...refund, taken: { ...refund.taken, parts: refund.taken.parts + 1n } };
  assert.throws(() => judgeRefund(undefined, { refund: open, claims: [] }, { ...journal, legs: takenLegs(more, 0n) }), /leaves/);
  assert.throws(() => judgeRefund(undefined, { refund: open, claims: [] }, { ...journal, kind: 'capital_in' }), RangeError);
});

test('plays nothing to an invoice with money', async () => {
  const invoice = await world.make();
  assert.equal(await refusal(() => payTest(world, { id: invoice.view.id, case: 'final' }, 'en')), 'not_a_test');
  assert.deepEqual(await world.events(invoice), ['created']);
});

test('takes at most thirty payments', async () => {
  const invoice = await made();
  for (let at = 0; at < 30; at += 1) await payTest(world, { id: invoice.view.id, case: 'dropped' }, 'en');
  assert.equal(await refusal(() => payTest(world, { id: invoice.view.id, case: 'final' }, 'en')), 'invoice_not_open');
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
