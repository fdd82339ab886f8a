// Late payments of invoices that have ended are accepted by their store while their payers have decided nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeCode } from '../../auth/index.ts';
import { readOrders } from '../../exchange/index.ts';
import { choose } from '../../exchange/testing.ts';
import type { Db } from '../../platform/index.ts';
import { refusal, testSealer } from '../../platform/testing.ts';
import { makeWebhook, removeWebhook } from '../webhooks/webhooks.ts';
import { decisionSteps } from './decisions.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { openReceiver } from './receiver.testing.ts';

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

test('a late payment reaches plug-ins once it is accepted, before the settlement', async (t) => {
  const shop = await openReceiver();
  t.after(() => shop.close());
  const deps = { db: world.db, webhooks: testSealer, privateOrigin: shop.origin };
  const store = world.store.id;
  const { endpoint } = await makeWebhook(deps, { store, url: `${shop.origin}/hook`, body: 'greenfield' });
  t.after(() => removeWebhook(world.db, { store, id: endpoint.id }));
  const told = async () => {
    for (let before = -1; before !== shop.received.length;) {
      before = shop.received.length;
      await shop.deliver(world.db);
    }
    return shop.received.map(({ type }) => type);
  };
  const invoice = await late('USDT_TRC20');
  const begin = ['InvoiceCreated', 'InvoiceExpired'];
  assert.deepEqual(await told(), begin);
  await accept(invoice);
  const accepted = ['InvoicePaymentSettled', 'InvoicePaidAfterExpiration', 'InvoiceSettled'];
  assert.deepEqual(await told(), [...begin, ...accepted]);
});

/**
 * Returns the world's database, of which a transaction stops after a statement that locks an order. `nth`: number of its call.
 * `reached`: resolves once it has the lock; `go`: lets it continue.
 */
function stoppingAt(name: string, nth: number) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  const stop = async <T>(found: T, named: { readonly name: string } | undefined): Promise<T> => {
    if (named?.name !== name || (calls += 1) !== nth) return found;
    reached.resolve();
    await gate.promise;
    return found;
  };
  const tx: Db['tx'] = (work, options) =>
    world.db.tx(
      (own) =>
        work({
          ...own,
          rows: async <T>(sql: string, values?: readonly unknown[], named?: { readonly name: string }) =>
            stop(await own.rows<T>(sql, values, named), named),
          row: async <T>(sql: string, values?: readonly unknown[], named?: { readonly name: string }) =>
            stop(await own.row<T>(sql, values, named), named),
        }),
      options,
    );
  const db: Db = Object.assign(Object.create(world.db) as Db, { tx });
  return { db, reached: reached.promise, go: gate.resolve };
}

for (const first of ['acceptance', 'choice'] as const)
  test(`of an acceptance and the payer’s own choice at once, the first one wins: the ${first}`, async () => {
    const invoice = await late('PAYEER_USD');
    const order = await lateOrder(invoice);
    const token = world.sender.tokens.make('order', order.view.id, order.tokenVersion);
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    const accepted = (db: Db): Promise<unknown> => accept(invoice, db);
    const chosen = (db: Db): Promise<unknown> =>
      choose({ db, sender: world.sender, sealer: testSealer }, { id: order.number, token, otp, choice: 'refund' });
    // A choice locks its order twice: the first time it only tries.
    const stopping = first === 'acceptance' ? stoppingAt('exchange.lock_orders', 1) : stoppingAt('exchange.lock_order', 2);
    const [one, other] = first === 'acceptance' ? [accepted, chosen] : [chosen, accepted];
    const winner = one(stopping.db);
    await stopping.reached;
    const loser = refusal(() => other(world.db));
    assert.equal(await Promise.race([loser, setTimeout(500, 'waits')]), 'waits');
    stopping.go();
    await winner;
    assert.equal(await loser, first === 'acceptance' ? 'order_changed' : 'payer_decided');
    const { view } = await proven(invoice);
    const [now] = await readOrders(world.db, [order.view.id]);
    const outcome = first === 'acceptance' ? ['settled', 'applied'] : ['expired', 'refunding'];
    assert.deepEqual([view.state, now?.view.state], outcome);
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
