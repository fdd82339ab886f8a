// Late payments of invoices that have ended are accepted by their store while their payers have decided nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCode } from '../../auth/index.ts';
import { readOrders } from '../../exchange/index.ts';
import { choose } from '../../exchange/testing.ts';
import { refusal, testSealer } from '../../platform/testing.ts';
import { decisionSteps } from './decisions.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const { proven, accept, give, late, lateOrder, refund, takeAway, bringBack } = decisionSteps(() => world);

for (const [method, amount] of [
  ['BTC', undefined],
  ['BTC', '0.0003'],
  ['PAYEER_USD', '200'],
  ['USDT_TRC20', undefined],
] as const)
  test(`a late payment of ${amount ?? 'the whole sum'} by ${method} is accepted at the rate of now`, async () => {
    const invoice = await late(method, amount);
    const order = await lateOrder(invoice);
    const had = await world.merchant('USDT');
    await world.price('100000');
    const { view } = await accept(invoice);
    await world.price('90000');
    const [payment = assert.fail()] = view.payments;
    assert.deepEqual([view.state, payment.stage, payment.isInKind], ['settled', 'credited', false]);
    const { booked } = payment;
    assert.equal((await world.merchant('USDT')) - had, (booked?.set ?? 0n) - (booked?.fee ?? 0n));
    if (method === 'BTC') assert.equal(booked?.set, (booked?.exchanged ?? 0n) * 1_000n);
    const [taken] = await readOrders(world.db, [order.view.id]);
    assert.deepEqual([taken?.view.state, taken?.view.positions.in], ['applied', 0n]);
    const hasExcess = amount === '200' || (method === 'BTC' && amount === undefined);
    assert.equal(payment.handedOver?.length, hasExcess ? 1 : 0, 'the excess is the payer’s again');
    assert.equal(view.accepted !== undefined, amount === '0.0003');
    assert.equal((await world.events(invoice)).filter((kind) => kind === 'payment_final').length, 1);
    await proven(invoice);
    await takeAway(payment);
    const { view: after } = await proven(invoice);
    assert.deepEqual([after.state, after.payments[0]?.stage], ['invalid', 'reversed']);
  });

test('of an acceptance and the payer’s own choice at once, one wins', async () => {
  const outcomes = new Set<string>();
  for (let at = 0; at < 4; at += 1) {
    const invoice = await late('PAYEER_USD');
    const order = await lateOrder(invoice);
    const { db, sender } = world;
    const token = sender.tokens.make('order', order.view.id, order.tokenVersion);
    const otp = await db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    const chosen = (): Promise<unknown> =>
      choose({ db, sender, sealer: testSealer }, { id: order.number, token, otp, choice: 'refund' });
    const both = at % 2 === 0 ? [() => accept(invoice), chosen] : [chosen, () => accept(invoice)];
    const done = await Promise.allSettled(both.map((one) => one()));
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
    const { view } = await proven(invoice);
    const [now] = await readOrders(db, [order.view.id]);
    assert.deepEqual([view.state, now?.view.state], view.state === 'settled' ? ['settled', 'applied'] : ['expired', 'refunding']);
    outcomes.add(view.state);
  }
  assert.ok(outcomes.size > 0);
});

test('a late payment is accepted after its payer’s time to choose, and not after the store’s', async () => {
  const [first, second, third] = [await late('BTC'), await late('BTC'), await late('PAYEER_USD')];
  await refund(await lateOrder(third), 'PAYEER_USD');
  assert.equal(await refusal(() => accept(third)), 'payer_decided');
  await world.pass(80 * 60);
  for (let at = 0; at < 3; at += 1) await world.pass(1);
  assert.equal((await lateOrder(first)).view.state, 'unclaimed');
  await world.closeRates();
  assert.equal(await refusal(() => accept(first)), 'rates_unavailable');
  await world.price('90000');
  await accept(first);
  assert.equal((await proven(first)).view.state, 'settled');
  await world.pass(4 * 24 * 60);
  assert.equal(await refusal(() => accept(second)), 'accept_over');
  assert.equal(await refusal(() => give(second)), 'invoice_not_open');
  assert.equal((await lateOrder(second)).view.state, 'unclaimed');
});

test('a late payment that its rail took back in part is accepted with the rest, and its debt to come is its payer’s', async () => {
  const invoice = await late('PAYEER_USD');
  const [payment = assert.fail()] = invoice.view.payments;
  await takeAway(payment, 1_000n);
  const { view } = await accept(await proven(invoice));
  assert.deepEqual([view.state, view.payments[0]?.booked?.parts], ['settled', payment.parts - 1_000n]);
  await proven(invoice);
  await bringBack(payment);
  const [after] = (await proven(invoice)).view.payments;
  assert.deepEqual([after?.stage, after?.taken], ['credited', 0n]);
});
