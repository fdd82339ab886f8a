// Money that an invoice doesn't need goes back to its payer as an unallocated payment: over, late, too small or foreign. The payer
// has it refunded, and their rail takes it back before or after that.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCode } from '../../auth/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { type StoredOrder, readOrders } from '../../exchange/index.ts';
import { choose, saveOrders } from '../../exchange/testing.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { PAYIN_EVENT, type PayinBody, decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId, outbox } from '../../platform/index.ts';
import { refusal, testSealer } from '../../platform/testing.ts';
import { leaveAddress } from '../actions/change-invoice.ts';
import { type InvoicePayment, creditedOf, handedOf, inOf, ownOf } from '../invoices/invoice.ts';
import { saveInvoices } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { payWire } from '../views/pay-wire.ts';
import { payerSecret } from '../views/payer-orders.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

const EMAIL = 'payer@example.org';
let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

/** Returns the payments of an invoice. Checks the books, and that nothing of these payments is in the invoice's account. */
async function paymentsOf(invoice: StoredInvoice): Promise<readonly InvoicePayment[]> {
  const { view } = await world.read(invoice);
  for (const payment of view.payments) {
    assert.equal(inOf(payment), 0n);
    assert.deepEqual(await balances(world.db, [accounts.invoiceIn(view.id, payment.unit)]), [0n]);
  }
  assert.deepEqual(await world.prove(), []);
  return view.payments;
}

/** Returns the unallocated payment to which a payment was handed over. */
async function orderOf({ handedOver: payers = [] }: InvoicePayment): Promise<StoredOrder> {
  const [order] = await readOrders(world.db, [payers.at(-1)?.orderId ?? assert.fail('it was not handed over')]);
  return order ?? assert.fail('there is no such order');
}

/** Returns the letters that link to an unallocated payment. */
const lettersAbout = async ({ number }: StoredOrder) =>
  (await queuedLetters(world.db)).filter(({ text }) => text.includes(`/order?id=${number}`));

/** Makes an invoice, pays an amount by a method, and returns the only payment after it is final. */
async function paid(method: Code, amount?: string, more: { readonly currency?: string } = {}) {
  const invoice = await world.make({ email: EMAIL });
  const option = await world.choose(invoice, method);
  world.pay(option, amount, { from: Object.values(world.rails[method].receiver()), ...more });
  await world.mine();
  const [payment] = await paymentsOf(invoice);
  return { invoice, option, payment: payment ?? assert.fail('nothing arrived') };
}

/** Makes an invoice expire, pays it after that, and returns the payment. */
async function paidLate(method: Code) {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, method);
  await world.pass(16);
  for (let at = 0; at < 3; at += 1) await world.pass(1);
  world.pay(option);
  await world.mine();
  const [payment] = await paymentsOf(invoice);
  return { invoice, payment: payment ?? assert.fail('nothing arrived') };
}

/** Chooses what happens to an unallocated payment, with a mailed code. */
async function decide(order: StoredOrder, more: Pick<Parameters<typeof choose>[1], 'choice' | 'account'>): Promise<void> {
  const { db, sender } = world;
  const token = sender.tokens.make('order', order.view.id, order.tokenVersion);
  const otp = await db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  await choose({ db, sender, sealer: testSealer }, { id: order.number, token, otp, ...more });
}

/** Lets the payer of an order take a refund, and waits until it is sent. */
async function refund(order: StoredOrder, method: Code): Promise<StoredOrder> {
  if (!order.view.refund) await decide(order, { choice: 'give_route', account: { ...world.rails[method].receiver() } });
  await decide(order, { choice: 'refund' });
  for (let at = 0; at < 9; at += 1) {
    await world.mine(3);
    const [sent] = await readOrders(world.db, [order.view.id]);
    if (sent?.view.state === 'refunded') return sent;
  }
  return assert.fail('it was not sent');
}

/** Has two people take a payment back, and lets its owner know. */
async function takeAway({ id }: InvoicePayment, parts?: bigint): Promise<void> {
  await world.db.tx((tx) => decidePayin(tx, takeBack(id, parts)));
  await world.turn();
}

