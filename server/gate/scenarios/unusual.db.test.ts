// Unusual courses of invoices: no money for a conversion, no price, money taken back, too many choices, a wallet as the method.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money, parse } from '@kurs/money';
import { holdersById, makeCode } from '../../auth/index.ts';
import { newHolder } from '../../auth/testing.ts';
import { setLevel } from '../../compliance/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { accounts, balances, leg, post } from '../../ledger/index.ts';
import { decidePayin, switchRail } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { type Context, configureLog, createLimiter, newId } from '../../platform/index.ts';
import { switchDirection } from '../../pricing/index.ts';
import { freely, refusal, testSealer } from '../../platform/testing.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { chooseAsBuyer, chooseMethod } from '../actions/choose-method.ts';
import { payFromWallet } from '../actions/pay-from-wallet.ts';
import { mailUsedUpAddresses } from '../actions/unpaid-addresses.ts';
import { creditedOf, dueOf } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { payWire } from '../views/pay-wire.ts';
import { walletMethodOf } from '../methods/wallet-method.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settings } from '../settings.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld({ usdt: '500' });
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const free = async (): Promise<bigint> => (await balances(world.db, [accounts.deskFree('USDT')]))[0] ?? 0n;
const refused = (work: () => Promise<unknown>): Promise<string> => refusal(work);

test('a payment beyond the business’s share of the desk’s money is settled in the coin itself, and the payer is credited the same', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'BTC');
  world.pay(option);
  await world.pass(1);
  assert.equal((await world.read(invoice)).view.payments[0]?.reserve, 0n, 'a tenth of 500 USDT is not enough for 100');
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'settled');
  const [payment] = view.payments;
  assert.equal(payment?.isInKind, true);
  assert.ok(creditedOf(view) >= 10_000n);
  assert.equal(payment?.booked?.unit, 'BTC');
  assert.equal(await world.merchant('BTC'), (payment?.booked?.set ?? 0n) - (payment?.booked?.fee ?? 0n));
  assert.equal(payment?.booked?.set, payment?.parts, 'no spread is taken, and receiving bitcoin costs nothing here');
  assert.deepEqual(await world.prove(), []);
});

test('a payment is reserved within the share, and comes back whole if the payment vanishes', async () => {
  const before = await free();
  const invoice = await world.make({ amount: '40.00' });
  const option = await world.choose(invoice, 'BTC');
  const txid = world.pay(option);
  await world.pass(1);
  assert.equal(before - (await free()), (await world.read(invoice)).view.payments[0]?.reserve);
  world.rails.BTC.world.doubleSpend(txid);
  await world.mine();
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.stage], ['open', 'dropped']);
  assert.equal(await free(), before);
  assert.ok((await world.events(invoice)).includes('payment_dropped'));
  assert.deepEqual(await world.prove(), []);
});

test('without a price a late payment waits, and is credited once there is one', async () => {
  const invoice = await world.make({ amount: '40.00' });
  const first = await world.choose(invoice, 'BTC');
  await world.pass(1);
  await world.choose(invoice, 'USDT_ERC20');
  await world.pass(1);
  world.pay(first);
  await world.closeRates();
  await world.mine();
  assert.equal((await world.read(invoice)).view.payments[0]?.stage, 'waiting');
  assert.deepEqual(await world.prove(), []);
  await world.price('90000');
  await world.pass(1);
  const { view } = await world.read(invoice);
  assert.equal(view.payments[0]?.stage, 'credited');
  assert.equal(view.state, 'settled');
  assert.deepEqual(await world.prove(), []);
});

