// An invoice is paid: by each method, in several payments, in kind, with too much, too late and not at all.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import { refusal } from '../../platform/testing.ts';
import { creditedOf, dueOf, handedOf } from '../invoices/invoice.ts';
import { currentOptionWire } from '../views/option-wire.ts';
import { payWire } from '../views/pay-wire.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

for (const method of ['BTC', 'USDT_ERC20', 'USDT_TRC20', 'PAYEER_USD'] as const) {
  test(`an invoice in USD is paid by ${method} with what is shown, and settled to the store`, async () => {
    const before = await world.merchant('USDT');
    const invoice = await world.make();
    const option = await world.choose(invoice, method);
    world.pay(option);
    await world.pass(1);
    assert.equal((await world.read(invoice)).view.state, 'confirming');
    await world.mine();
    const { view } = await world.read(invoice);
    assert.equal(view.state, 'settled');
    const ready = method === 'PAYEER_USD' ? ['option_ready'] : [];
    const told = ['created', 'option_chosen', ...ready, 'payment_seen', 'processing', 'payment_final', 'settled'];
    assert.deepEqual(await world.events(invoice), told);
    const [payment] = view.payments;
    assert.ok(payment?.booked && creditedOf(view) >= 10_000n);
    assert.equal(payment.booked.unit, 'USDT');
    assert.equal((await world.merchant('USDT')) - before, payment.booked.set - (payment.booked.fee ?? 0n));
    assert.equal(payment.booked.fee, (payment.booked.set * 8n + 999n) / 1_000n, '0.8 %, rounded up');
    assert.deepEqual(await world.prove(), []);
  });
}

test('the desk’s money is reserved while a payment is on its way, and what the conversion does not need goes back', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option);
  await world.pass(1);
  const reserve = accounts.invoiceReserve(invoice.view.id, 'USDT');
  const [held] = await balances(world.db, [reserve]);
  assert.equal(held, (await world.read(invoice)).view.payments[0]?.reserve);
  assert.ok((held ?? 0n) >= 100_000_000n);
  assert.deepEqual(await world.prove(), []);
  await world.mine();
  assert.deepEqual(await balances(world.db, [reserve]), [0n]);
});

test('half by Payeer and half by USDT, with one due figure', async () => {
  const invoice = await world.make();
  assert.equal(await refusal(() => world.choose(invoice, 'PAYEER_USD', '100.01')), 'amount_above_due');
  const first = await world.choose(invoice, 'PAYEER_USD', '50.00');
  assert.equal(first.pays, 5_000n);
  world.pay(first);
  await world.mine();
  const { view: half } = await world.read(invoice);
  assert.equal(half.state, 'open');
  const due = dueOf(half) ?? 0n;
  assert.ok(due > 4_900n && due < 5_100n, `${due}`);
  const second = await world.choose(invoice, 'USDT_TRC20');
  assert.equal(second.pays, due, 'the second option asks for the rest alone');
  world.pay(second);
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.deepEqual(await world.prove(), []);
});

test('an option asks for what is still due: less after a part of it came, nothing once it is covered', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'USDT_TRC20');
  const shown = async () => currentOptionWire((await world.read(invoice)).view, await world.db.now());
  const whole = (await shown())?.amount ?? '';
  world.pay(option, '40');
  await world.mine();
  const rest = await shown();
  const { view } = await world.read(invoice);
  assert.equal(rest?.pays, format(money('USD', dueOf(view) ?? 0n)));
  assert.ok(Number.parseFloat(rest?.amount ?? '') < Number.parseFloat(whole) - 35, `${rest?.amount} after 40 of ${whole}`);
  world.pay(option, rest?.amount);
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled', 'the shown amount pays it');
  assert.equal(await shown(), undefined);
});

test('what exceeds the invoice by more than its tolerance stays the payer’s', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'USDT_TRC20');
  world.pay(option, '150');
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'settled');
  const [payment] = view.payments;
  assert.ok(payment && option.parts !== undefined);
  assert.equal(handedOf(payment), 150_000_000n - option.parts, 'all but what was asked for');
  assert.deepEqual(await balances(world.db, [accounts.invoiceIn(view.id, 'USDT')]), [0n], 'handed over');
  assert.ok((await world.events(invoice)).includes('over'));
  assert.deepEqual(await world.prove(), []);
});

test('a tolerance of half a percent is the store’s loss, and a little more is not', async () => {
  const [enough, short] = [await world.make(), await world.make()];
  for (const [invoice, amount] of [
    [enough, '99.51'],
    [short, '99.30'],
  ] as const) {
    const option = await world.choose(invoice, 'USDT_ERC20');
    const cost = (option.parts ?? 0n) - 100_000_000n;
    const text = (Number.parseFloat(amount) * 1e6 + Number(cost)) / 1e6;
    world.pay(option, text.toFixed(2));
  }
  await world.mine();
  assert.equal((await world.read(enough)).view.state, 'settled');
  assert.equal((await world.read(short)).view.state, 'open');
});

