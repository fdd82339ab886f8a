// Invoices are paid by PayPal: only those of businesses for which people switched it on, within their bounds, into the reserve.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parse } from '@kurs/money';
import { newHolder } from '../../auth/testing.ts';
import { readOrders } from '../../exchange/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin, payable } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { putSetting } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { acceptInvoice } from '../actions/decide-invoice.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { setReversible } from '../businesses/decide.ts';
import { NOT_REVERSIBLE, type ReversibleTerms } from '../businesses/reversible.ts';
import { find } from '../invoices/steps.ts';
import { storeFor } from '../members/stores.testing.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import { claimsOf } from '../refunds/rows/claim-rows.ts';
import { readRefund } from '../refunds/rows/refund-rows.ts';
import { payWire } from '../views/pay-wire.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld({ hasPaypal: true, hasRefunds: true });
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await exposure('20000');
});
afterEach(async () => assert.deepEqual(await world.prove(), []));
after(() => world.close());

/** Sets the maximum of all reversible payments, in USD. */
async function exposure(usd: string): Promise<void> {
  await world.db.tx((tx) => putSetting(tx, 'compliance.exposure_usd', usd, 'test'));
  await world.refreshSettings();
}

/** Changes the business's terms of reversible methods. */
const allow = (terms: Partial<ReversibleTerms>): Promise<void> =>
  world.db.tx(async (tx) => {
    const business = (await lockBusiness(tx, world.store.businessId ?? '')) ?? assert.fail();
    await setReversible(tx, business, { ...NOT_REVERSIBLE, ...terms });
  });

const reserve = async (unit = 'USDT'): Promise<bigint> =>
  (await balances(world.db, [accounts.merchantReserve(world.store.id, unit)]))[0] ?? 0n;

/** Returns a new account of a payer at PayPal. */
const payerOfPaypal = (): string => world.paypal?.receiver()['address'] ?? assert.fail();

/** Forgets the receipts that count towards bounds. */
const forgetReceipts = (): Promise<unknown> => world.db.run(`delete from limit_use where key like 'reversible:%'`);

/** Returns why PayPal is closed for an invoice; `open` if it is not, `none` if the invoice doesn't have it. */
async function closed(invoice: StoredInvoice): Promise<string> {
  const { methods } = await payWire({ db: world.db, tokens: world.sender.tokens }, await world.read(invoice), { locale: 'en' });
  const found = methods.find(({ method }) => method === 'PAYPAL_USD');
  return found === undefined ? 'none' : (found.closed ?? 'open');
}

/** Makes an invoice, and pays it by PayPal with what is shown. Returns the invoice after that. */
async function paidBy(more: Parameters<InvoiceWorld['make']>[0] = {}): Promise<StoredInvoice> {
  const invoice = await world.make(more);
  world.pay(await world.choose(invoice, 'PAYPAL_USD'));
  await world.mine();
  return world.read(invoice);
}

test('a store has PayPal only once its business has, and never a personal store', async () => {
  assert.equal(await closed(await world.make()), 'none');
  assert.equal(await refusal(() => world.make({ methods: ['PAYPAL_USD'] })), 'currency_unknown');
  await allow({ isOn: true });
  assert.equal(await closed(await world.make()), 'open');
  const holderId = await newHolder(world.db);
  const personal = await storeFor(world.db, holderId, undefined, { kind: 'personal', settlementCurrency: 'USDT_ERC20' });
  const wanted = { store: personal.id, amount: '10.00', lines: [], metadata: {} };
  assert.equal(await refusal(() => makeInvoice(world.db, { ...wanted, methods: ['PAYPAL_USD'] }, 'en')), 'currency_unknown');
  const played = await storeFor(world.db, holderId, undefined, { settlementCurrency: 'USDT_ERC20' });
  assert.ok((await makeInvoice(world.db, { ...wanted, store: played.id }, 'en')).view.terms.methods.includes('PAYPAL_USD'));
});