for (const amount of ['40.00', '80.00'] as const)
  test(`a payment of ${amount} USD is taken back after it was settled: everything is turned round, and the rest is owed`, async () => {
    const invoice = await world.make({ amount });
    const option = await world.choose(invoice, 'PAYEER_USD');
    world.pay(option);
    await world.mine();
    const before = (await world.read(invoice)).view.payments[0];
    assert.ok(before?.booked);
    const unit = before.booked.unit;
    const had = await world.merchant(unit);
    const decided = await world.db.tx((tx) => decidePayin(tx, takeBack(before.id)));
    assert.notEqual(decided, undefined);
    await world.turn();
    const { view } = await world.read(invoice);
    assert.deepEqual([view.state, view.payments[0]?.stage], ['invalid', 'reversed']);
    const net = before.booked.set - (before.booked.fee ?? 0n);
    assert.equal(had - (await world.merchant(unit)), net < had ? net : had);
    assert.deepEqual(await world.prove(), []);
  });

test('the method of an invoice is chosen at most ten times an hour, and the same choice again is no choice', async () => {
  const invoice = await world.make({ amount: '40.00' });
  const choose = (at: number): Promise<StoredInvoice> =>
    chooseMethod(world.db, { id: invoice.view.id, method: at % 2 === 0 ? 'BTC' : 'USDT_ERC20' }, 'en');
  for (let at = 0; at < 10; at += 1) {
    const { view } = await choose(at);
    assert.equal(view.options.length, at + 1);
    assert.equal((await choose(at)).view.options.length, at + 1);
  }
  assert.equal(await refused(() => choose(10)), 'too_many_choices');
  const places = await world.db.rows('select id from invoice_address where invoice_id = $1', [invoice.view.id]);
  assert.equal(places.length, 2, 'each currency has one address');
});

test('a store with too many unpaid addresses offers payment systems alone, and its owner and the desk are notified once', async () => {
  const max = async (addresses: number): Promise<void> => {
    await world.db.tx((tx) => settings.put(tx, 'gate.unpaid_options', addresses, 'test'));
    await world.refreshSettings();
  };
  const owner = (await holdersById(world.db, [world.store.holderId])).get(world.store.holderId);
  const letters = async (): Promise<number> =>
    (await queuedLetters(world.db, { to: owner?.email ?? '' })).filter(({ subject }) => subject.includes('no more addresses'))
      .length;
  const alarms: string[] = [];
  configureLog({ onAlarm: (words) => void alarms.push(words) });
  const invoice = await world.make({ amount: '40.00' });
  await world.choose(invoice, 'BTC');
  await mailUsedUpAddresses(world.db, world.sender);
  assert.equal(await letters(), 0);
  await max(1);
  assert.equal(
    await refused(() => chooseMethod(world.db, { id: invoice.view.id, method: 'USDT_TRC20' }, 'en')),
    'unpaid_options',
  );
  assert.equal((await world.choose(invoice, 'PAYEER_USD')).currency, 'PAYEER_USD');
  for (let at = 0; at < 2; at += 1) await mailUsedUpAddresses(world.db, world.sender);
  assert.deepEqual([await letters(), alarms.length], [1, 1], alarms.join());
  await world.pass(25 * 60);
  await mailUsedUpAddresses(world.db, world.sender);
  assert.equal(await letters(), 1, 'a day later the addresses count no more');
  await max(500);
  configureLog({ onAlarm: () => undefined });
});

test('one network is given so few addresses that it can’t close a store for others', async () => {
  await world.db.tx((tx) => settings.put(tx, 'gate.unpaid_options', 50, 'test'));
  await world.refreshSettings();
  const limiter = createLimiter();
  const from =
    (network: string) =>
    async (invoice: StoredInvoice, method: string): Promise<string> => {
      const limitNetwork: Context['limitNetwork'] = async (key, limit) => limiter.take(`${network} ${key}`, { ...limit });
      const chosen = await chooseAsBuyer(world.db, { id: invoice.view.id, method }, { locale: 'en', limitNetwork });
      return chosen.invoice.view.options.at(-1)?.currency ?? '';
    };
  const [one, other] = [from('203.0.113.7'), from('203.0.113.8')];
  const [first, second] = [await world.make({ amount: '40.00' }), await world.make({ amount: '40.00' })];
  assert.equal(await one(first, 'BTC'), 'BTC');
  assert.equal(await one(first, 'USDT_ERC20'), 'USDT_ERC20');
  assert.equal(await one(first, 'BTC'), 'BTC', 'an address that the invoice has is no new one');
  assert.equal(await refused(() => one(second, 'BTC')), 'rate_limited');
  assert.equal(await one(second, 'PAYEER_USD'), 'PAYEER_USD', 'a payment system takes no address');
  assert.equal(await other(second, 'BTC'), 'BTC');
  await world.db.tx((tx) => settings.put(tx, 'gate.unpaid_options', 500, 'test'));
  await world.refreshSettings();
});

