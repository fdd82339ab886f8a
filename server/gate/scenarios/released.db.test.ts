// Receipts in the reserve of a store: their release by time, disputes that stop it, and what is taken back before and after it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { requireEmpty } from '../require-empty.ts';
import { storeFor } from '../members/stores.testing.ts';
import type { InvoicePayment } from '../invoices/invoice.ts';
import { netOf } from '../settled/settled.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { balanceView } from '../settlements/views.ts';
import { invoiceWire } from '../views/invoice-wire.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { DAY, debtOf, paidReversibly, permit, released, reserveOf } from './reserve-world.testing.ts';
import { moveByOwner, standing, unitStanding, walletOf } from './settlements.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await permit(world, {});
});
after(() => world.close());

const paymentOf = async (invoice: StoredInvoice): Promise<InvoicePayment> =>
  (await world.read(invoice)).view.payments[0] ?? assert.fail();
const payerOf = async (invoice: StoredInvoice): Promise<string> =>
  (await paymentOf(invoice)).source?.fields['address'] ?? assert.fail();
const takeAway = async (invoice: StoredInvoice, word: 'take_back' | 'restore' = 'take_back'): Promise<void> => {
  const { id } = await paymentOf(invoice);
  await world.db.tx((tx) => decidePayin(tx, { ...takeBack(id), word }));
  for (let at = 0; at < 3; at += 1) await world.mine(3);
};
const empty = async (): Promise<void> => {
  const { movable } = await unitStanding(world, 'USDT');
  if (movable > 0n) await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
};

/** Lets the clock reach six in the morning, so that hours that pass afterwards change no day. */
async function toMorning(): Promise<void> {
  const now = await world.db.now();
  await world.pass((30 - now.getUTCHours()) * 60 - now.getUTCMinutes());
}

/** Returns the sums that come from the reserve, each with the number of days until then; `now` for those that wait. */
const coming = async (): Promise<string[]> => {
  const [{ releases }, now] = [await balanceView(world.db, world.store), await world.db.now()];
  const from = Date.parse(now.toISOString().slice(0, 10));
  return releases.map(({ day, sum }) => `${day === undefined ? 'now' : (Date.parse(day) - from) / 86_400_000} ${sum.amount}`);
};
const text = (parts: bigint): string => format(money('USDT', parts), 2);

test('members see what stands in the reserve, and on which day it comes to the balance', async () => {
  await permit(world, { releaseDays: 30, lastShare: 10 });
  await toMorning();
  const invoice = await paidReversibly(world);
  const net = netOf(await paymentOf(invoice));
  const share = (net * 10n + 99n) / 100n;
  assert.deepEqual(await coming(), [`30 ${text(net - share)}`, `180 ${text(share)}`]);
  const [unit] = (await balanceView(world.db, world.store)).balances;
  assert.deepEqual([unit?.currency, unit?.balance, unit?.movable, unit?.reserve], ['USDT', '0.00', '0.00', text(net)]);
  const stored = await world.read(invoice);
  const { settled } = stored.view.payments[0] ?? assert.fail();
  const after = (days: number): string => new Date((settled?.at.getTime() ?? 0) + days * 86_400_000).toISOString();
  const inReserve = async () =>
    (await invoiceWire(world.db, await world.read(invoice), '', await world.db.now())).payments[0]?.in_reserve;
  const sum = (parts: bigint) => ({ amount: text(parts), currency: 'USDT' });
  assert.deepEqual(await inReserve(), [
    { until: after(30), sum: sum(net - share) },
    { until: after(180), sum: sum(share) },
  ]);
  const { world: system } = world.rails.PAYEER_USD;
  system.disputing.add(await payerOf(invoice));
  await world.pass(31 * DAY);
  assert.equal(await released(world), 0);
  assert.deepEqual(await coming(), [`now ${text(net - share)}`, `149 ${text(share)}`]);
  system.disputing.clear();
  await world.pass(7 * 60);
  assert.equal(await released(world), 1);
  assert.deepEqual(await coming(), [`149 ${text(share)}`]);
  assert.deepEqual(await inReserve(), [{ until: after(180), sum: sum(share) }]);
  await world.pass(150 * DAY);
  assert.equal(await released(world), 1);
  assert.deepEqual([await coming(), await inReserve()], [[], undefined]);
  assert.deepEqual(await world.prove(), []);
  await permit(world, {});
  await empty();
});

