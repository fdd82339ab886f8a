// What was settled to a store moves to its owner's wallet and back: by hand and daily. Not deep money, debts, limits, freezes and
// suspensions stop it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newHolder, writeHolderMacs } from '../../auth/testing.ts';
import { accounts, balances, leg, post } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { decide, setDayLimit } from '../businesses/decide.ts';
import type { BusinessAction } from '../businesses/business.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { storeFor } from '../members/stores.testing.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { pendingOf } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { figuresOfBusinesses, reversingBusinesses } from '../settled/business-figures.ts';
import { setDaily } from '../plans/plan-rows.ts';
import type { Store } from '../stores/store.ts';
import { payTest } from '../test-store/pay-test.ts';
import { addStore } from '../stores/store-rows.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { moveByOwner, standing, unitStanding, walletOf } from './settlements.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

/** Makes an invoice, and pays it by a method. */
async function paying(method: Code, amount = '100.00'): Promise<StoredInvoice> {
  const invoice = await world.make({ amount });
  world.pay(await world.choose(invoice, method));
  return invoice;
}

/** Makes an invoice, pays it by a method, and waits until the payment is deep. */
async function settled(method: Code = 'PAYEER_USD', amount?: string): Promise<StoredInvoice> {
  const invoice = await paying(method, amount);
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  return invoice;
}

const toWallet = (parts: bigint, unit = 'USDT') => moveByOwner(world, 'to_wallet', { unit, parts });
const toStore = (parts: bigint, unit = 'USDT') => moveByOwner(world, 'to_store', { unit, parts });
const inWallet = (unit = 'USDT') => walletOf(world, world.store.holderId, unit);
const movesOf = async (): Promise<number> =>
  (await world.db.rows(`select from invoice_event where kind = 'settlement.moved' and store_id = $1`, [world.store.id])).length;

/** Empties the store's balances into the wallet. */
async function empty(): Promise<void> {
  for (const { unit, movable } of (await standing(world)).units) if (movable > 0n) await toWallet(movable, unit);
}

async function onBusiness(action: BusinessAction): Promise<void> {
  await world.db.tx(async (tx) => {
    const business = (await lockBusiness(tx, world.store.businessId ?? '')) ?? assert.fail();
    await decide(tx, SENDER, business, { action, note: '' });
  });
}

async function limit(usd: bigint | undefined): Promise<void> {
  await world.db.tx(async (tx) => {
    const business = (await lockBusiness(tx, world.store.businessId ?? '')) ?? assert.fail();
    await setDayLimit(tx, business, usd);
  });
}

test('the owner moves the balance to the wallet and back, each with an event of the store', async () => {
  await settled();
  const { balance, movable } = await unitStanding(world, 'USDT');
  assert.ok(balance > 90_000_000n && movable === balance, 'an e-wallet is deep at once');
  await toWallet(movable - 1_000_000n);
  assert.deepEqual([await inWallet(), await world.merchant('USDT')], [movable - 1_000_000n, 1_000_000n]);
  assert.equal(await refusal(() => toWallet(1_000_001n)), 'not_enough_in_store');
  assert.equal(await refusal(() => toWallet(1n, 'BTC')), 'not_enough_in_store');
  await toStore(5_000_000n);
  assert.deepEqual([await inWallet(), await world.merchant('USDT')], [movable - 6_000_000n, 6_000_000n]);
  assert.equal(await refusal(() => toStore(movable)), 'not_enough_money');
  assert.equal(await movesOf(), 2);
  assert.deepEqual(await world.prove(), []);
});

test('eight moves of the whole balance at once move it once', async () => {
  await settled();
  const { movable } = await unitStanding(world, 'USDT');
  const before = await inWallet();
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => toWallet(movable)));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await inWallet(), before + movable);
  assert.deepEqual(await world.prove(), []);
});

test('what a chain may still take back stays, and moves once it is deep', async () => {
  await paying('BTC');
  await world.mine(1);
  const shallow = await unitStanding(world, 'USDT');
  assert.ok(shallow.balance > 90_000_000n, 'settled by one confirmation');
  assert.deepEqual([shallow.shallow, shallow.movable], [shallow.balance, 0n]);
  assert.equal(await refusal(() => toWallet(shallow.balance)), 'not_deep_yet');
  await world.mine(6);
  const deep = await unitStanding(world, 'USDT');
  assert.deepEqual([deep.shallow, deep.movable], [0n, shallow.balance]);
  await toWallet(deep.movable);
  assert.deepEqual(await world.prove(), []);
});

