// Deposits at payment systems: requested, paid at their pages or with a voucher, uncleared while they can be taken back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { subscriptionsOf } from '../../collecting/index.ts';
import { type Level, configureCompliance, setLevel } from '../../compliance/index.ts';
import { accounts, leg, post, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { walletCheck } from '../check-books.ts';
import { setStopped, switchRail, takeWebhook } from '../../payments/index.ts';
import { type Desk, openDesk } from '../../payments/testing.ts';
import { type Context, type SettingsWatch, outbox, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { seedPricing, watchPricing } from '../../pricing/index.ts';
import { recordSnapshot, seedRates, watchRates } from '../../rates/index.ts';
import { WALLET_OWNER } from '../wallet-owner.ts';
import { SENDER } from './world.testing.ts';
import { matureDue, endUnpaidRequested } from '../apply/due-deposits.ts';
import { walletRoutes } from '../routes.ts';

const subscriptions = subscriptionsOf([WALLET_OWNER], SENDER);
const DAY = 86_400_000;
const CODE = 'PAYPAL_USD';
let desk: Desk;
let handlers: ReturnType<typeof walletRoutes>;
let settings: SettingsWatch;
let stop: () => Promise<void>;

before(async () => {
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  desk = await openDesk({
    id: 'paypal',
    currencies: [{ code: CODE, unit: CODE, payDigits: 2, dust: 100n }],
    provider: { hasDedupe: true, by: 'redirect' },
  });
  const { db } = desk;
  await db.tx(async (tx) => {
    await seedRates(tx, [{ code: 'USD', kind: 'peg', peg: '1' }]);
    const USD = { bid: '1', ask: '1', live: 1, deviation: '0.0000' };
    await recordSnapshot(tx, { assets: { USD: { ...USD, at: tx.now.toISOString() } }, sources: {}, isSeeded: true });
    await seedPricing(tx, {
      currencies: [{ code: CODE, name: 'PayPal', kind: 'ewallet', confirmations: '1', position: 1 }],
      directions: [],
    });
    await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
  });
  const rates = await watchRates(db);
  await rates.refresh();
  const pricing = await watchPricing(db);
  await pricing.refresh();
  settings = await watchSettings(db);
  stop = async () => void (await Promise.all([rates.stop(), pricing.stop(), settings.stop()]));
  handlers = walletRoutes({ db, sealer: testSealer });
  await outbox.subscribe(db, subscriptions);
});
after(async () => {
  await stop();
  await desk.close();
});

async function holder(level: Level = 2): Promise<string> {
  const id = newId();
  const { db } = desk;
  await db.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
    id,
    `${id}@example.org`,
  ]);
  await writeHolderMacs(db);
  await db.tx((tx) => setLevel(tx, id, level, 'test'));
  return id;
}
const as = (id: string): Context =>
  ({ user: { id, email: `${id}@example.org`, sessionId: newId() }, locale: 'en', deviceKey: id, limit: () => {} }) as never;
const turn = async (): Promise<void> => {
  await desk.turn();
  for (const subscription of subscriptions) await outbox.drain(desk.db, subscription);
};
const ask = (id: string, amount?: string) =>
  handlers.walletDepositAsk({ currency: CODE, rail: 'paypal', payer: { ...desk.receiver() }, ...(amount && { amount }) }, as(id));
const requested = (who: string, id: string) => handlers.walletDepositAsked({ id }, as(who));
const shown = async (id: string) => {
  const [wallet] = await handlers.wallets({}, as(id));
  return wallet && [wallet.available, wallet.uncleared, wallet.total];
};
/** Returns the address to which the holder’s provider sends the money. */
async function toOf(who: string, id: string): Promise<string> {
  const { pay } = await requested(who, id);
  return (pay?.fields as Record<string, string> | undefined)?.['to'] ?? '';
}
const pay = async (to: string, parts: bigint, from: string): Promise<string> => {
  const txid = desk.world.pay(to, parts, { from: [from] });
  desk.world.mine();
  await desk.pass(61_000);
  await turn();
  return txid;
};
let messages = 0;
/** Has the provider send a message about an address, and processes all consequences. */
async function hears(to: string): Promise<void> {
  messages += 1;
  const raw = new TextEncoder().encode(JSON.stringify({ isProven: true, to, messages }));
  await takeWebhook(desk.db, 'paypal', { raw, headers: {} });
  await turn();
}
/** Charges the newest payment back. Returns a function that undoes it. */
async function chargeBack(to: string): Promise<() => Promise<void>> {
  const [tx] = desk.world.paying(to);
  desk.world.reorg(1, true);
  await hears(to);
  return async () => {
    if (tx) desk.world.restore(tx);
    desk.world.mine();
    await hears(to);
  };
}
/** Debts are checked as in production; money that tests move by hand has no causes. */
const CHECK = { ...onlyBalances(walletCheck), accountTypes: walletCheck.accountTypes };
const isRight = async (): Promise<void> =>
  assert.deepEqual((await verify(desk.db, { checks: [onlyBalances(paymentsCheck), CHECK] })).faults, []);