test('a receipt stays in the reserve for 180 days, and then comes to the balance', async () => {
  const invoice = await paidReversibly(world);
  const net = netOf(await paymentOf(invoice));
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [net, 0n]);
  assert.equal((await unitStanding(world, 'USDT')).movable, 0n, 'nothing of it moves to the wallet');
  assert.equal(await refusal(() => requireEmpty(world.db, world.store.businessId ?? '')), 'business_not_empty');
  assert.deepEqual(await world.prove(), []);
  await world.pass(179 * DAY);
  assert.equal(await released(world), 0);
  await world.pass(DAY);
  assert.equal(await released(world), 1);
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [0n, net]);
  assert.equal((await paymentOf(invoice)).inReserve, undefined);
  assert.equal(await released(world), 0, 'once');
  assert.deepEqual(await world.prove(), []);
  await empty();
});

test('two people set fewer days and a last share for one business', async () => {
  await permit(world, { releaseDays: 30, lastShare: 10 });
  const net = netOf(await paymentOf(await paidReversibly(world)));
  await world.pass(30 * DAY);
  assert.equal(await released(world), 1);
  const share = (net * 10n + 99n) / 100n;
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [share, net - share]);
  assert.deepEqual(await world.prove(), []);
  await permit(world, {});
  await world.pass(150 * DAY);
  assert.equal(await released(world), 1);
  assert.equal(await reserveOf(world), 0n);
  await empty();
});

test('an open dispute stops the release, and so does a payment system that does not answer', async () => {
  const invoice = await paidReversibly(world);
  const { world: system } = world.rails.PAYEER_USD;
  system.disputing.add(await payerOf(invoice));
  await world.pass(181 * DAY);
  assert.equal(await released(world), 0);
  system.disputing.clear();
  await world.pass(7 * 60);
  system.inject('observe', { kind: 'error' }, 1_000);
  assert.equal(await released(world), 0);
  system.calm();
  await world.pass(5);
  assert.equal(await released(world), 1);
  assert.deepEqual(await world.prove(), []);
  await empty();
});

test('a receipt that waits for the end of a dispute repays a debt of its store all the same', async () => {
  await permit(world, { releaseDays: 30 });
  const [first, second] = [await paidReversibly(world), await paidReversibly(world)];
  const { world: system } = world.rails.PAYEER_USD;
  system.disputing.add(await payerOf(second));
  await world.pass(31 * DAY);
  assert.equal(await released(world), 1, 'the other one is disputed');
  await empty();
  await takeAway(first);
  const debt = await debtOf(world);
  const reserve = await reserveOf(world);
  assert.ok(debt > 0n && debt <= reserve, `${debt} ${reserve}`);
  await released(world);
  assert.deepEqual([await debtOf(world), await reserveOf(world)], [0n, reserve - debt]);
  assert.deepEqual(await world.prove(), []);
  system.disputing.clear();
  await permit(world, {});
  await world.pass(180 * DAY);
  await released(world);
  await empty();
});

test('a business whose row was changed by SQL has nothing released', async () => {
  await paidReversibly(world);
  await world.owner.run('update business set release_days = 1 where id = $1', [world.store.businessId]);
  await world.pass(2 * DAY);
  assert.equal(await released(world), 0);
  await world.owner.run('update business set release_days = null where id = $1', [world.store.businessId]);
  await world.pass(178 * DAY);
  assert.equal(await released(world), 1);
  await empty();
});