const deps = () => ({ db: world.db, sealer: testSealer, sender: SENDER });
const CONTEXT = { ...freely, locale: 'en', ip: '203.0.113.7', deviceKey: 'device' } as unknown as Context;

/** Opens an account with USDT in its wallet. */
async function payer(usdt: string) {
  const id = await newHolder(world.db);
  await world.db.tx(async (tx) => {
    await setLevel(tx, id, 3, 'test');
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(id, 'USDT'), parse('USDT', usdt).parts)];
    await post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]);
  });
  return { id, email: `${id}@example.org`, sessionId: `session of ${id}` };
}

/** Returns the sum of a wallet's unit that pays an invoice, in parts. */
function sumFrom({ view }: StoredInvoice, unit: string): bigint {
  const method = walletMethodOf(view.terms, unit, dueOf(view));
  return typeof method === 'string' ? assert.fail(method) : (method.parts ?? assert.fail());
}

test('an invoice is paid from a wallet with a step-up, final at once, and never twice', async () => {
  const ann = await payer('100');
  const invoice = await world.make({ amount: '60.00' });
  const parts = sumFrom(invoice, 'USDT');
  assert.equal(parts, 60_000_000n, 'money that is here costs nothing to receive');
  const pay = (amount: string, otp?: string): Promise<StoredInvoice> =>
    payFromWallet(deps(), ann, { id: invoice.view.id, unit: 'USDT', amount, ...(otp && { otp }) }, CONTEXT);
  assert.equal(await refused(() => pay('60.00')), 'code_required');
  const subject = `${ann.id} ${ann.sessionId} ${invoice.view.id}`;
  const code = await world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }));
  assert.equal(await refused(() => pay('59.00', code)), 'review_changed');
  assert.equal(await refused(() => pay('600.00', code)), 'not_enough_money');
  assert.equal((await pay('60.00', code)).view.state, 'settled');
  assert.deepEqual(await balances(world.db, [accounts.wallet(ann.id, 'USDT')]), [40_000_000n]);
  assert.equal(await refused(() => pay('60.00', code)), 'invoice_not_open');
  assert.deepEqual(await world.prove(), []);
});

for (const next of ['another method', 'a payment from a wallet'] as const)
  test(`the preparation of a payment at a payment system ends with ${next}`, async () => {
    const ann = await payer('100');
    const invoice = await world.make({ amount: '60.00' });
    const { view } = await chooseMethod(world.db, { id: invoice.view.id, method: 'PAYEER_USD' }, 'en');
    const to = currentOption(view)?.to ?? assert.fail();
    if (next === 'another method') await chooseMethod(world.db, { id: view.id, method: 'USDT_ERC20' }, 'en');
    else {
      const otp = await world.db.tx((tx) =>
        makeCode(tx, { purpose: 'money_out', subject: `${ann.id} ${ann.sessionId} ${view.id}` }),
      );
      await payFromWallet(deps(), ann, { id: view.id, unit: 'USDT', amount: '60.00', otp }, CONTEXT);
    }
    for (let at = 0; at < 3; at += 1) await world.pass(1);
    assert.equal(world.rails.PAYEER_USD.world.opened.get(to), undefined);
    assert.ok(!(await world.events(invoice)).includes('option_ready'));
  });