const refused = (field: string, code: string) => (error: Problem) =>
  error.code === 'validation' && (error.details.errors?.[field] as { code: string } | undefined)?.code === code;

test('a deposit is requested, prepared, paid and followed; it is uncleared until it can’t be taken back', async () => {
  const ann = await holder();
  const wanted = await ask(ann, '50.00');
  assert.deepEqual([wanted.status, wanted.amount, wanted.pay], ['preparing', '50.00', undefined]);
  assert.match(wanted.number, /^KD-/);
  await turn();
  const open = await requested(ann, wanted.id);
  assert.deepEqual([open.status, open.pay?.kind, open.pay?.method], ['open', 'redirect', 'POST']);
  desk.world.keeps = 224n;
  const to = await toOf(ann, wanted.id);
  await pay(to, 5_000n, 'ann at paypal');
  desk.world.keeps = 0n;
  const paid = await requested(ann, wanted.id);
  assert.deepEqual([paid.status, paid.pay, paid.deposits[0]?.status], ['paid', undefined, 'maturing']);
  assert.deepEqual(await shown(ann), ['0.00', '47.76', '47.76'], 'less what its provider kept');
  const [row] = await handlers.userTransactions({ page: 1, per_page: 20 }, as(ann)).then(({ data }) => data);
  assert.deepEqual(
    [row?.status, row?.amount, row?.fee?.amount, row?.free_at?.slice(0, 4)],
    ['maturing', '50.00', '2.24', '2027'],
  );
  await isRight();

  assert.equal(await matureDue(desk.db), 0);
  await desk.pass(180 * DAY);
  assert.equal(await matureDue(desk.db), 0, 'a dispute may have come up: it is looked at first');
  await turn();
  assert.equal(await matureDue(desk.db), 1);
  assert.deepEqual(await shown(ann), ['47.76', '0.00', '47.76']);
  const { data } = await handlers.userTransactions({ page: 1, per_page: 20 }, as(ann));
  assert.deepEqual(
    data.map(({ entry, status, amount }) => [entry, status, amount]),
    [['deposit_matured', 'done', '47.76']],
  );
  const { steps } = await handlers.userTransaction({ id: data[0]?.id ?? '' }, as(ann));
  assert.deepEqual(
    steps.map(({ what }) => what),
    ['seen', 'maturing', 'cleared'],
  );

  // A reversal after the money was spent takes the wallet first; the rest is owed. A won dispute settles the debt first.
  const spent = leg(accounts.wallet(ann, CODE), accounts.wallet('bob', CODE), 1_776n);
  await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'transfer', cause: newId(), legs: [spent] }]));
  const wonBack = await chargeBack(to);
  assert.deepEqual(await shown(ann), ['0.00', '0.00', '0.00']);
  assert.equal(await desk.balance(accounts.receivable(ann, CODE)), 2_000n, 'what was spent, and what PayPal kept of it');
  assert.equal((await handlers.walletDeposits({ limit: 1 }, as(ann)))[0]?.status, 'reversed');
  await isRight();
  await wonBack();
  assert.equal(await desk.balance(accounts.receivable(ann, CODE)), 0n);
  assert.deepEqual(await shown(ann), ['0.00', '30.00', '30.00'], 'what was spent of it stays spent');
  await isRight();
});

test('a reversal of uncleared money takes nothing else, and is in the statement', async () => {
  const ann = await holder();
  const [one, other] = [await ask(ann, '20.00'), await ask(ann, '30.00')];
  await turn();
  const to = await toOf(ann, one.id);
  await pay(await toOf(ann, other.id), 3_000n, `payer ${ann}`);
  await pay(to, 2_000n, `payer ${ann}`);
  assert.deepEqual(await shown(ann), ['0.00', '50.00', '50.00']);
  await chargeBack(to);
  assert.deepEqual(await shown(ann), ['0.00', '30.00', '30.00']);
  const { data } = await handlers.userTransactions({ page: 1, per_page: 20 }, as(ann));
  assert.deepEqual(data.map(({ status, amount }) => [status, amount]).sort(), [
    ['cancelled', '20.00'],
    ['maturing', '30.00'],
  ]);
  const gone = data.find(({ status }) => status === 'cancelled');
  const { steps } = await handlers.userTransaction({ id: gone?.id ?? '' }, as(ann));
  assert.deepEqual(
    steps.map(({ what }) => what),
    ['seen', 'maturing', 'reversed'],
  );
  await isRight();
});

