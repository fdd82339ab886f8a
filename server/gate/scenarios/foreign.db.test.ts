// A payment in another currency of an invoice's address: litecoin at an address of bitcoin. It is credited as a late one, if the store
// takes that currency.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import { refusal } from '../../platform/testing.ts';
import { switchDirection } from '../../pricing/index.ts';
import { acceptInvoice } from '../actions/decide-invoice.ts';
import { type Invoice, creditedOf, handedOf } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld({ hasLitecoin: true });
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const LTC = { currency: 'LTC' };
const USDT = accounts.deskFree('USDT');

/** Makes an invoice, and pays litecoin to the address of its option in bitcoin. */
async function paidInLitecoin(amount: string, more: Parameters<InvoiceWorld['make']>[0] = {}): Promise<StoredInvoice> {
  const invoice = await world.make(more);
  const option = await world.choose(invoice, 'BTC');
  world.pay(option, amount, LTC);
  await world.mine();
  return invoice;
}

test('a payment in another currency that the store takes is credited at the rate when it is final', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option, '1.2', LTC);
  await world.pass(1);
  const [seen] = (await world.read(invoice)).view.payments;
  assert.deepEqual([seen?.stage, seen?.isLate, seen?.pending, seen?.reserve], ['seen', true, 0n, 0n], 'it is told as late');
  const [free = 0n] = await balances(world.db, [USDT]);
  await world.mine();
  const { view } = await world.read(invoice);
  const [payment] = view.payments;
  assert.deepEqual([view.state, payment?.unit, payment?.booked?.unit], ['settled', 'LTC', 'USDT']);
  // 1.2 LTC are 108 USD: 100 USD and one percent are needed, and the rest is the payer's.
  assert.deepEqual([creditedOf(view) >= 10_000n, creditedOf(view) <= 10_001n], [true, true]);
  assert.equal(handedOf(payment ?? assert.fail()), parse('LTC', '1.2').parts - (payment?.booked?.parts ?? 0n));
  assert.equal(free - ((await balances(world.db, [USDT]))[0] ?? 0n), payment?.booked?.set, 'the desk’s money pays for it');
  assert.deepEqual(await world.prove(), []);
});

test('a store that does not take that currency leaves the payment to its payer', async () => {
  const invoice = await paidInLitecoin('1.2', { methods: ['BTC'] });
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.stage, creditedOf(view)], ['open', 'unallocated', 0n]);
  assert.deepEqual(await world.prove(), []);
});

test('dust in another currency stays its payer’s', async () => {
  const invoice = await paidInLitecoin('0.00001');
  assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'unallocated');
  assert.deepEqual(await world.prove(), []);
});

test('without a price it waits, and is credited once there is one', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option, '0.5', LTC);
  await world.pass(1);
  await world.closeRates();
  await world.mine();
  assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'waiting');
  assert.deepEqual(await world.prove(), []);
  await world.price('90000');
  await world.pass(1);
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.stage], ['open', 'credited']);
  assert.equal(creditedOf(view), 4_455n, 'half a litecoin is 45 USD, less one percent');
  assert.deepEqual(await world.prove(), []);
});

test('for an invoice that has ended it is a late payment, which its store may accept', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  await world.pass(16);
  for (let at = 0; at < 3; at += 1) await world.pass(1);
  world.pay(option, '1', LTC);
  await world.mine();
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.stage], ['expired', 'unallocated']);
  const { view: accepted } = await acceptInvoice(world, { store: view.store.id, id: view.id, version: view.version });
  assert.deepEqual([accepted.state, accepted.payments[0]?.stage, creditedOf(accepted)], ['settled', 'credited', 8_910n]);
  assert.deepEqual(await world.prove(), []);
});

test('without a price it is handed to its payer once the invoice ends, and its store may accept it once there is a price', async () => {
  const [waited, ended] = [await world.make({ life_minutes: 15 }), await world.make({ life_minutes: 15 })];
  const [first, second] = [await world.choose(waited, 'BTC'), await world.choose(ended, 'BTC')];
  world.pay(first, '0.5', LTC);
  await world.pass(1);
  await world.closeRates();
  await world.mine();
  assert.equal((await world.read(waited)).view.payments[0]?.stage, 'waiting');
  for (const minutes of [16, 1, 1]) await world.pass(minutes);
  world.pay(second, '0.5', LTC);
  await world.mine();
  for (const invoice of [waited, ended]) {
    const { view } = await world.read(invoice);
    const [payment = assert.fail()] = view.payments;
    assert.deepEqual([view.state, payment.stage, handedOf(payment)], ['expired', 'unallocated', payment.parts]);
    assert.equal(await refusal(() => acceptNow(view)), 'rates_unavailable');
  }
  assert.deepEqual(await world.prove(), []);
  await world.price('90000');
  await world.pass(1);
  for (const invoice of [waited, ended]) {
    const { view } = await acceptNow((await world.read(invoice)).view);
    assert.deepEqual([view.state, view.payments[0]?.stage, creditedOf(view)], ['settled', 'credited', 4_455n]);
  }
  assert.deepEqual(await world.prove(), []);
});

test('a late payment whose cost of sending has no price is handed to its payer all the same', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'USDT_TRC20');
  for (const minutes of [16, 1, 1]) await world.pass(minutes);
  await world.closeRates();
  world.pay(option, '50');
  await world.mine();
  const [payment = assert.fail()] = (await world.read(invoice)).view.payments;
  assert.deepEqual([payment.stage, handedOf(payment)], ['unallocated', payment.parts]);
  assert.deepEqual(await world.prove(), []);
  await world.price('90000');
});

const acceptNow = ({ store, id, version }: Invoice) => acceptInvoice(world, { store: store.id, id, version });

test('a currency whose direction is off is not taken', async () => {
  await world.db.tx((tx) => switchDirection(tx, 'ltc-usdt-erc20', false, 'desk'));
  await world.price('90000');
  const invoice = await paidInLitecoin('1.2');
  assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'unallocated');
  assert.deepEqual(await world.prove(), []);
});
