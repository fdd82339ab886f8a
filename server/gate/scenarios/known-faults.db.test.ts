// Faults that users of other payment gates have reported: events that contradict each other, sums that don't add up, two invoices
// of one order.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { accounts, balances } from '../../ledger/index.ts';
import { PAYIN_EVENT } from '../../payments/index.ts';
import { newId, outbox } from '../../platform/index.ts';
import { type PaymentOption, creditedOf, dueOf } from '../invoices/invoice.ts';
import { invoiceWire } from '../views/invoice-wire.ts';
import { eventsOf } from '../rows/event-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeWebhook, removeWebhook, webhooksOf } from '../webhooks/webhooks.ts';
import { testSealer } from '../../platform/testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { type Received, type Receiver, openReceiver } from './receiver.testing.ts';

let world: InvoiceWorld;
let shop: Receiver;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  shop = await openReceiver();
});
after(async () => {
  await shop.close();
  await world.close();
});
afterEach(async () => {
  for (const { id } of await webhooksOf(world.db, world.store.id)) await removeWebhook(world.db, { store: world.store.id, id });
  shop.received.length = 0;
});

const webhook = () =>
  makeWebhook(
    { db: world.db, webhooks: testSealer, privateOrigin: shop.origin },
    { store: world.store.id, url: `${shop.origin}/hook`, body: 'kurs' },
  );
/** Delivers until nothing more arrives, and returns what was received about an invoice. */
async function delivered({ view }: StoredInvoice): Promise<Received[]> {
  for (let before = -1; before !== shop.received.length;) {
    before = shop.received.length;
    await shop.deliver(world.db);
  }
  return shop.received.filter(({ body }) => dataOf(body)['id'] === view.id);
}
const dataOf = (body: Received['body']): Record<string, unknown> => body['data'] as Record<string, unknown>;
const versionOf = ({ body }: Received): number => Number(dataOf(body)['version']);
const after25Hours = async (): Promise<void> => {
  await world.pass(25 * 60);
  for (let at = 0; at < 3; at += 1) await world.turn();
};

for (const paidBefore of [undefined, '40'] as const)
  test(`a payment that was told as processing and is replaced is told as dropped once, then the end follows; paid before: ${paidBefore ?? 'nothing'}`, async () => {
    await webhook();
    const invoice = await world.make();
    if (paidBefore !== undefined) {
      world.pay(await world.choose(invoice, 'USDT_TRC20'), paidBefore);
      await world.mine();
    }
    const txid = world.pay(await world.choose(invoice, 'BTC'));
    await world.pass(1);
    world.rails.BTC.world.doubleSpend(txid);
    await world.mine();
    await after25Hours();
    const told = await delivered(invoice);
    const [, , dropped = assert.fail(), last = assert.fail()] = told.slice(-4);
    assert.equal(told.filter(({ type }) => type === 'invoice.payment_dropped').length, 1);
    assert.deepEqual(
      [told.some(({ type }) => type === 'invoice.processing'), dropped.type, last.type],
      [true, 'invoice.payment_dropped', paidBefore === undefined ? 'invoice.expired' : 'invoice.short'],
    );
    assert.ok(versionOf(last) > versionOf(dropped));
    assert.deepEqual(await world.prove(), []);
  });

test('of 0.7 paid in time and 0.7 paid late, both events and the API say the same sums', async () => {
  await webhook();
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'USDT_TRC20');
  world.pay(option, '70');
  await world.mine();
  for (let at = 0; at < 5; at += 1) await world.pass(5);
  assert.equal((await world.read(invoice)).view.state, 'short');
  world.pay(option, '70');
  await world.mine();
  const told = await delivered(invoice);
  const now = await world.read(invoice);
  const [first = assert.fail(), second = assert.fail()] = now.view.payments;
  assert.deepEqual([first.isLate, second.isLate], [false, true]);
  const shown = (await invoiceWire(world.db, now, 'https://kurs.example', await world.db.now())).payments;
  for (const [at, { id }] of [first, second].entries()) {
    const finals = told.filter(({ body, type }) => type === 'invoice.payment_final' && paymentOf(body)?.id === id);
    assert.equal(finals.length, 1);
    const { late, over, credit, status } = paymentOf(finals[0]?.body ?? {}) ?? assert.fail();
    const { late: isLate, over: rest, credit: credited, status: stage } = shown[at] ?? assert.fail();
    assert.deepEqual([late, credit, status], [isLate, credited, stage]);
    assert.deepEqual(over, rest);
    assert.equal(rest !== undefined, at === 1, 'the second exceeds the invoice');
  }
  assert.deepEqual(await world.prove(), []);
});