test('a reversible deposit requires a level, its limits, and the payer’s own account', async () => {
  await assert.rejects(
    async () => ask(await holder(1), '20.00'),
    (error: Problem) => error.code === 'level_needed' && error.details.errors === undefined,
  );
  const ann = await holder();
  await assert.rejects(() => ask(ann, '200.01'), refused('amount', 'amount_above_reversible'));
  await ask(ann, '200.00');
  await ask(ann, '100.00');
  await assert.rejects(() => ask(ann, '20.00'), refused('amount', 'amount_above_reversible'));
  // A request that was not paid in time no longer counts.
  await desk.pass(3_600_001);
  await endUnpaidRequested(desk.db);
  const mine = await ask(ann, '20.00');
  await turn();
  await pay(await toOf(ann, mine.id), 2_000n, 'the account of ann');
  const bob = await holder();
  const his = await ask(bob, '20.00');
  await turn();
  await pay(await toOf(bob, his.id), 2_000n, 'the account of ann');
  assert.equal((await requested(ann, mine.id)).deposits[0]?.status, 'maturing');
  assert.equal((await requested(bob, his.id)).deposits[0]?.status, 'checking', 'paid from another’s account');
  assert.deepEqual(await shown(bob), ['0.00', '20.00', '20.00']);
  await isRight();
});

test('refuses too small or malformed sums and other holders’ deposits; an unpaid request expires', async () => {
  const ann = await holder();
  await assert.rejects(() => ask(ann), refused('amount', 'required'));
  await assert.rejects(() => ask(ann, '0.99'), refused('amount', 'deposit_below_min'));
  await assert.rejects(() => ask(ann, '1.001'), refused('amount', 'amount_format'));
  await assert.rejects(
    async () => handlers.walletDepositAsk({ currency: CODE, rail: 'payeer', amount: '20.00' }, as(ann)),
    refused('rail', 'rail_unknown'),
  );
  const mine = await ask(ann, '1.00');
  await assert.rejects(
    async () => requested(await holder(), mine.id),
    (error: Problem) => error.code === 'not_found',
  );
  await turn();
  await desk.pass(3_600_001);
  const over = await requested(ann, mine.id);
  assert.deepEqual([over.status, over.pay], ['over', undefined]);
});

test('stopping deposits refuses new requests from that transaction on; earlier requests are credited', async () => {
  const id = await holder();
  const before = await ask(id, '20');
  await turn();
  const to = await toOf(id, before.id);
  const put = (isStop: boolean) => desk.db.tx((tx) => setStopped(tx, ['deposits'], isStop, 'test'));
  await put(true);
  await assert.rejects(ask(id, '20'), { code: 'deposits_closed' }, 'before this process knows');
  await settings.refresh();
  assert.equal((await handlers.walletCurrencies({}, as(id))).flatMap(({ rails }) => rails).length, 0);
  await pay(to, 2_000n, 'stopped@pay.example');
  assert.deepEqual(await shown(id), ['0.00', '20.00', '20.00']);
  await put(false);
  await settings.refresh();
  assert.equal((await ask(id, '20')).status, 'preparing');
});

test('a payment system that is off for deposits is not offered; earlier requests go on', async () => {
  const id = await holder();
  const before = await ask(id, '20');
  await turn();
  const to = await toOf(id, before.id);
  const offered = async () => (await handlers.walletCurrencies({}, as(id))).flatMap(({ rails }) => rails).length;
  const put = async (isOn: boolean): Promise<void> => {
    await desk.db.tx((tx) => switchRail(tx, { rail: 'paypal', isOn, purpose: 'deposits' }, 'test'));
    await settings.refresh();
  };
  await put(false);
  assert.equal(await offered(), 0);
  await assert.rejects(ask(id, '20'), { code: 'deposits_closed' });
  await pay(to, 2_000n, 'off@pay.example');
  assert.deepEqual(await shown(id), ['0.00', '20.00', '20.00']);
  await put(true);
  assert.equal(await offered(), 1);
});