test('a new choice ends the former lock: what comes for it later has the rate of the moment', async () => {
  const invoice = await world.make();
  const first = await world.choose(invoice, 'BTC');
  await world.pass(1);
  const second = await world.choose(invoice, 'USDT_ERC20');
  assert.notEqual(first.to, second.to);
  await world.pass(1);
  world.pay(first);
  await world.pass(1);
  const { view } = await world.read(invoice);
  assert.equal(view.payments[0]?.isLate, true);
  assert.equal(view.state, 'open', 'a late payment is not pending');
  await world.price('45000');
  await world.mine();
  const { view: after } = await world.read(invoice);
  assert.equal(after.state, 'open');
  assert.ok(creditedOf(after) < 5_100n && creditedOf(after) > 4_900n, `${creditedOf(after)}`);
  await world.price('90000');
  assert.deepEqual(await world.prove(), []);
});

test('an invoice that nobody pays expires, and what comes afterwards stays its payer’s', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  await world.pass(16);
  for (let at = 0; at < 3; at += 1) await world.pass(1);
  assert.equal((await world.read(invoice)).view.state, 'expired');
  world.pay(option);
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'expired');
  assert.equal(view.payments[0]?.stage, 'unallocated');
  assert.ok((await world.events(invoice)).includes('late'));
  assert.deepEqual(await world.prove(), []);
});

test('an invoice does not expire while a payment in time is on its way', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  await world.pass(14);
  world.pay(option, undefined, { isFeeOk: true });
  await world.pass(1);
  await world.pass(10);
  assert.equal((await world.read(invoice)).view.state, 'confirming');
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled');
});

test('the price of an option ends with the time of an open invoice at the latest', async () => {
  const invoice = await world.make({ life_minutes: 20 });
  await world.pass(10);
  const bounded = await world.choose(invoice, 'BTC');
  assert.deepEqual(bounded.lockUntil, invoice.view.expiresAt);
  world.pay(bounded, '0.0005');
  await world.mine();
  for (const minutes of [10, 1, 1]) await world.pass(minutes);
  assert.equal((await world.read(invoice)).view.state, 'short');
  const { openedAt, lockUntil } = await world.choose(invoice, 'BTC');
  assert.equal(lockUntil.getTime() - openedAt.getTime(), 15 * 60_000, 'a short invoice has no time of its own');
});

test('after its time an open invoice offers no method while a payment is on its way, and the rest once it is short', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  await world.pass(13);
  world.pay(option, '0.0006');
  for (const minutes of [1, 2]) await world.pass(minutes);
  const page = async () => payWire({ db: world.db, tokens: world.sender.tokens }, await world.read(invoice), { locale: 'en' });
  const waiting = await page();
  assert.deepEqual([waiting.state, /[1-9]/.test(waiting.pending), waiting.methods], ['open', true, []]);
  assert.equal(await refusal(() => world.choose(invoice, 'USDT_TRC20')), 'invoice_not_open');
  await world.mine();
  const short = await page();
  assert.deepEqual([short.state, short.methods.some(({ closed }) => closed === undefined)], ['short', true]);
  assert.equal((await world.choose(invoice, 'USDT_TRC20')).currency, 'USDT_TRC20');
});

test('a payment with a fee too low is not in time', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option, undefined, { isFeeOk: false });
  await world.pass(1);
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.isLate], ['open', true]);
});

test('a top-up takes any sum at the rate of the moment, and is settled by its first final payment', async () => {
  const invoice = await world.make({ amount: undefined });
  const option = await world.choose(invoice, 'BTC');
  assert.equal(option.parts, undefined);
  world.pay(option, '0.001');
  await world.pass(1);
  assert.equal((await world.read(invoice)).view.state, 'confirming');
  await world.price('100000');
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'settled');
  assert.ok(creditedOf(view) > 9_700n && creditedOf(view) <= 10_000n, `${creditedOf(view)} at 100 000`);
  await world.price('90000');
  assert.deepEqual(await world.prove(), []);
});

test('the store bears spread and costs: the buyer pays the amount itself', async () => {
  await world.change({ costsBearer: 'store' });
  const invoice = await world.make();
  const option = await world.choose(invoice, 'USDT_ERC20');
  assert.equal(option.parts, 100_000_000n);
  world.pay(option);
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'settled');
  assert.ok((view.payments[0]?.booked?.set ?? 0n) < 100_000_000n);
  await world.change({ costsBearer: 'buyer' });
  assert.deepEqual(await world.prove(), []);
});