/** Stores an order's row with a right MAC, as SQL together with our key could. */
const store = (order: StoredOrder): Promise<void> =>
  world.db.tx((tx) => saveOrders(tx, [order], new Map([[order.view.id, order.view.version]])));

/** Returns the last event of a payment with another name. */
async function bodyOf({ id }: InvoicePayment, event: PayinBody['event']): Promise<PayinBody> {
  const row = await world.owner.row<{ body: PayinBody }>(
    `select body from event where kind = $1 and body ->> 'payinId' = $2 order by id desc limit 1`,
    [PAYIN_EVENT, id],
  );
  return { ...(row?.body ?? assert.fail('no event')), event };
}

const publish = (body: PayinBody): Promise<void> =>
  world.db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind: PAYIN_EVENT, subject: `invoice:${body.owner.id}`, body }]));

test('what exceeds an invoice goes to its payer, who has it refunded with a code', async () => {
  const invoice = await world.make();
  const email = 'over@example.org';
  await leaveAddress(world.db, { id: invoice.view.id, email });
  const option = await world.choose(invoice, 'PAYEER_USD');
  world.pay(option, '150', { from: Object.values(world.rails.PAYEER_USD.receiver()) });
  await world.mine();
  const [payment = assert.fail()] = await paymentsOf(invoice);
  const over = handedOf(payment);
  assert.ok(over > 0n);
  const order = await orderOf(payment);
  assert.deepEqual([order.view.state, order.email, order.locale], ['choosing', email, 'en']);
  assert.deepEqual([order.view.positions.in, order.view.payments[0]?.id], [over, payment.id]);
  assert.deepEqual(
    (await lettersAbout(order)).map(({ recipient }) => recipient),
    [email],
  );
  const { view } = await refund(order, 'PAYEER_USD');
  assert.equal(view.facts.sent?.parts, over - view.pinned.refundCost);
  await paymentsOf(invoice);
});

test('an address that nobody confirmed gets three letters a day, of dust as well, and the page still names the money', async () => {
  const email = 'victim@example.org';
  const dust = async (): Promise<void> => {
    const invoice = await world.make({ email });
    world.pay(await world.choose(invoice, 'USDT_TRC20'), '0.20');
    await world.mine();
    const deps = { db: world.db, tokens: world.sender.tokens };
    const secret = payerSecret(deps.tokens, invoice.view.id);
    const { payments } = await payWire(deps, await world.read(invoice), { locale: 'en', secret });
    assert.deepEqual([payments.length, typeof payments[0]?.order?.id], [1, 'string']);
  };
  const letters = async (): Promise<number> => (await queuedLetters(world.db, { to: email })).length;
  for (let at = 0; at < 5; at += 1) await dust();
  assert.equal(await letters(), 3);
  await world.pass(24 * 60);
  await dust();
  assert.equal(await letters(), 4);
});

test('a late payment goes to its payer whole, without a letter if no address is known', async () => {
  const { invoice, payment } = await paidLate('BTC');
  const order = await orderOf(payment);
  assert.deepEqual(order.view.pinned.paidFor, { number: invoice.number, why: 'late' });
  assert.deepEqual([payment.stage, order.view.positions.in, order.email], ['unallocated', payment.parts, '']);
  assert.deepEqual(await lettersAbout(order), []);
  await assert.rejects(decide(order, { choice: 'refund' }), /choice_not_open/);
});

test('a payment in a foreign currency of the same address goes to its payer', async () => {
  const { payment } = await paid('BTC', '1', { currency: 'LTC' });
  const order = await orderOf(payment);
  assert.deepEqual([order.view.give.currency, order.view.give.unit, payment.credit], ['LTC', 'LTC', 0n]);
  assert.equal(order.view.positions.in, payment.parts);
  assert.equal(order.view.pinned.paidFor?.why, 'not_taken');
});

