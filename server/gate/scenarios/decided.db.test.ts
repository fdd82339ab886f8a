// Decisions about invoices that were paid in part: accepted, given back, or decided by the store's preset; and what the rails then
// take back and bring again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money } from '@kurs/money';
import { makeCode } from '../../auth/index.ts';
import { newHolder } from '../../auth/testing.ts';
import { setLevel } from '../../compliance/index.ts';
import { readOrders } from '../../exchange/index.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { type Context, configureLog, newId } from '../../platform/index.ts';
import { freely, refusal, testSealer } from '../../platform/testing.ts';
import { payFromWallet } from '../actions/pay-from-wallet.ts';
import { entryPage } from '../bookkeeping/report.ts';
import { creditedOf, dueOf, neededOf, setOf } from '../invoices/invoice.ts';
import { walletMethodOf } from '../methods/wallet-method.ts';
import { EMAIL, decisionSteps } from './decisions.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

const CONTEXT = { ...freely, locale: 'en', ip: '203.0.113.7', deviceKey: 'device' } as unknown as Context;
let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const { balance, free, proven, short, accept, give, onlyPayment, orderOf, refund, takeAway, bringBack } = decisionSteps(
  () => world,
);

test('a short invoice that is accepted is settled with what is credited', async () => {
  const invoice = await short('BTC', '0.0006');
  const had = await world.merchant('USDT');
  const credited = creditedOf(invoice.view);
  const { view } = await accept(invoice);
  assert.deepEqual([view.state, view.accepted, neededOf(view)], ['settled', credited, credited]);
  const { booked } = await onlyPayment(invoice);
  assert.equal((await world.merchant('USDT')) - had, (booked?.set ?? 0n) - (booked?.fee ?? 0n));
  assert.equal((await world.events(invoice)).at(-1), 'settled');
  await proven(invoice);
  assert.equal(await refusal(() => accept(invoice)), 'invoice_not_open');
});

test('of two decisions at once, one counts', async () => {
  const invoice = await short('PAYEER_USD', '50');
  const done = await Promise.allSettled([accept(invoice), give(invoice), accept(invoice)]);
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
  const { view } = await proven(invoice);
  assert.ok(view.state === 'settled' || view.state === 'expired');
});

test('a decision about sums that have changed since is refused, and a payment on its way is its payer’s after an acceptance', async () => {
  const invoice = await short('BTC', '0.0006');
  const option = await world.choose(invoice, 'BTC');
  world.pay(option);
  await world.pass(1);
  assert.equal(await refusal(() => accept(invoice)), 'invoice_changed');
  const now = await world.read(invoice);
  assert.equal(now.view.payments[1]?.stage, 'seen');
  assert.ok((now.view.payments[1]?.reserve ?? 0n) > 0n);
  await accept(now);
  await world.mine();
  const { view } = await proven(invoice);
  assert.deepEqual([view.state, view.payments[1]?.stage, view.payments[1]?.reserve], ['settled', 'unallocated', 0n]);
});

test('a converted payment that is given back brings its payer what it is worth now, and the desk keeps the spread', async () => {
  const invoice = await short('BTC', '0.0006');
  const { booked } = await onlyPayment(invoice);
  const set = booked?.set ?? assert.fail();
  const [usdt, btc] = [await free('USDT'), await free('BTC')];
  await world.price('45000');
  const { view } = await give(invoice);
  assert.equal(view.state, 'expired');
  const payment = await onlyPayment(invoice);
  const worth = (set * 10n ** 8n) / (45_000n * 10n ** 6n);
  assert.deepEqual([payment.stage, payment.credit, payment.givenBack?.parts, setOf(payment)], ['given_back', 0n, worth, 0n]);
  assert.ok(worth > payment.parts, 'the coin has lost half of its price');
  assert.deepEqual([(await free('USDT')) - usdt, btc - (await free('BTC'))], [set, worth]);
  const order = await orderOf(payment);
  assert.deepEqual([order.view.state, order.view.positions.in, order.email], ['choosing', worth, EMAIL]);
  assert.equal((await world.events(invoice)).at(-1), 'expired');
  await proven(invoice);
  await world.price('90000');
  await refund(order, 'BTC');
  await proven(invoice);
});

test('a payment in the settlement unit is given back as the coin itself, less its costs', async () => {
  const invoice = await short('USDT_TRC20', '60');
  const { booked, parts } = await onlyPayment(invoice);
  const desk = await free('USDT');
  await give(invoice);
  const payment = await onlyPayment(invoice);
  assert.deepEqual([payment.stage, payment.givenBack?.parts], ['given_back', booked?.set]);
  assert.ok((payment.givenBack?.parts ?? 0n) <= parts);
  assert.equal(await free('USDT'), desk, 'nothing of it is the desk’s');
  await proven(invoice);
});