test('a capture is paid and settled into the reserve, with one percent of it set aside', async () => {
  await allow({ isOn: true });
  const [balance, before] = [await world.merchant('USDT'), await reserve()];
  const provision = accounts.provisionReversal('PAYPAL_USD');
  const [aside = 0n] = await balances(world.db, [provision]);
  const { view } = await paidBy();
  const [payment] = view.payments;
  assert.ok(payment?.booked);
  assert.deepEqual([view.state, payment.stage, payment.booked.unit], ['settled', 'credited', 'USDT']);
  assert.equal((await reserve()) - before, payment.booked.set - (payment.booked.fee ?? 0n));
  assert.equal(await world.merchant('USDT'), balance);
  assert.equal(((await balances(world.db, [provision]))[0] ?? 0n) - aside, payment.parts / 100n);
});

test('an invoice half paid by PayPal and half by USDT settles each share to its place', async () => {
  await allow({ isOn: true });
  const [balance, before] = [await world.merchant('USDT'), await reserve()];
  const invoice = await world.make();
  world.pay(await world.choose(invoice, 'PAYPAL_USD', '50.00'));
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'open');
  world.pay(await world.choose(invoice, 'USDT_TRC20'));
  await world.mine();
  const { view } = await world.read(invoice);
  const [first, second] = view.payments.map(({ booked }) => (booked?.set ?? 0n) - (booked?.fee ?? 0n));
  assert.equal(view.state, 'settled');
  assert.deepEqual([(await reserve()) - before, (await world.merchant('USDT')) - balance], [first, second]);
});

test('it is closed with a reason for an invoice above the bound, and for receipts above theirs', async () => {
  await forgetReceipts();
  await allow({ isOn: true, receiptsUsd: 30_000n });
  const large = await world.make({ amount: '500.01' });
  assert.equal(await closed(large), 'invoice_limit');
  assert.equal(await refusal(() => world.choose(large, 'PAYPAL_USD')), 'method_closed');
  assert.equal(await refusal(() => world.choose(large, 'PAYPAL_USD', '10.00')), 'method_closed', 'nor a part of it');
  await paidBy({ amount: '200.00' });
  const next = await world.make({ amount: '99.00' });
  assert.equal(await closed(next), 'receipts_limit', 'the spread counts, too');
  assert.equal(await refusal(() => world.choose(next, 'PAYPAL_USD')), 'method_closed');
  assert.equal(await closed(await world.make({ amount: '90.00' })), 'open');
  await allow({ isOn: true, receiptsUsd: 30_000n, invoiceUsd: 8_900n });
  assert.equal(await closed(await world.make({ amount: '90.00' })), 'invoice_limit');
});

test('receipts count for 180 days', async () => {
  await forgetReceipts();
  await allow({ isOn: true, receiptsUsd: 15_000n });
  await paidBy();
  assert.equal(await closed(await world.make()), 'receipts_limit');
  await world.db.run(`update limit_use set at = at - interval '180 days' where key like 'reversible:business:%'`);
  assert.equal(await closed(await world.make()), 'open');
});

test('the desk’s total of reversible payments closes it, too', async () => {
  await forgetReceipts();
  await allow({ isOn: true });
  await exposure('150');
  await paidBy();
  assert.equal(await closed(await world.make()), 'receipts_limit');
  await exposure('0');
  await forgetReceipts();
  assert.equal(await closed(await world.make()), 'receipts_limit');
  await exposure('20000');
});