test('a payment that is too small to be refunded goes to its payer as well, and waits there', async () => {
  const { payment } = await paid('USDT_TRC20', '0.20');
  const order = await orderOf(payment);
  assert.deepEqual([payment.stage, order.view.positions.in], ['unallocated', 200_000n]);
  assert.ok(order.view.pinned.minRefund > 200_000n);
});

test('a payment that is taken back before its refund leaves no trace of money', async () => {
  const { invoice, payment } = await paid('PAYEER_USD', '150');
  const order = await orderOf(payment);
  await takeAway(payment);
  const [after] = await paymentsOf(invoice);
  const parts = handedOf(payment);
  const at = payment.handedOver?.[0]?.at;
  assert.deepEqual([after?.stage, after?.handedOver], ['reversed', [{ orderId: order.view.id, parts, taken: parts, at }]]);
  const [{ view } = assert.fail()] = await readOrders(world.db, [order.view.id]);
  assert.deepEqual([view.state, view.positions.in, view.positions.receivable], ['reversed', 0n, 0n]);
});

test('a payment that is taken back after its refund is owed once, and settles the debt if it comes again', async () => {
  const { invoice, payment } = await paid('BTC', '0.002');
  const order = await refund(await orderOf(payment), 'BTC');
  await takeAway(payment);
  await paymentsOf(invoice);
  const [{ view } = assert.fail()] = await readOrders(world.db, [order.view.id]);
  assert.deepEqual([view.state, view.positions.receivable], ['charged_back', handedOf(payment)]);
  assert.equal(await refusal(() => takeAway(payment)), 'action_not_open', 'once');
  await world.db.tx((tx) => decidePayin(tx, { ...takeBack(payment.id), word: 'restore' }));
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  const [back = assert.fail()] = await paymentsOf(invoice);
  const [{ view: settled } = assert.fail()] = await readOrders(world.db, [order.view.id]);
  assert.deepEqual([settled.state, settled.positions.receivable], ['refunded', 0n]);
  // The payment has paid the invoice again, at its own amounts.
  assert.deepEqual([back?.stage, handedOf(back), back?.booked], ['credited', handedOf(payment), payment.booked]);
  assert.equal((await world.read(invoice)).view.state, 'settled');
});

test('of a payment that is taken back in part, the payer’s part goes first, then a share of what was credited', async () => {
  const { invoice, payment } = await paid('PAYEER_USD', '150');
  const order = await orderOf(payment);
  const over = handedOf(payment);
  const set = payment.booked?.set ?? assert.fail();
  const had = await world.merchant('USDT');
  await takeAway(payment, 1_000n);
  const [first = assert.fail()] = await paymentsOf(invoice);
  assert.deepEqual([first.stage, handedOf(first), first.booked?.set], ['credited', over - 1_000n, set]);
  assert.equal((await readOrders(world.db, [order.view.id]))[0]?.view.positions.in, over - 1_000n);
  await takeAway(payment, over);
  const [second = assert.fail()] = await paymentsOf(invoice);
  const { view } = await world.read(invoice);
  assert.deepEqual(
    [second.stage, handedOf(second), ownOf(second), view.state],
    ['credited', 0n, 15_000n - over - 1_000n, 'invalid'],
  );
  assert.ok(creditedOf(view) < 10_000n);
  const lost = set - (second.booked?.set ?? 0n);
  const fee = (payment.booked?.fee ?? 0n) - (second.booked?.fee ?? 0n);
  assert.equal(had - (await world.merchant('USDT')), lost - fee);
  await takeAway(payment);
  const [last] = await paymentsOf(invoice);
  assert.equal(last?.stage, 'reversed');
  assert.equal(had - (await world.merchant('USDT')), set - (payment.booked?.fee ?? 0n));
});