test('what has no price, or of which the desk has too little, waits and follows; the desk hears of it after an hour', async (t) => {
  const alarms: string[] = [];
  configureLog({ onAlarm: (words) => void alarms.push(words) });
  t.after(() => configureLog({ onAlarm: () => {} }));
  const told = (): number => alarms.filter((words) => /could not be given back for an hour/.test(words)).length;
  const invoice = await short('BTC', '0.0006');
  await world.closeRates();
  await give(invoice);
  assert.deepEqual([(await proven(invoice)).view.state, (await onlyPayment(invoice)).stage], ['expired', 'returning']);
  await world.pass(1);
  assert.equal((await onlyPayment(invoice)).stage, 'returning');
  const there = await free('BTC');
  const away = (from: ReturnType<typeof accounts.deskFree>, to: typeof from) =>
    world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'promo_funded', cause: newId(), legs: [leg(from, to, there)] }]));
  const pot = accounts.promo('earn', 'BTC');
  await away(accounts.deskFree('BTC'), pot);
  await world.price('90000');
  await world.pass(1);
  assert.equal((await onlyPayment(invoice)).stage, 'returning', 'the desk has no bitcoin');
  await world.pass(55);
  assert.equal(told(), 0);
  await world.pass(5);
  assert.equal(told(), 1);
  await away(pot, accounts.deskFree('BTC'));
  await world.pass(1);
  assert.equal((await onlyPayment(invoice)).stage, 'given_back');
  assert.equal((await world.events(invoice)).at(-1), 'given_back');
  await proven(invoice);
});

for (const preset of ['accept', 'give_back'] as const)
  test(`a short invoice that nobody decides about follows its store’s preset: ${preset}`, async () => {
    await world.change({ shortPreset: preset });
    const invoice = await short('PAYEER_USD', '50');
    await world.pass(71 * 60);
    assert.equal((await world.read(invoice)).view.state, 'short');
    await world.pass(61);
    await world.pass(1);
    const { view } = await proven(invoice);
    assert.equal(view.state, preset === 'accept' ? 'settled' : 'expired');
    assert.equal((await onlyPayment(invoice)).stage, preset === 'accept' ? 'credited' : 'given_back');
    await world.change({ shortPreset: 'give_back' });
  });

test('the preset waits while a payment is pending', async () => {
  const invoice = await short('BTC', '0.0006');
  await world.pass(71 * 60 + 30);
  world.pay(await world.choose(invoice, 'BTC'));
  await world.pass(1);
  await world.pass(20);
  await world.pass(20);
  assert.equal((await world.read(invoice)).view.state, 'short');
  await world.mine();
  assert.equal((await proven(invoice)).view.state, 'settled');
});

for (const method of ['BTC', 'USDT_TRC20', 'PAYEER_USD'] as const)
  test(`${method}: what was given back and not decided is turned round with its payment, and comes again with it`, async () => {
    const invoice = await short(method, method === 'BTC' ? '0.0006' : '60');
    await give(invoice);
    const given = await onlyPayment(invoice);
    const order = await orderOf(given);
    const worth = given.givenBack?.parts ?? assert.fail();
    await takeAway(given, given.parts / 3n);
    await proven(invoice);
    const part = await onlyPayment(invoice);
    assert.equal(part.stage, 'given_back');
    assert.ok((part.givenBack?.taken ?? 0n) > worth / 4n);
    await takeAway(given);
    await proven(invoice);
    const gone = await onlyPayment(invoice);
    assert.deepEqual([gone.stage, gone.givenBack?.taken], ['reversed', worth]);
    const [reversed] = await readOrders(world.db, [order.view.id]);
    assert.deepEqual([reversed?.view.state, reversed?.view.positions.receivable], ['reversed', 0n]);
    await bringBack(given);
    await proven(invoice);
    const again = await onlyPayment(invoice);
    assert.deepEqual([again.stage, again.givenBack?.taken, again.booked?.set], ['given_back', 0n, given.booked?.set]);
    const [back] = await readOrders(world.db, [order.view.id]);
    assert.deepEqual([back?.view.state, back?.view.positions.in], ['choosing', worth]);
    assert.equal((await world.read(invoice)).view.state, 'expired');
  });

test('what was given back and refunded is owed by its payer once its payment is taken back, and settled when it comes again', async () => {
  const invoice = await short('BTC', '0.0006');
  const usdt = await free('USDT');
  await world.price('45000');
  await give(invoice);
  const given = await onlyPayment(invoice);
  const set = given.booked?.set ?? assert.fail();
  assert.equal((await free('USDT')) - usdt, set);
  const order = await refund(await orderOf(given), 'BTC');
  const btc = await free('BTC');
  await takeAway(given);
  await proven(invoice);
  assert.equal((await free('BTC')) - btc, (given.givenBack?.parts ?? 0n) - (given.booked?.exchanged ?? 0n));
  const [owing] = await readOrders(world.db, [order.view.id]);
  assert.deepEqual([owing?.view.state, owing?.view.positions.receivable], ['charged_back', given.givenBack?.parts]);
  await bringBack(given);
  await proven(invoice);
  assert.equal(await free('BTC'), btc);
  await world.price('90000');
  const [settled] = await readOrders(world.db, [order.view.id]);
  assert.deepEqual([settled?.view.state, settled?.view.positions.receivable], ['refunded', 0n]);
});

