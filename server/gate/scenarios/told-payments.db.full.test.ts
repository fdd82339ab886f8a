// Six thousand invoices are paid at a payment system within a minute. It reports the payments in any order, and a fifth of them
// twice. The loops of a worker run meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gatesOf, subscriptionsOf } from '../../collecting/index.ts';
import { ORDER_OWNER } from '../../exchange/index.ts';
import { recordPrices } from '../../exchange/testing.ts';
import { paymentsDeps, runPayments, takeWebhook } from '../../payments/index.ts';
import { every, outbox, putSetting } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { INVOICE_OWNER } from '../invoice-owner.ts';
import { currentOption } from '../invoices/options.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import { runGate } from '../work.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

const INVOICES = 6_000;
/** Each fifth payment is reported twice. */
const TWICE = 5;
/** Number of parts of the minute; in each, as many payments are made and reported. */
const STEPS = 60;
const STEP_MS = 1_000;
const MAX_MS = 120_000;
const TOGETHER = 4;
const PRICES_MS = 5_000;

let world: InvoiceWorld;
let running: { stop(): Promise<void> }[] = [];
before(async () => {
  world = await openInvoiceWorld();
  const { db, sender } = world;
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await db.tx((tx) => putSetting(tx, 'gate.unpaid_options', INVOICES, 'olga'));
  await world.refreshSettings();
  const owners = [INVOICE_OWNER, ORDER_OWNER];
  running = [
    every(PRICES_MS, 'prices', () => db.tx((tx) => recordPrices(tx, '90000'))),
    runPayments(paymentsDeps(db, { gates: gatesOf(owners), sealer: testSealer })),
    outbox.run(db, subscriptionsOf(owners, sender)),
    runGate(db, sender),
  ];
});
after(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await world?.close();
});

/** Makes an invoice of 10 USD, with an option at the payment system. Returns its id. */
async function sell(): Promise<string> {
  const { view } = await world.make({ amount: '10.00' });
  await chooseMethod(world.db, { id: view.id, method: 'PAYEER_USD' }, 'en');
  return view.id;
}

/** Runs work for each, several at a time. */
async function forEach<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values();
  const loop = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: TOGETHER }, loop));
}

/** Reports a payment as the payment system does. */
async function report(to: string, time: number): Promise<void> {
  const raw = new TextEncoder().encode(JSON.stringify({ isProven: true, to, time }));
  const answer = await takeWebhook(world.db, 'payeer', { raw, headers: { 'content-type': 'application/json' } }, '192.0.2.1');
  assert.ok(typeof answer === 'object' && answer.status === 200);
}

/** Returns the items in a random order. */
const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => [Math.random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);

const settled = async (): Promise<number> =>
  (await world.db.row<{ count: number }>(`select count(*)::int as count from invoice where state = 'settled'`))?.count ?? 0;

test('payments of 6 000 invoices that are reported within a minute are each settled once, two minutes later at most', async (t) => {
  const ids: string[] = [];
  await forEach(Array.from({ length: INVOICES }), async () => void ids.push(await sell()));
  const invoices = shuffled([...(await invoicesById(world.db, ids))]);
  const paid = invoices.map(({ view }) => currentOption(view) ?? assert.fail('no option'));
  const begin = performance.now();
  /** Payments to report once more, at a random later moment. */
  let again: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const part = paid.slice((step * INVOICES) / STEPS, ((step + 1) * INVOICES) / STEPS);
    for (const option of part) world.pay(option);
    world.rails.PAYEER_USD.world.mine();
    const due = again.splice(0, step === STEPS - 1 ? again.length : again.length / 2);
    await forEach(shuffled([...part.map(({ to }) => to ?? ''), ...due]), (to) => report(to, step));
    again = shuffled([...again, ...part.filter((_, at) => at % TWICE === 0).map(({ to }) => to ?? '')]);
    await pause(Math.max(0, begin + (step + 1) * STEP_MS - performance.now()));
  }
  await forEach(again, (to) => report(to, STEPS));
  const told = performance.now();
  while ((await settled()) < INVOICES) {
    assert.ok(performance.now() - told < MAX_MS, `${await settled()} of ${INVOICES} are settled`);
    await pause(500);
  }
  t.diagnostic(
    `reported in ${Math.round((told - begin) / 1_000)} s, settled ${Math.round((performance.now() - told) / 1_000)} s later`,
  );

  let sum = 0n;
  for (const { view } of await invoicesById(world.db, ids)) {
    assert.equal(view.payments.length, 1);
    const [{ booked } = assert.fail()] = view.payments;
    sum += booked ? booked.set - (booked.fee ?? 0n) : assert.fail('not booked');
  }
  assert.equal(await world.merchant('USDT'), sum);
  const events = await world.db.rows<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from invoice_event where kind in ('payment_final', 'settled') group by kind order by kind`,
  );
  assert.deepEqual(events, [
    { kind: 'payment_final', count: INVOICES },
    { kind: 'settled', count: INVOICES },
  ]);
  assert.deepEqual(await world.prove(), []);
});
