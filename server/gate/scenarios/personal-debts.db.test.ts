// Debts of personal stores: their owner owes them, and the owner's wallet repays them, since the store's money is moved there at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newHolder } from '../../auth/testing.ts';
import { stopsOf } from '../../compliance/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settlementPage } from '../settlements/settlement-rows.ts';
import { subjectOf } from '../settlements/store-money.ts';
import type { Store } from '../stores/store.ts';
import { addStore } from '../stores/store-rows.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';
import { moveByOwner, standing, walletOf } from './settlements.testing.ts';

let world: RefundWorld;
let store: Store;
before(async () => {
  world = await openRefundWorld();
  const holderId = await newHolder(world.db);
  store = { ...world.store, id: newId(), kind: 'personal', businessId: undefined, holderId };
  await world.db.tx((tx) => addStore(tx, store));
});
after(() => world.close());

async function paid(amount: string): Promise<StoredInvoice> {
  const wanted = { store: store.id, amount, currency: 'USD', lines: [], metadata: {} };
  const invoice = await makeInvoice(world.db, wanted, 'en');
  world.pay(await world.choose(invoice, 'USDT_ERC20'));
  await world.mine();
  return world.read(invoice);
}

const wallet = (): Promise<bigint> => walletOf(world, store.holderId, 'USDT');
const inStore = async (): Promise<bigint> => (await balances(world.db, [accounts.merchant(store.id, 'USDT')]))[0] ?? 0n;
const owed = async (): Promise<bigint> => (await balances(world.db, [accounts.receivable(store.holderId, 'USDT')]))[0] ?? 0n;
const stop = async (): Promise<string | undefined> =>
  (await stopsOf(world.db, [await subjectOf(world.db, store.holderId)]))[0]?.code;

async function takenBack(invoice: StoredInvoice): Promise<void> {
  await world.db.tx((tx) => decidePayin(tx, takeBack(invoice.view.payments[0]?.id ?? '')));
  for (let at = 0; at < 2; at += 1) await world.turn();
}

/** Refunds a sum that the owner moves back from the wallet first. */
async function refunded(amount: string): Promise<void> {
  await moveByOwner(world, 'to_store', { unit: 'USDT', parts: usdt(amount), store });
  const maker = { kind: 'member', id: store.holderId, isProposed: false } as const;
  await makeRefund(world, { store: store.id, amount, currency: 'USDT' }, maker, 'en');
}

test('a payment that is taken back after its money had moved to the wallet is repaid from there at once', async () => {
  const [first] = [await paid('100.00'), await paid('50.00')];
  const before = await wallet();
  assert.ok(before > usdt('148') && (await inStore()) === 0n, `${before} moved to the wallet`);
  await takenBack(first);
  assert.deepEqual([await owed(), await inStore(), await stop()], [0n, 0n, undefined]);
  const net = first.view.payments[0]?.booked;
  assert.equal(before - (await wallet()), (net?.set ?? 0n) - (net?.fee ?? 0n), 'what the store had received');
  const filter = { store: store.id, page: 1, per_page: 10, direction: 'to_store' } as const;
  const { settlements } = await settlementPage(world.db, filter, store.timezone);
  assert.deepEqual(
    settlements.map(({ cause }) => cause),
    ['debt'],
  );
  assert.deepEqual(await world.prove(), []);
});

test('what the wallet lacks is owed, stops its owner everywhere, and is repaid by what comes to the store', async () => {
  const sold = await paid('100.00');
  await refunded('90.00');
  const before = await wallet();
  await takenBack(sold);
  const debt = await owed();
  assert.ok(debt > usdt('30') && debt < usdt('50'), `${debt}`);
  assert.deepEqual(
    [await wallet(), await stop(), (await standing({ db: world.db, store })).stop],
    [0n, 'debt_stops', 'business_owes'],
  );
  assert.ok(before > 0n, 'the wallet gave what it had');
  assert.deepEqual(await world.prove(), []);
  await paid('20.00');
  assert.ok((await owed()) < debt && (await wallet()) === 0n);
  await paid('60.00');
  assert.deepEqual([await owed(), await stop()], [0n, undefined]);
  await world.pass(61);
  assert.ok((await wallet()) > 0n, 'the rest moves to the wallet once its hour is over');
  assert.deepEqual(await world.prove(), []);
});

test('money that the owner moves back to a personal store stays for an hour', async () => {
  const before = await wallet();
  await moveByOwner(world, 'to_store', { unit: 'USDT', parts: usdt('10'), store });
  await paid('20.00');
  for (const minutes of [1, 50]) await world.pass(minutes);
  assert.ok((await inStore()) > usdt('29'), 'what was sold meanwhile waits, too');
  await world.pass(15);
  assert.equal(await inStore(), 0n);
  assert.ok((await wallet()) > before + usdt('19'));
  const mover = { store, unit: 'USDT', parts: usdt('10') };
  const stranger = { ...store, holderId: await newHolder(world.db) };
  assert.equal(await refusal(() => moveByOwner(world, 'to_store', { ...mover, store: stranger })), 'store_closed');
  assert.deepEqual(await world.prove(), []);
});