/** Chooses PayPal, changes something, and pays. Expects that the capture belongs to its payer. Returns its amount and its order. */
async function beyond(change: () => Promise<unknown>, payer = 'PAYER-1') {
  const [balance, before] = [await world.merchant('USDT'), await reserve()];
  const invoice = await world.make();
  const option = await world.choose(invoice, 'PAYPAL_USD');
  await change();
  world.pay(option, undefined, { from: [payer] });
  await world.mine();
  const { view } = await world.read(invoice);
  const [payment] = view.payments;
  assert.deepEqual([view.state, payment?.stage], ['open', 'unallocated']);
  assert.equal(payment?.handedOver?.[0]?.parts, option.parts);
  assert.deepEqual([await world.merchant('USDT'), await reserve()], [balance, before]);
  const orderId = payment?.handedOver?.[0]?.orderId ?? '';
  const [owed] = await balances(world.db, [accounts.unallocated(orderId, 'PAYPAL_USD')]);
  assert.equal(owed, option.parts);
  const used = await world.db.rows('select from limit_use where owner_id = $1', [payment?.id]);
  assert.equal(used.length, 0, 'it is no receipt of the business');
  return { orderId, parts: option.parts ?? 0n };
}

test('bounds that were lowered after the choice decide: the capture belongs to its payer', async () => {
  await forgetReceipts();
  await allow({ isOn: true });
  await beyond(() => allow({ isOn: true, invoiceUsd: 9_900n }));
  await allow({ isOn: true });
  await beyond(() => allow({ isOn: true, receiptsUsd: 9_900n }));
  await allow({ isOn: true });
  await beyond(() => allow({ isOn: false }));
  await allow({ isOn: true });
  await beyond(() =>
    world.owner.run('update business set reversible_invoice_usd = 90000000 where id = $1', [world.store.businessId]),
  );
  await world.owner.run('update business set reversible_invoice_usd = null where id = $1', [world.store.businessId]);
  await allow({ isOn: true });
  await beyond(() => exposure('50'));
  await exposure('20000');
});

test('a capture beyond the bounds goes back to the payment that it came by, if nobody decides, and once', async () => {
  await forgetReceipts();
  await allow({ isOn: true });
  const payer = payerOfPaypal();
  const sentTo = (): bigint => world.paypal?.world.received(payer) ?? 0n;
  const { orderId, parts } = await beyond(() => allow({ isOn: true, invoiceUsd: 9_900n }), payer);
  await world.pass(71 * 60);
  await world.mine();
  assert.equal(sentTo(), 0n, 'its payer still has time');
  await world.pass(2 * 60);
  for (let at = 0; at < 9; at += 1) await world.mine(3);
  const [order] = await readOrders(world.db, [orderId]);
  assert.equal(order?.view.state, 'refunded');
  assert.equal(sentTo(), parts - (order?.view.pinned.refundCost ?? 0n));
  assert.deepEqual(await balances(world.db, [accounts.unallocated(orderId, 'PAYPAL_USD')]), [0n]);
  const refunded = sentTo();
  await world.pass(73 * 60);
  await world.mine();
  assert.equal(sentTo(), refunded);
});

test('euros are settled into the reserve and refunded to their capture in euros', async () => {
  await forgetReceipts();
  await allow({ isOn: true });
  const before = await reserve();
  const invoice = await world.make();
  const option = await world.choose(invoice, 'PAYPAL_EUR');
  assert.ok((option.parts ?? 0n) > 9_090n && (option.parts ?? 0n) < 9_300n, '100 USD with the spread, at 1.10');
  const payer = payerOfPaypal();
  world.pay(option, undefined, { from: [payer] });
  await world.mine();
  const { view } = await world.read(invoice);
  const [payment] = view.payments;
  assert.deepEqual([view.state, payment?.unit, payment?.booked?.unit], ['settled', 'PAYPAL_EUR', 'USDT']);
  assert.equal((await reserve()) - before, payment?.inReserve);
  const [used] = await world.db.rows<{ usd: string }>('select usd::text from limit_use where owner_id = $1 limit 1', [
    payment?.id,
  ]);
  assert.ok(Number(used?.usd) >= 10_000 && Number(used?.usd) < 10_300, `its worth in dollars counts: ${used?.usd}`);
  const maker = { kind: 'member', id: world.store.holderId, isProposed: false } as const;
  const wanted = { store: world.store.id, invoice: view.id, amount: '55.00' };
  for (let tries = 0; tries < 20 && (await payable(world.db, 'PAYPAL_EUR')) < 5_000n; tries += 1) {
    await setTimeout(250);
    await world.turn();
  }
  const refund = await makeRefund({ db: world.db, sender: world.sender }, wanted, maker, 'en');
  assert.equal((await world.read(invoice)).view.payments[0]?.inReserve, (payment?.inReserve ?? 0n) - refund.taken.parts);
  for (let at = 0; at < 3; at += 1) await world.mine();
  const [claim] = await claimsOf(world.db, [refund.id]);
  assert.deepEqual(
    [(await readRefund(world.db, refund.id)).state, claim?.currency, claim?.parts],
    ['paid', 'PAYPAL_EUR', 5_000n],
  );
  assert.equal(world.paypal?.world.received(payer), 5_000n);
  // After the euro has fallen, the rest of the amount is more euros than are left of the payment.
  await world.price('90000', '0.66');
  const rest = { ...wanted, amount: '45.00' };
  assert.equal(await refusal(() => makeRefund({ db: world.db, sender: world.sender }, rest, maker, 'en')), 'refund_too_large');
  await world.price('90000', '1.1');
});