test('a payment from a wallet that is given back belongs to the wallet’s holder, and its refund goes there', async () => {
  const id = await newHolder(world.db);
  const ann = { id, email: `${id}@example.org`, sessionId: `session of ${id}` };
  const wallet = accounts.wallet(id, 'BTC');
  await world.db.tx(async (tx) => {
    await setLevel(tx, id, 3, 'test');
    const legs = [leg(accounts.custody('BTC', 'hot', 'BTC'), wallet, 1_000_000n)];
    await post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]);
  });
  const invoice = await world.make({ life_minutes: 15 });
  const txid = world.pay(await world.choose(invoice, 'BTC', '40.00'));
  await world.pass(1);
  const method = walletMethodOf(invoice.view.terms, 'BTC', dueOf((await world.read(invoice)).view));
  const { parts = 0n } = typeof method === 'string' ? assert.fail(method) : method;
  const subject = `${id} ${ann.sessionId} ${invoice.view.id}`;
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }));
  const wanted = { id: invoice.view.id, unit: 'BTC', amount: format(money('BTC', parts), 8), otp };
  await payFromWallet({ ...world, sealer: testSealer }, ann, wanted, CONTEXT);
  world.rails.BTC.world.doubleSpend(txid);
  await world.mine();
  for (let at = 0; at < 5 && (await world.read(invoice)).view.state !== 'short'; at += 1) await world.pass(5);
  await give(await proven(invoice));
  const payment = (await world.read(invoice)).view.payments.find(({ walletOf }) => walletOf === id) ?? assert.fail();
  assert.equal(payment.stage, 'given_back');
  const order = await orderOf(payment);
  assert.deepEqual([order.holderId, order.view.refund?.key], [id, `wallet:${id}`]);
  const had = await balance(wallet);
  await refund(order, 'BTC');
  assert.equal((await balance(wallet)) - had, payment.givenBack?.parts);
  assert.deepEqual(await world.prove(), []);
});

test('a payment that waits to be given back is turned round whole', async () => {
  const invoice = await short('BTC', '0.0006');
  await world.closeRates();
  await give(invoice);
  await takeAway(await onlyPayment(invoice));
  const { stage, booked } = await onlyPayment(invoice);
  assert.deepEqual([stage, booked], ['reversed', undefined]);
  await world.price('90000');
  await proven(invoice);
});

test('an accepted invoice whose payment is taken back is invalid, and the store gives it up', async () => {
  const invoice = await short('PAYEER_USD', '50');
  await accept(invoice);
  const had = await world.merchant('USDT');
  const { booked, ...payment } = await onlyPayment(invoice);
  await takeAway(payment);
  assert.equal((await proven(invoice)).view.state, 'invalid');
  assert.equal(had - (await world.merchant('USDT')), (booked?.set ?? 0n) - (booked?.fee ?? 0n));
  await bringBack(payment);
  assert.equal((await proven(invoice)).view.state, 'settled');
  assert.equal(await world.merchant('USDT'), had);
});

for (const method of ['BTC', 'USDT_TRC20'] as const)
  test(`${method}: a settled payment that comes again in parts repays what its store owes, and settles the invoice again`, async () => {
    const invoice = await short(method, method === 'BTC' ? '0.0006' : '60');
    await accept(invoice);
    const settled = await onlyPayment(invoice);
    const { businessId = '' } = invoice.view.store;
    const debt = (): Promise<bigint> => balance(accounts.receivable(`business_${businessId}`, 'USDT'));
    const merchant = accounts.merchant(invoice.view.store.id, 'USDT');
    const had = await world.merchant('USDT');
    const spent = accounts.refund(newId(), 'USDT');
    const move = (kind: 'merchant_refund' | 'merchant_refund_expired', ...legs: Parameters<typeof leg>) =>
      world.db.tx((tx) => post(tx, [{ id: newId(), kind, cause: newId(), legs: [leg(...legs)] }]));
    await move('merchant_refund', merchant, spent, had);
    await takeAway(settled, settled.parts / 3n);
    assert.equal((await world.read(invoice)).view.state, 'invalid');
    await takeAway(settled);
    assert.equal((await onlyPayment(invoice)).stage, 'reversed');
    assert.equal(await debt(), (settled.booked?.set ?? 0n) - (settled.booked?.fee ?? 0n));
    await bringBack(settled);
    const back = await onlyPayment(invoice);
    assert.deepEqual([back.stage, back.booked, back.credit, back.taken], ['credited', settled.booked, settled.credit, 0n]);
    assert.equal((await proven(invoice)).view.state, 'settled');
    assert.deepEqual([await world.merchant('USDT'), await debt()], [0n, 0n]);
    const { entries } = await entryPage(world.db, { store: invoice.view.store.id, per_page: 2 });
    const net = format(money('USDT', (settled.booked?.set ?? 0n) - (settled.booked?.fee ?? 0n)));
    assert.deepEqual(
      entries.map((one) => [one.kind, one.net, one.balance]),
      [
        ['debt_repaid', `-${net}`, '0.000000'],
        ['reversal_undone', net, net],
      ],
    );
    await move('merchant_refund_expired', spent, merchant, had);
  });