test('a wallet pays nothing by a direction that is off, nor by rails that take no invoices', async () => {
  const ann = await payer('100');
  await world.change({ settlementCurrency: 'BTC' });
  const invoice = await world.make({ amount: '60.00' });
  const parts = sumFrom(invoice, 'USDT');
  const subject = `${ann.id} ${ann.sessionId} ${invoice.view.id}`;
  const amount = format(money('USDT', parts));
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }));
  const pay = (): Promise<string> =>
    refused(() => payFromWallet(deps(), ann, { id: invoice.view.id, unit: 'USDT', amount, otp }, CONTEXT));
  const isListed = async (): Promise<string | undefined> => {
    const { wallets } = await payWire({ db: world.db, tokens: world.sender.tokens }, await world.read(invoice), {
      locale: 'en',
      holderId: ann.id,
    });
    return wallets?.find(({ unit }) => unit === 'USDT')?.closed;
  };
  const turn = async (isOn: boolean): Promise<void> => {
    await world.db.tx((tx) => switchDirection(tx, 'usdt-erc20-btc', isOn, 'test'));
    await world.pass(0);
  };
  await turn(false);
  assert.deepEqual([await isListed(), await pay()], ['off', 'method_closed']);
  await turn(true);
  const invoices = async (isOn: boolean): Promise<void> => {
    for (const rail of ['evm', 'tron']) await world.db.tx((tx) => switchRail(tx, { rail, isOn, purpose: 'invoices' }, 'test'));
    await world.refreshSettings();
  };
  await invoices(false);
  assert.deepEqual([await isListed(), await pay()], ['off', 'method_closed']);
  await invoices(true);
  assert.deepEqual([await isListed(), await pay()], [undefined, 'done']);
  assert.deepEqual(await world.prove(), []);
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});

test('two payments from a wallet at once pay one invoice once', async () => {
  const ann = await payer('200');
  const invoice = await world.make({ amount: '60.00' });
  const subject = `${ann.id} ${ann.sessionId} ${invoice.view.id}`;
  const codes = [await world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }))];
  const both = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      payFromWallet(deps(), ann, { id: invoice.view.id, unit: 'USDT', amount: '60.00', otp: codes[0] }, CONTEXT),
    ),
  );
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.deepEqual(await balances(world.db, [accounts.wallet(ann.id, 'USDT')]), [140_000_000n]);
  assert.deepEqual(await world.prove(), []);
});

test('an option that SQL changed credits nothing: its events wait, with an alarm', async () => {
  const invoice = await world.make({ amount: '40.00' });
  const option = await world.choose(invoice, 'BTC');
  const { mac } =
    (await world.db.row<{ mac: string }>('select mac from invoice where id = $1', [invoice.view.id])) ?? assert.fail();
  const raise = `update invoice set body = jsonb_set(body, '{options,0,price,worth,value,numerator}', '"9n"') where id = $1`;
  await world.owner.run(raise, [invoice.view.id]);
  world.pay(option);
  await world.mine();
  const { isAltered, view } = await world.read(invoice);
  assert.deepEqual([isAltered, view.payments.length, view.state], [true, 0, 'open']);
  assert.equal((await world.db.row<{ mac: string }>('select mac from invoice where id = $1', [invoice.view.id]))?.mac, mac);
  assert.ok((await world.prove()).some((one) => one.startsWith(invoice.view.id)));
});

test('a place to pay that SQL moved to another invoice credits nothing until it is right again', async () => {
  const [invoice, other] = [await world.make({ amount: '40.00' }), await world.make({ amount: '40.00' })];
  const option = await world.choose(invoice, 'BTC');
  const move = (from: StoredInvoice, to: StoredInvoice): Promise<unknown> =>
    world.owner.run('update invoice_address set invoice_id = $2 where invoice_id = $1', [from.view.id, to.view.id]);
  await move(invoice, other);
  world.pay(option);
  await world.mine();
  for (const one of [invoice, other]) assert.deepEqual((await world.read(one)).view.payments, []);
  assert.ok((await world.prove()).some((words) => /the place of an invoice is not the one that was handed out/.test(words)));
  await move(other, invoice);
  for (let at = 0; at < 3; at += 1) await world.pass(2);
  assert.equal((await world.read(invoice)).view.state, 'settled');
});
