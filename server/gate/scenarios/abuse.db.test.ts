// Attempts to gain by invoices: cheaper than an order, by returned money, by dust, and by payments that never become final.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { format, money } from '@kurs/money';
import { newHolder } from '../../auth/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { quote } from '../../pricing/index.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { approvedFor } from '../businesses/businesses.testing.ts';
import { setDayLimit } from '../businesses/decide.ts';
import { type InvoicePayment, creditedOf } from '../invoices/invoice.ts';
import { storeFor } from '../members/stores.testing.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { saveStore } from '../stores/store-rows.ts';
import { decisionSteps } from './decisions.testing.ts';
import type { Code } from './invoice-world.testing.ts';
import { type RefundWorld, openRefundWorld } from './refund-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld();
});
after(() => world.close());
afterEach(() => world.change({ costsBearer: 'buyer', settlementCurrency: 'USDT_ERC20' }));

const { proven, short, give, onlyPayment, free } = decisionSteps(() => world);

/** Returns the invoice with its payment by a method, settled. */
async function sold(method: Code, amount?: string): Promise<{ invoice: StoredInvoice; payment: InvoicePayment }> {
  const invoice = await world.make(amount === undefined ? {} : { amount });
  world.pay(await world.choose(invoice, method));
  await world.mine();
  return { invoice: await world.read(invoice), payment: await onlyPayment(invoice) };
}

for (const costsBearer of ['buyer', 'store'] as const)
  for (const [from, to] of [
    ['BTC', 'USDT_ERC20'],
    ['PAYEER_USD', 'USDT_ERC20'],
    ['USDT_ERC20', 'BTC'],
  ] as const)
    test(`an invoice of one’s own is a dearer exchange than an order: ${from} to ${to}, costs borne by the ${costsBearer}`, async () => {
      await world.change({ costsBearer, settlementCurrency: to });
      const { payment } = await sold(from);
      const { set = 0n, fee = 0n, unit } = payment.booked ?? assert.fail();
      const paid = format(money(payment.unit, payment.parts));
      const { breakdown } = quote({ from, to, amount: paid, side: 'give' }, { wallet: 'get' });
      assert.equal(breakdown.get.unit, unit);
      assert.ok(set - fee < breakdown.get.parts, `${set - fee} by the invoice, ${breakdown.get.parts} by an order`);
      assert.deepEqual(await world.prove(), []);
    });

test('a part-paid invoice that is given back loses its payer the spread each time, if the store bears it as well', async () => {
  await world.change({ costsBearer: 'store' });
  for (let time = 0; time < 3; time += 1) {
    const desk = { USDT: await free('USDT'), BTC: await free('BTC') };
    const invoice = await short('BTC', '0.0006');
    await give(invoice);
    const payment = await onlyPayment(invoice);
    const back = payment.givenBack?.parts ?? assert.fail('nothing was given back');
    // One percent is the spread of the direction.
    assert.ok(back * 100n <= payment.parts * 99n, `${back} of ${payment.parts}`);
    // A bitcoin of 10^8 parts is worth 90 000 USDT of 10^6 parts.
    const gained = ((await free('BTC')) - desk.BTC) * 900n + ((await free('USDT')) - desk.USDT);
    assert.ok(gained >= 0n, `the desk has lost ${gained}`);
    await proven(invoice);
  }
});

test('dust to somebody’s invoice makes it neither short nor paid, and the price of its option stays', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'USDT_TRC20');
  for (let at = 0; at < 3; at += 1) world.pay(option, '0.20');
  await world.mine();
  const dusty = await world.read(invoice);
  assert.deepEqual([dusty.view.state, creditedOf(dusty.view)], ['open', 0n]);
  assert.deepEqual(new Set(dusty.view.payments.map(({ stage }) => stage)), new Set(['unallocated']));
  assert.equal((await world.choose(invoice, 'USDT_TRC20')).id, option.id);
  for (let at = 0; at < 5; at += 1) await world.pass(5);
  assert.equal((await proven(invoice)).view.state, 'expired');
});

test('money that a chain may still take back is refunded to nobody: 20 payments of 480 USD by one confirmation', async () => {
  const before = await world.merchant('USDT');
  const invoices = await Promise.all(Array.from({ length: 20 }, () => world.make({ amount: '480.00' })));
  for (const invoice of invoices) world.pay(await world.choose(invoice, 'BTC'));
  await world.mine(1);
  for (const invoice of invoices) assert.equal((await world.read(invoice)).view.state, 'settled');
  const rest = format(money('USDT', before - (before % 10_000n)));
  await world.refund({ amount: rest, currency: 'USDT' });
  assert.equal(await refusal(() => world.refund({ amount: '1.00', currency: 'USDT' })), 'not_deep_yet');
  const [first = assert.fail()] = invoices;
  assert.equal(await refusal(() => world.refund({ amount: '480.00', invoice: first.view.id })), 'not_deep_yet');
  await world.mine(6);
  await world.refund({ amount: '480.00', invoice: first.view.id });
  assert.deepEqual(await world.prove(), []);
});

/** Makes an invoice of another business’s store. */
async function ofAnother(): Promise<StoredInvoice> {
  const holderId = await newHolder(world.db);
  const store = {
    ...(await storeFor(world.db, holderId, (await approvedFor(world.db, holderId)).id)),
    settlementCurrency: 'USDT_ERC20',
  };
  await world.db.tx((tx) => saveStore(tx, store));
  return world.make({ store: store.id } as never);
}

test('payments that are replaced, ten times on ten invoices, take no reserve for good and none of other stores', async () => {
  await world.db.tx(async (tx) => {
    const business = (await lockBusiness(tx, world.store.businessId ?? '')) ?? assert.fail();
    await setDayLimit(tx, business, 100_000_000n);
  });
  const start = await free('USDT');
  for (let round = 0; round < 10; round += 1) {
    const invoices = await Promise.all(Array.from({ length: 10 }, () => world.make({ amount: '30000.00' })));
    const txids: string[] = [];
    for (const invoice of invoices) txids.push(world.pay(await world.choose(invoice, 'BTC')));
    await world.pass(1);
    const reserved = start - (await free('USDT'));
    assert.ok(reserved > 0n && reserved * 10n <= start, `${reserved} of ${start} are reserved for one business`);
    if (round === 0) {
      const other = await ofAnother();
      const txid = world.pay(await world.choose(other, 'BTC'));
      await world.pass(1);
      const payment = await onlyPayment(other);
      assert.deepEqual([payment.isInKind, payment.reserve > 0n], [false, true]);
      txids.push(txid);
    }
    for (const txid of txids) world.rails.BTC.world.doubleSpend(txid);
    await world.mine(6);
    for (const invoice of invoices) assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'dropped');
    assert.equal(await free('USDT'), start);
  }
  assert.deepEqual(await world.prove(), []);
});

test('moves to the wallet and refunds at once take the same money once', async () => {
  await sold('PAYEER_USD');
  const { movable } = await unitStanding(world, 'USDT');
  const whole = movable - (movable % 10_000n);
  const amount = format(money('USDT', whole));
  const all = await Promise.allSettled(
    Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0 ? moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: whole }) : world.refund({ amount, currency: 'USDT' }),
    ),
  );
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.ok((await world.merchant('USDT')) < 10_000n + (await unitStanding(world, 'USDT')).shallow);
  assert.deepEqual(await world.prove(), []);
});
