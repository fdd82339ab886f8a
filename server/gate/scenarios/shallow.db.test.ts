// Money of invoices that belongs to its payers, while a reorg may still take the payments back: nothing of it leaves.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCode } from '../../auth/index.ts';
import { type StoredOrder, readOrders, showOrder } from '../../exchange/index.ts';
import { choose, withOffer } from '../../exchange/testing.ts';
import { testSealer } from '../../platform/testing.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { currentOption } from '../invoices/options.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { EMAIL, decisionSteps } from './decisions.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const { give, orderOf } = decisionSteps(() => world);

const read = async ({ view }: StoredOrder): Promise<StoredOrder> =>
  (await readOrders(world.db, [view.id]))[0] ?? assert.fail('there is no such order');

/** Takes a step of the payer with a mailed code. */
async function decide(
  order: StoredOrder,
  more: Partial<Parameters<typeof choose>[1]> & Pick<Parameters<typeof choose>[1], 'choice'>,
) {
  const { db, sender } = world;
  const token = sender.tokens.make('order', order.view.id, order.tokenVersion);
  const otp = await db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  await choose({ db, sender, sealer: testSealer }, { id: order.number, token, otp, ...more });
}

/** Lets the payer of an order take a refund in bitcoin at once. */
async function refund(order: StoredOrder): Promise<void> {
  await decide(order, { choice: 'give_route', account: { ...world.rails.BTC.receiver() } });
  await decide(order, { choice: 'refund' });
}

/** Returns the states of the payouts of some orders. */
const payouts = async (orders: readonly StoredOrder[]): Promise<string[]> => {
  const rows = await world.db.rows<{ status: string }>('select status from payout where owner_id = any ($1) order by id', [
    orders.map(({ view }) => view.id),
  ]);
  return rows.map(({ status }) => status);
};

/** Returns the unallocated payments that have what exceeds the invoices. */
async function overOf(invoices: readonly StoredInvoice[]): Promise<StoredOrder[]> {
  const ids: string[] = [];
  for (const invoice of invoices) {
    const { payments } = (await world.read(invoice)).view;
    ids.push(payments[0]?.handedOver?.at(-1)?.orderId ?? assert.fail('nothing was handed over'));
  }
  return readOrders(world.db, ids);
}

/** Returns what a payer reads as the reason for the state of an order. */
async function reasonOf(order: StoredOrder): Promise<string | undefined> {
  const { db, sender } = world;
  return (await showOrder({ db, sender, receipts: {} as never }, await read(order))).reason;
}

const all = (orders: readonly unknown[], status: string): string[] => orders.map(() => status);

test('20 payments of 480 USD by one confirmation, over-paid and refunded at once: nothing leaves before they are deep', async () => {
  const invoices = await Promise.all(Array.from({ length: 20 }, () => world.make({ amount: '240.00', email: EMAIL })));
  for (const invoice of invoices) {
    const option = await world.choose(invoice, 'BTC');
    world.rails.BTC.world.pay(option.to ?? assert.fail(), (option.parts ?? 0n) * 2n);
  }
  await world.mine(1);
  const orders = await overOf(invoices);
  for (const order of orders) await refund(order);
  for (let at = 0; at < 4; at += 1) await world.pass(2);
  assert.deepEqual(await payouts(orders), all(orders, 'queued'));
  const [first = assert.fail()] = orders;
  assert.equal(await reasonOf(first), 'shallow');
  await world.mine(4);
  assert.deepEqual(await payouts(orders), all(orders, 'queued'), 'at five confirmations');
  world.rails.BTC.world.mine(1);
  for (let at = 0; at < 3; at += 1) await world.pass(0.25);
  assert.ok(
    (await payouts(orders)).every((status) => status !== 'queued'),
    'the event ends the wait',
  );
  assert.equal(await reasonOf(first), undefined);
  assert.deepEqual(await world.prove(), []);
});