test('one transaction for 50 invoices needs the depth of the whole sum', async () => {
  const invoices = await Promise.all(Array.from({ length: 50 }, () => world.make({ amount: '30.00' })));
  const outputs: { to: string; parts: bigint }[] = [];
  for (const { view } of invoices) {
    const { view: chosen } = await chooseMethod(world.db, { id: view.id, method: 'BTC' }, 'en');
    const { to, parts } = currentOption(chosen) ?? assert.fail();
    outputs.push({ to: to ?? assert.fail(), parts: parts ?? 0n });
  }
  await world.turn();
  world.rails.BTC.world.payMany(outputs);
  const states = async (): Promise<Set<string>> =>
    new Set(await Promise.all(invoices.map(async (one) => (await world.read(one)).view.state)));
  for (const blocks of [1, 2]) {
    await world.mine(1);
    assert.deepEqual(await states(), new Set(['confirming']), `1 500 USD by ${blocks} confirmations`);
  }
  await world.mine(1);
  assert.deepEqual(await states(), new Set(['settled']));
  const { movable, shallow } = await unitStanding(world, 'USDT');
  assert.ok(movable === 0n && shallow > 1_400_000_000n, 'nothing shallow leaves');
  await world.mine(6);
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('of 20 payments of 480 USD by one confirmation nothing leaves until they are deep', async () => {
  for (let at = 0; at < 20; at += 1) await paying('BTC', '480.00');
  await world.mine(1);
  const { movable, shallow } = await unitStanding(world, 'USDT');
  assert.ok(shallow > 9_000_000_000n, `${shallow} settled`);
  assert.equal(movable, 0n);
  assert.equal(await refusal(() => toWallet(shallow)), 'not_deep_yet');
  await world.mine(6);
  assert.equal((await unitStanding(world, 'USDT')).movable, shallow);
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('a business settles and moves within its limit of a day: a new invoice is refused, what was paid above it waits', async () => {
  await world.pass(24 * 60 + 1);
  await limit(25_000n);
  const [first, second] = [await world.make(), await world.make()];
  const third = await world.make();
  for (const invoice of [first, second, third]) world.pay(await world.choose(invoice, 'PAYEER_USD'));
  await world.mine();
  assert.equal((await world.read(third)).view.state, 'settled', 'what is paid above the limit is settled');
  assert.equal(await refusal(() => world.make({ amount: '1.00' })), 'business_limit');
  const { balance, over, movable } = await unitStanding(world, 'USDT');
  assert.ok(over > 0n && movable + over === balance && movable <= 250_000_000n, `${movable} of ${balance}`);
  assert.equal(await refusal(() => toWallet(balance)), 'business_limit');
  const moves = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => toWallet(movable - BigInt(at))));
  const done = moves.flatMap((move) => (move.status === 'fulfilled' ? [move.value.parts] : []));
  assert.equal(done.length, 1, 'the balance would be enough for more');
  const left = await unitStanding(world, 'USDT');
  assert.ok(left.movable < 20_000n, `${left.movable} parts are left of the limit`);
  await world.pass(24 * 60 + 1);
  assert.equal((await unitStanding(world, 'USDT')).movable, balance - (done[0] ?? 0n), 'the next day');
  await world.make();
  await limit(undefined);
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('two moves of different currencies at once stay within the limit together', async () => {
  await world.pass(24 * 60 + 1);
  await settled();
  await world.change({ settlementCurrency: 'BTC' });
  await settled('BTC');
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  const { units } = await standing(world);
  assert.deepEqual(units.map(({ unit }) => unit).toSorted(), ['BTC', 'USDT']);
  await limit(15_000n);
  const both = await Promise.allSettled(units.map(({ unit, movable }) => toWallet(movable, unit)));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await limit(undefined);
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('500 abandoned carts close no shop', async () => {
  await limit(50_000n);
  for (let at = 0; at < 500; at += 1) await world.make({ amount: '100.00' });
  const invoice = await world.make();
  world.pay(await world.choose(invoice, 'PAYEER_USD'));
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  await limit(undefined);
  await empty();
});

const debt = async (unit = 'USDT'): Promise<bigint> =>
  (await balances(world.db, [accounts.receivable(`business_${world.store.businessId}`, unit)]))[0] ?? 0n;

test('a debt is repaid by what is settled next, in the same journal, and stops all moves until then', async () => {
  const invoice = await settled('USDT_TRC20');
  const { movable } = await unitStanding(world, 'USDT');
  await toWallet(movable);
  const [payment] = (await world.read(invoice)).view.payments;
  await world.db.tx((tx) => decidePayin(tx, takeBack(payment?.id ?? '')));
  assert.equal(await refusal(() => toWallet(1n)), 'reversal_pending', 'its event is on its way');
  await world.turn();
  assert.equal(await debt(), movable, 'the store has nothing left');
  const id = world.store.businessId ?? '';
  const figures = (await figuresOfBusinesses(world.db, [id])).get(id) ?? assert.fail();
  assert.equal(figures.reversedUsd, 10_000n);
  assert.ok(figures.settledUsd >= 100n * figures.reversedUsd, 'much was settled before');
  assert.deepEqual(await reversingBusinesses(world.db), [], 'it is below 1 %');
  assert.deepEqual(await world.prove(), []);
  await settled('PAYEER_USD', '40.00');
  const owed = await debt();
  assert.ok(owed > 0n && owed < movable, `${owed} are still owed`);
  assert.equal(await world.merchant('USDT'), 0n);
  assert.equal((await standing(world)).stop, 'business_owes');
  assert.equal(await refusal(() => toWallet(1n)), 'business_owes');
  const journals = await world.db.rows(
    `select from posting settled join posting repaid using (journal) join account a on a.id = settled.to_id and a.id = repaid.from_id
     join account d on d.id = repaid.to_id where a.name = $1 and d.name = $2`,
    [accounts.merchant(world.store.id, 'USDT').name, accounts.receivable(`business_${world.store.businessId}`, 'USDT').name],
  );
  assert.equal(journals.length, 1);
  await toStore(owed + 1_000n);
  assert.deepEqual([await debt(), await world.merchant('USDT')], [0n, 1_000n], 'the owner repays the rest from the wallet');
  assert.equal((await standing(world)).stop, undefined);
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('nothing leaves the store of a suspended business, nor while its owner is frozen', async () => {
  const unpaid = await world.make({ amount: '50.00' });
  const option = await world.choose(unpaid, 'PAYEER_USD');
  await settled();
  await onBusiness('suspend');
  world.pay(option);
  await world.mine();
  assert.equal((await world.read(unpaid)).view.state, 'settled', 'an invoice that exists still takes payments');
  assert.equal(await refusal(() => world.make()), 'store_closed');
  assert.equal(await refusal(() => toWallet(1n)), 'store_closed');
  await onBusiness('resume');
  const freeze = async (values: string): Promise<void> => {
    await world.db.run(`update account_holder set (frozen_until, frozen_because) = (${values}) where id = $1`, [
      world.store.holderId,
    ]);
    await writeHolderMacs(world.db);
  };
  await freeze(`clock_now() + interval '1 day', 'password_reset'`);
  assert.equal(await refusal(() => toWallet(1n)), 'withdrawals_frozen');
  await freeze('null, null');
  await empty();
  assert.deepEqual(await world.prove(), []);
});

/** Times at which the balance moved daily, in the store's time zone. */
async function dailyMoves(): Promise<string[]> {
  const rows = await world.db.rows<{ at: string }>(
    `select to_char(at at time zone $2, 'YYYY-MM-DD HH24:MI') as at from settlement where store_id = $1 and cause = 'daily' order by at`,
    [world.store.id, world.store.timezone],
  );
  return rows.map(({ at }) => at);
}

/** Advances the clock to a moment. */
async function passTo(moment: string): Promise<void> {
  const ms = Date.parse(moment) - (await world.db.now()).getTime();
  assert.ok(ms > 0, `${moment} is over`);
  await world.pass(ms / 60_000);
}

test('the balance moves daily at the store’s midnight, over both changes of summer time', async () => {
  const year = (await world.db.now()).getUTCFullYear() + 1;
  const sundays = [`${year}-03`, `${year}-10`].map((month) => {
    const last = new Date(`${month}-31T00:00:00Z`);
    return last.getUTCDate() - last.getUTCDay();
  });
  await world.change({ timezone: 'Europe/Berlin' });
  const [march, october] = sundays.map((day, at) => `${year}-${at === 0 ? '03' : '10'}-${day}`);
  // Midnight before the Sunday is in one offset, midnight after it in the other: the day has 23 or 25 hours.
  for (const [sunday, before, then] of [
    [march, '+01:00', '+02:00'],
    [october, '+02:00', '+01:00'],
  ] as const) {
    const next = new Date(Date.parse(`${sunday}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    await passTo(`${sunday}T00:30:00${before}`);
    await world.db.tx((tx) => setDaily(tx, world.store.id, true));
    await settled();
    const known = await dailyMoves();
    await passTo(`${next}T00:00:00${then}`);
    await world.turn();
    const moves = (await dailyMoves()).slice(known.length);
    assert.deepEqual(moves, [`${next} 00:00`], `the day of ${sunday}`);
    await settled();
    await world.pass(23 * 60 + 30);
    assert.equal((await dailyMoves()).length, known.length + 1, 'not before the next midnight');
    await world.pass(30);
    assert.equal((await dailyMoves()).length, known.length + 2);
    await world.db.tx((tx) => setDaily(tx, world.store.id, false));
  }
  await settled();
  const count = (await dailyMoves()).length;
  await world.pass(48 * 60);
  assert.equal((await dailyMoves()).length, count, 'switched off');
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('a personal store’s money goes to its holder’s wallet by itself, once it is deep and within their level', async () => {
  const holderId = await newHolder(world.db);
  const store: Store = { ...world.store, id: newId(), kind: 'personal', businessId: undefined, holderId };
  await world.db.tx((tx) => addStore(tx, store));
  const make = (amount: string) =>
    makeInvoice(world.db, { store: store.id, amount, currency: 'USD', lines: [], metadata: {} }, 'en');
  const invoice = await make('100.00');
  world.pay(await world.choose(invoice, 'BTC'));
  await world.mine(1);
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.equal(await walletOf(world, holderId, 'USDT'), 0n, 'not deep yet');
  await world.mine(6);
  assert.ok((await walletOf(world, holderId, 'USDT')) > 90_000_000n);
  assert.equal(await refusal(() => make('1000000.00')), 'amount_above_limit');
  assert.deepEqual(await world.prove(), []);
});

test('a sum that a buyer states counts towards the limits, and invoices of test stores don’t', async () => {
  const holderId = await newHolder(world.db);
  const store: Store = { ...world.store, id: newId(), kind: 'personal', businessId: undefined, holderId };
  await world.db.tx((tx) => addStore(tx, store));
  const make = (storeId: string, amount: string | undefined, stated?: bigint): Promise<StoredInvoice> =>
    makeInvoice(
      world.db,
      { store: storeId, amount, currency: 'USD', lines: [], metadata: {} },
      'en',
      stated === undefined ? {} : { byLink: { linkId: newId(), stated } },
    );
  assert.equal(await refusal(() => make(store.id, undefined, 100_000_000n)), 'store_limit');
  assert.equal(await refusal(() => make(world.store.id, undefined, 100_000_000n)), 'store_limit');
  const { id } = await storeFor(world.db, holderId, undefined, { settlementCurrency: 'USDT_ERC20' });
  const played = await make(id, '1000000.00');
  await payTest(world, { id: played.view.id, case: 'seen' }, 'en');
  assert.equal(pendingOf((await world.read(played)).view), 100_000_000n);
  await make(store.id, '100.00');
  await make(store.id, undefined, 10_000n);
});

test('while a row about its money was changed by SQL, nothing leaves the store, and the proof accuses it', async () => {
  await settled();
  const newest = 'select id from settled_payment where store_id = $1 order by at desc limit 1';
  const id = (await world.db.row<{ id: string }>(newest, [world.store.id]))?.id ?? assert.fail();
  for (const [change, back] of [
    ['update settled_payment set parts = parts + 1 where id = $1', 'update settled_payment set parts = parts - 1 where id = $1'],
    ['update settled_payment set is_deep = false where id = $1', 'update settled_payment set is_deep = true where id = $1'],
  ] as const) {
    await world.owner.run(change, [id]);
    assert.equal(await refusal(() => toWallet(1n)), 'record_altered');
    assert.ok(
      (await world.prove()).some((one) => one.includes(id)),
      change,
    );
    await world.owner.run(back, [id]);
  }
  const move = await toWallet(1_000_000n);
  await world.owner.run('update settlement set usd = 0 where id = $1', [move.id]);
  assert.equal(await refusal(() => toWallet(1n)), 'record_altered');
  assert.ok((await world.prove()).some((one) => one.includes(move.id)));
  await world.owner.run('update settlement set usd = $2 where id = $1', [move.id, move.usd]);
  assert.deepEqual(await world.prove(), []);
  const stolen = leg(accounts.merchant(world.store.id, 'USDT'), accounts.wallet(world.store.holderId, 'USDT'), 1n);
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'merchant_settled', cause: move.id, legs: [stolen] }]));
  assert.ok((await world.prove()).some((one) => one.includes('than the moves say')));
});
