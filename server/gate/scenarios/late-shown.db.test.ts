// The page of an invoice names late payments that may still count, and no others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { payWire } from '../views/pay-wire.ts';
import { markInvoice } from '../actions/mark-invoice.ts';
import type { PaymentOption } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { decisionSteps } from './decisions.testing.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld({ hasLitecoin: true });
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const { late, lateOrder, refund } = decisionSteps(() => world);

/** Returns whether the page names a late payment, and the stage of the newest payment. */
async function shown(invoice: StoredInvoice): Promise<readonly [boolean, string | undefined]> {
  const page = await payWire({ db: world.db, tokens: world.sender.tokens }, await world.read(invoice), { locale: 'en' });
  return [page.late, page.payments.at(-1)?.status];
}

/** Makes an invoice with an option whose price has ended. */
async function withOldPrice(method: Code = 'BTC'): Promise<[StoredInvoice, PaymentOption]> {
  const invoice = await world.make({ methods: [method] });
  const option = await world.choose(invoice, method);
  await world.pass(16);
  return [invoice, option];
}

test('names a late payment while it is on its way and while it waits for a price, and no longer once it counts', async () => {
  const [invoice, option] = await withOldPrice();
  assert.deepEqual(await shown(invoice), [false, undefined]);
  world.pay(option, '0.0004');
  await world.pass(1);
  assert.deepEqual(await shown(invoice), [true, 'seen']);
  await world.closeRates();
  await world.mine();
  assert.deepEqual(await shown(invoice), [true, 'waiting']);
  await world.price('90000');
  await world.pass(1);
  assert.deepEqual(await shown(invoice), [false, 'credited']);
});

for (const [what, method, amount, currency] of [
  ['dust', 'USDT_TRC20', '0.02', 'USDT_TRC20'],
  ['a coin that the store does not take', 'BTC', '1.2', 'LTC'],
] as const)
  test(`never names ${what}: nobody folds an invoice’s methods by it`, async () => {
    const [invoice, option] = await withOldPrice(method);
    world.pay(option, amount, { currency });
    await world.pass(1);
    assert.deepEqual(await shown(invoice), [false, 'seen']);
    await world.mine();
    assert.deepEqual(await shown(invoice), [false, 'unallocated']);
  });

test('names a payment to an invoice that has ended until its payer decides', async () => {
  const invoice = await late('PAYEER_USD');
  assert.deepEqual(await shown(invoice), [true, 'unallocated']);
  await refund(await lateOrder(invoice), 'PAYEER_USD');
  assert.deepEqual(await shown(invoice), [false, 'unallocated']);
});

test('names it until the store’s time to accept is over, or the store marks the invoice', async () => {
  const [forgotten, marked] = [await late('BTC'), await late('BTC')];
  await markInvoice(world.db, { store: world.store.id, id: marked.view.id, as: 'settled' });
  assert.deepEqual(
    [await shown(forgotten), await shown(marked)],
    [
      [true, 'unallocated'],
      [false, 'unallocated'],
    ],
  );
  await world.pass(8 * 24 * 60);
  assert.deepEqual(await shown(forgotten), [false, 'unallocated']);
});

test('never names money that comes to a settled invoice: it is its payer’s', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option);
  await world.mine();
  await world.pass(16);
  world.pay(option);
  await world.pass(1);
  assert.deepEqual(await shown(invoice), [false, 'seen']);
  await world.mine();
  assert.deepEqual(await shown(invoice), [false, 'unallocated']);
});