test('one transaction that pays 50 invoices too much is final at the depth of its whole sum, and nothing of it leaves before', async () => {
  const { db } = world;
  const outputs: { readonly to: string; readonly parts: bigint }[] = [];
  const invoices: StoredInvoice[] = [];
  for (let at = 0; at < 50; at += 1) {
    const invoice = await world.make({ amount: '60.00', email: EMAIL });
    await chooseMethod(db, { id: invoice.view.id, method: 'BTC' }, 'en');
    const { to = assert.fail(), parts = 0n } = currentOption((await world.read(invoice)).view) ?? assert.fail('no option');
    outputs.push({ to, parts: parts * 2n });
    invoices.push(invoice);
  }
  world.rails.BTC.world.payMany(outputs, { currency: 'BTC' });
  await world.mine(5);
  const states = async () => new Set((await Promise.all(invoices.map(world.read))).map(({ view }) => view.state));
  assert.deepEqual(await states(), new Set(['confirming']), 'six confirmations for 6 000 USD');
  await world.mine(1);
  assert.deepEqual(await states(), new Set(['settled']));
  const [order = assert.fail()] = await overOf(invoices);
  await refund(order);
  await world.mine(1);
  assert.notDeepEqual(await payouts([order]), ['queued']);
  assert.deepEqual(await world.prove(), []);
});

test('a part-paid invoice that is given back by one confirmation: its worth leaves once the payment is deep', async () => {
  const invoice = await world.make({ amount: '400.00', email: EMAIL, life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  world.pay(option, '0.002');
  await world.mine(1);
  for (let at = 0; at < 5 && (await world.read(invoice)).view.state !== 'short'; at += 1) await world.pass(5);
  await give(await world.read(invoice));
  const [payment = assert.fail()] = (await world.read(invoice)).view.payments;
  const order = await orderOf(payment);
  await refund(order);
  for (let at = 0; at < 4; at += 1) await world.pass(2);
  assert.deepEqual(await payouts([order]), ['queued']);
  await world.mine(6);
  assert.notDeepEqual(await payouts([order]), ['queued']);
  assert.deepEqual(await world.prove(), []);
});

test('a new order of a late payment is not paid out before the payment is deep, and promises no time', async () => {
  const invoice = await world.make({ email: EMAIL, life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  for (let at = 0; at < 5 && (await world.read(invoice)).view.state !== 'expired'; at += 1) await world.pass(5);
  world.pay(option);
  await world.mine(1);
  const [order = assert.fail()] = await overOf([invoice]);
  await decide(order, { choice: 'name_direction', to: 'USDT_ERC20', account: { ...world.rails.USDT_ERC20.receiver() } });
  const { view } = await withOffer(world, await read(order));
  await decide(order, { choice: 'new_order', offer: view.facts.offer?.number ?? assert.fail('no offer') });
  const [made = assert.fail()] = await readOrders(world.db, [(await read(order)).view.facts.becameOrder ?? assert.fail()]);
  assert.deepEqual([made.view.state, made.view.pinned.promised], ['paying', undefined]);
  for (let at = 0; at < 4; at += 1) await world.pass(2);
  assert.deepEqual(await payouts([made]), ['queued']);
  assert.equal(await reasonOf(made), 'shallow');
  await world.mine(6);
  assert.notDeepEqual(await payouts([made]), ['queued']);
  assert.deepEqual(await world.prove(), []);
});

test('a payment that a reorg takes back while its refund waits leaves nothing owed', async () => {
  const invoice = await world.make({ amount: '240.00', email: EMAIL });
  const option = await world.choose(invoice, 'BTC');
  const txid = world.rails.BTC.world.pay(option.to ?? assert.fail(), (option.parts ?? 0n) * 2n);
  await world.mine(1);
  const [order = assert.fail()] = await overOf([invoice]);
  await refund(order);
  await world.pass(2);
  world.rails.BTC.world.reorg(1, true);
  world.rails.BTC.world.doubleSpend(txid);
  await world.mine(8);
  const { view } = await read(order);
  assert.deepEqual([view.state, view.positions.in, view.positions.receivable], ['reversed', 0n, 0n]);
  assert.deepEqual(await payouts([order]), ['stopped']);
  assert.deepEqual(await world.prove(), []);
});

test('what a payment system has paid, or what is deep already, waits for nothing', async () => {
  const invoice = await world.make({ email: EMAIL });
  world.pay(await world.choose(invoice, 'PAYEER_USD'), '150', { from: Object.values(world.rails.PAYEER_USD.receiver()) });
  await world.mine(1);
  const [order = assert.fail()] = await overOf([invoice]);
  await decide(order, { choice: 'refund' });
  for (let at = 0; at < 3; at += 1) await world.pass(1);
  assert.notDeepEqual(await payouts([order]), ['queued']);
});