test('a receipt that is charged back and won stands in the reserve again, and its time goes on', async () => {
  const invoice = await paidReversibly(world);
  const net = netOf(await paymentOf(invoice));
  await takeAway(invoice);
  assert.equal((await world.read(invoice)).view.state, 'invalid');
  assert.deepEqual([await reserveOf(world), await debtOf(world)], [0n, 0n]);
  assert.deepEqual(await world.prove(), []);
  await takeAway(invoice, 'restore');
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [net, 0n]);
  assert.deepEqual(await world.prove(), []);
  await world.pass(180 * DAY);
  assert.equal(await released(world), 1);
  assert.equal(await world.merchant('USDT'), net);
  await empty();
});

test('a released receipt is taken from the balance, then from the rest of the reserve, and never from the owner’s wallet', async () => {
  const old = await paidReversibly(world);
  await world.pass(180 * DAY);
  assert.equal(await released(world), 1);
  await empty();
  const had = await walletOf(world, world.store.holderId, 'USDT');
  const young = await paidReversibly(world, '60.00');
  const [net, kept] = [netOf(await paymentOf(old)), netOf(await paymentOf(young))];
  await takeAway(old);
  assert.equal((await standing(world)).stop, 'business_owes');
  await released(world);
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT'), await debtOf(world)], [0n, 0n, net - kept]);
  assert.equal(await walletOf(world, world.store.holderId, 'USDT'), had);
  assert.deepEqual(await world.prove(), []);
  await takeAway(old, 'restore');
  assert.equal(await debtOf(world), 0n);
  assert.equal((await world.merchant('USDT')) + (await reserveOf(world)), kept);
  assert.deepEqual(await world.prove(), []);
  await empty();
});

test('what is set aside for a receipt goes back with it', async () => {
  const provision = async () => (await balances(world.db, [accounts.provisionReversal('PAYEER_USD')]))[0] ?? 0n;
  const before = await provision();
  const invoice = await paidReversibly(world);
  assert.ok((await provision()) > before);
  await takeAway(invoice);
  assert.equal(await provision(), before);
  assert.deepEqual(await world.prove(), []);
});

test('a store’s debt is repaid from its own reserve, not from that of another store that had a payment taken back, too', async () => {
  const { holderId, businessId } = world.store;
  const own = world.store;
  const other = await storeFor(world.db, holderId, businessId, { settlementCurrency: 'USDT_ERC20' });
  const reserves = async (): Promise<readonly bigint[]> =>
    balances(world.db, [accounts.merchantReserve(own.id, 'USDT'), accounts.merchantReserve(other.id, 'USDT')]);
  const old = await paidReversibly(world, '100.00', undefined, other);
  await world.pass(180 * DAY);
  assert.equal(await released(world), 1);
  await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: netOf(await paymentOf(old)), store: other });
  await takeAway(await paidReversibly(world));
  assert.equal(await debtOf(world), 0n, 'its own part of the reserve gave all of it');
  const [kept, given] = [await paidReversibly(world, '60.00'), await paidReversibly(world, '30.00', undefined, other)];
  await takeAway(old);
  await released(world);
  assert.deepEqual(await reserves(), [netOf(await paymentOf(kept)), 0n]);
  const rest = netOf({ booked: old.view.payments[0]?.booked }) - netOf(await paymentOf(given));
  assert.equal(await debtOf(world), rest, 'the business owes the rest');
  assert.deepEqual(await world.prove(), []);
  // A sale of any store of the business repays it from the balance.
  const sale = await world.make({ amount: '200.00' });
  world.pay(await world.choose(sale, 'USDT_ERC20'));
  await world.mine();
  assert.equal(await debtOf(world), 0n);
  const row = await world.db.row<{ parts: string; by_store: object }>('select parts::text, by_store from store_debt');
  assert.deepEqual(row, { parts: '0', by_store: {} });
  assert.deepEqual(await world.prove(), []);
  await empty();
});