interface ToldPayment {
  readonly id: string;
  readonly late: boolean;
  readonly credit: string;
  readonly status: string;
  readonly over?: unknown;
}
const paymentOf = (body: Received['body']): ToldPayment | undefined => dataOf(body)['payment'] as ToldPayment | undefined;

test('three payments in three currencies, each a third of the shown sum, add up, and the last pays what is due', async () => {
  for (const amount of ['100.00', '99.99', '33.34']) {
    const invoice = await world.make({ amount, tolerance: '0' });
    for (const [at, method] of (['BTC', 'PAYEER_USD', 'USDT_TRC20'] as const).entries()) {
      assert.notEqual((await world.read(invoice)).view.state, 'settled');
      const option = await world.choose(invoice, method);
      const whole = option.parts ?? assert.fail();
      // The last one pays what is shown; the others a third of the first sum, in the digits of their currency.
      const step = method === 'USDT_TRC20' ? 10_000n : 1n;
      world.pay(option, decimal(at === 2 ? whole : (whole / BigInt(3 - at) / step) * step, DIGITS[method]));
      await world.mine();
    }
    const { view } = await world.read(invoice);
    assert.deepEqual([view.state, dueOf(view), view.payments.length], ['settled', 0n, 3], amount);
    assert.ok(creditedOf(view) >= (view.terms.amount ?? 0n));
    assert.equal(
      view.payments.reduce((sum, { credit }) => sum + credit, 0n),
      creditedOf(view),
    );
    assert.deepEqual(await balances(world.db, [accounts.invoiceReserve(view.id, 'USDT')]), [0n]);
  }
  assert.deepEqual(await world.prove(), []);
});

/** Digits of units. */
const DIGITS = { BTC: 8, PAYEER_USD: 2, USDT_TRC20: 6 } as const;

/** Writes parts as a decimal with so many digits. */
function decimal(parts: bigint, digits: number): string {
  const text = parts.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Publishes the reports of final payments to an option once more, as after a restart. */
async function reportAgain({ addressId }: PaymentOption): Promise<void> {
  const reports = await world.db.rows<{ subject: string; body: unknown }>(
    `select subject, body from event where kind = $1 and subject = $2 and body->>'event' = 'final'`,
    [PAYIN_EVENT, `invoice:${addressId}`],
  );
  assert.ok(reports.length > 0);
  await world.db.tx((tx) =>
    outbox.publish(
      tx,
      reports.map((report) => ({ ...report, id: newId(), kind: PAYIN_EVENT })),
    ),
  );
  await world.turn();
}

test('a payment that a reorg mines again, and that is polled and reported again, is told as final once', async () => {
  await webhook();
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option);
  await world.pass(1);
  await world.mine(1);
  world.rails.BTC.world.reorg(1, false);
  await world.pass(1);
  world.rails.BTC.world.reorg(1, false);
  await world.mine();
  await world.db.run('update receiving_address set due_at = clock_now(), is_requested = true where to_text = $1', [option.to]);
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  await reportAgain(option);
  const told = (await delivered(invoice)).map(({ type }) => type);
  assert.equal(told.filter((type) => type === 'invoice.payment_final').length, 1, told.join());
  assert.equal(told.filter((type) => type === 'invoice.settled').length, 1);
  assert.equal((await eventsOf(world.db, invoice.view.id)).filter(({ kind }) => kind === 'payment_final').length, 1);
  assert.deepEqual(await world.prove(), []);
});

test('two invoices of one order are both paid, and the store is told of both with the order’s id', async () => {
  await webhook();
  const invoices = [await world.make({ order_id: 'A-161' }), await world.make({ order_id: 'A-161' })];
  for (const invoice of invoices) world.pay(await world.choose(invoice, 'PAYEER_USD'));
  await world.mine();
  for (const invoice of invoices) {
    const last = (await delivered(invoice)).at(-1) ?? assert.fail();
    assert.deepEqual([last.type, dataOf(last.body)['order_id']], ['invoice.settled', 'A-161']);
  }
});