test('a payment that comes again before any refund is its payer’s as before, and a part of it as well', async () => {
  for (const parts of [undefined, 1_000n]) {
    const invoice = await world.make({ email: EMAIL });
    world.pay(await world.choose(invoice, 'BTC'), '0.002');
    for (let at = 0; at < 3; at += 1) await world.mine(3);
    const [payment = assert.fail()] = await paymentsOf(invoice);
    const order = await orderOf(payment);
    await takeAway(payment, parts);
    const left = handedOf(payment) - (parts ?? handedOf(payment));
    assert.equal((await readOrders(world.db, [order.view.id]))[0]?.view.positions.in, left);
    await paymentsOf(invoice);
    await world.db.tx((tx) => decidePayin(tx, { ...takeBack(payment.id), word: 'restore' }));
    for (let at = 0; at < 3; at += 1) await world.mine(3);
    const [back = assert.fail()] = await paymentsOf(invoice);
    const [{ view } = assert.fail()] = await readOrders(world.db, [order.view.id]);
    assert.deepEqual([view.state, view.positions.in, back.taken ?? 0n], ['choosing', handedOf(payment), 0n]);
  }
});

test('of two reports of one payment at once, one counts', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'PAYEER_USD');
  world.pay(option, '150');
  world.rails.PAYEER_USD.world.mine(70);
  await world.pass(1);
  const [payment] = (await world.read(invoice)).view.payments;
  const final = await bodyOf(payment ?? assert.fail(), 'final');
  await Promise.all([publish(final), publish(final)]);
  await Promise.all([world.turn(), world.turn()]);
  const [after] = await paymentsOf(invoice);
  const orders = await world.db.rows('select from customer_order where body @> $1', [
    JSON.stringify({ payments: [{ id: after?.id }] }),
  ]);
  assert.equal(orders.length, 1);
});

test('a payment is not taken back while SQL has changed its unallocated payment', async () => {
  const { invoice, payment } = await paid('PAYEER_USD', '150');
  const { view } = await orderOf(payment);
  const change = `update customer_order set email = $2 where id = $1`;
  await world.owner.run(change, [view.id, 'thief@example.org']);
  await takeAway(payment);
  const [waiting] = (await world.read(invoice)).view.payments;
  assert.equal(waiting?.stage, 'credited');
  assert.ok((await world.prove()).some((words) => words.includes(view.id)));
  await world.owner.run(change, [view.id, EMAIL]);
  await world.pass(30);
  const [after] = await paymentsOf(invoice);
  assert.equal(after?.stage, 'reversed');
});

test('the proof accuses an invoice that counts more of a payment than was not taken back', async () => {
  const { invoice, payment } = await paid('USDT_TRC20', '150');
  const stored = await world.read(invoice);
  const payments = stored.view.payments.map((one) => ({
    ...one,
    taken: 1n,
    handedOver: one.handedOver?.map((part) => ({ ...part, taken: 1n })),
  }));
  const save = (view: typeof stored.view): Promise<void> =>
    world.db.tx((tx) => saveInvoices(tx, [{ ...stored, view }], new Map([[view.id, view.version]])));
  await save({ ...stored.view, payments });
  assert.ok((await world.prove()).some((words) => words.includes(payment.id)));
  await save(stored.view);
  await paymentsOf(invoice);
});

test('the proof accuses a piece that SQL altered or doubled, and a wrong amount with the invoice', async () => {
  const { invoice, payment } = await paid('USDT_TRC20', '150');
  const order = await orderOf(payment);
  const { view } = order;
  const [piece] = view.payments;
  assert.ok(piece);
  for (const payments of [[{ ...piece, parts: piece.parts + 1n }], [piece, piece]]) {
    await store({ ...order, view: { ...view, payments } });
    assert.ok(
      (await world.prove()).some((words) => words.includes(payment.id)),
      'the payment is accused',
    );
  }
  await store(order);
  const stored = await world.read(invoice);
  const payments = stored.view.payments.map((one) => ({
    ...one,
    handedOver: (one.handedOver ?? []).map((part) => ({ ...part, parts: part.parts - 1n })),
  }));
  const altered = { ...stored, view: { ...stored.view, payments } };
  await world.db.tx((tx) => saveInvoices(tx, [altered], new Map([[stored.view.id, stored.view.version]])));
  assert.ok((await world.prove()).some((words) => words.includes('handed over another amount')));
  await world.db.tx((tx) => saveInvoices(tx, [stored], new Map([[stored.view.id, stored.view.version]])));
  await paymentsOf(invoice);
});