test('of invoices that were chosen together, no more is credited than a business may receive', async () => {
  await forgetReceipts();
  await allow({ isOn: true, receiptsUsd: 25_000n });
  const invoices = await Promise.all([1, 2, 3, 4].map(() => world.make()));
  for (const invoice of invoices) {
    const option = await world.choose(invoice, 'PAYPAL_USD');
    world.pay(option);
  }
  await world.mine();
  const views = await Promise.all(invoices.map(async (invoice) => (await world.read(invoice)).view));
  assert.deepEqual(views.map(({ state }) => state).toSorted(), ['open', 'open', 'settled', 'settled']);
  const receipts = views.flatMap(({ payments }) => payments.filter(({ stage }) => stage === 'credited'));
  assert.ok(receipts.reduce((sum, { parts }) => sum + parts, 0n) <= parse('PAYPAL_USD', '250').parts);
});

test('abandoned choices close nothing', async () => {
  await forgetReceipts();
  await allow({ isOn: true, receiptsUsd: 15_000n });
  for (let at = 0; at < 5; at += 1) await world.choose(await world.make(), 'PAYPAL_USD');
  assert.equal(await closed(await world.make()), 'open');
});

test('a late capture that its store accepts is within the bounds, or is refused', async () => {
  await forgetReceipts();
  await allow({ isOn: true });
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'PAYPAL_USD');
  await world.pass(20);
  world.pay(option);
  await world.mine();
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, find(view, view.payments[0]?.id ?? '')?.stage], ['expired', 'unallocated']);
  const accept = async (): Promise<unknown> => {
    const { version } = (await world.read(invoice)).view;
    return acceptInvoice({ db: world.db, sender: world.sender }, { store: world.store.id, id: view.id, version });
  };
  await allow({ isOn: true, receiptsUsd: 9_900n });
  assert.equal(await refusal(accept), 'method_closed');
  await allow({ isOn: true });
  const before = await reserve();
  await accept();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.equal((await reserve()) - before, (await world.read(invoice)).view.payments[0]?.inReserve);
});

test('a business that goes leaves the desk at most its bound of receipts', async () => {
  await forgetReceipts();
  await allow({ isOn: true, receiptsUsd: 25_000n });
  const paid = [await paidBy(), await paidBy()];
  const parts = paid.flatMap(({ view }) => view.payments.map((payment) => payment.parts)).reduce((sum, one) => sum + one, 0n);
  assert.ok(parts <= parse('PAYPAL_USD', '250').parts);
  for (const { view } of paid) await world.db.tx((tx) => decidePayin(tx, takeBack(view.payments[0]?.id ?? '')));
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  for (const invoice of paid) assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'reversed');
  // Receipts that were taken back still count: otherwise it could receive as much again, and go with it.
  const next = await world.make();
  assert.equal(await closed(next), 'receipts_limit');
  assert.equal(await refusal(() => world.choose(next, 'PAYPAL_USD')), 'method_closed');
});
