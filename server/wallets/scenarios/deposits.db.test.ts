// Payments into wallets: credited once they are final, and taken back as far as the money is there.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { subscriptionsOf } from '../../collecting/index.ts';
import { configureCompliance, screenPayments } from '../../compliance/index.ts';
import { accounts, leg, post, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { walletCheck } from '../check-books.ts';
import { type Desk, openDesk } from '../../payments/testing.ts';
import { testSealer } from '../../platform/testing.ts';
import { type Context, outbox, newId } from '../../platform/index.ts';
import { remainingInWallets } from '../remaining-money.ts';
import { WALLET_OWNER } from '../wallet-owner.ts';
import { SENDER } from './world.testing.ts';
import { walletRoutes } from '../routes.ts';
import { walletChangeTokens } from '../change-tokens.ts';
import { settleDebts } from '../deposits/settle-debts.ts';

const subscriptions = subscriptionsOf([WALLET_OWNER], SENDER);
let desk: Desk;
let handlers: ReturnType<typeof walletRoutes>;
let ann: string;
let bob: string;

before(async () => {
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  desk = await openDesk({ id: 'bitcoin' });
  handlers = walletRoutes({ db: desk.db, sealer: testSealer });
  await outbox.subscribe(desk.db, subscriptions);
});
after(() => desk.close());
beforeEach(async () => {
  [ann, bob] = [await holder(), await holder()];
});

async function holder(): Promise<string> {
  const id = newId();
  await desk.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`,
    [id, `${id}@example.org`],
  );
  await writeHolderMacs(desk.db);
  return id;
}
const as = (id: string): Context => ({ user: { id, email: `${id}@example.org`, sessionId: newId() } }) as Context;
const turn = async (): Promise<void> => {
  await desk.turn();
  for (const subscription of subscriptions) await outbox.drain(desk.db, subscription);
};
const mine = async (blocks = 1): Promise<void> => {
  for (let block = 0; block < blocks; block += 1) desk.world.mine();
  await desk.pass(61_000);
  await turn();
};
/** Lets hours pass, so that delayed steps run. */
const hours = async (count: number): Promise<void> => {
  for (let hour = 0; hour < count; hour += 1) {
    await desk.pass(3_600_000);
    await turn();
  }
};
const place = async (id: string): Promise<string> => {
  const { deposit } = await handlers.walletStore({ currency: 'BTC' }, as(id));
  return deposit?.address ?? '';
};
const shown = async (id: string) => {
  const [wallet] = await handlers.wallets({}, as(id));
  return wallet && [wallet.available, wallet.pending, wallet.total];
};
const letters = async (id: string): Promise<string[]> => {
  const rows = await queuedLetters(desk.db, { to: `${id}@example.org` });
  return rows.map(({ subject }) => subject.replaceAll('\u00a0', ' '));
};
/** Debts are checked as in production; money that tests move by hand has no causes. */
const CHECK = { ...onlyBalances(walletCheck), accountTypes: walletCheck.accountTypes };
const isRight = async (): Promise<void> =>
  assert.deepEqual((await verify(desk.db, { checks: [onlyBalances(paymentsCheck), CHECK] })).faults, []);

test('a holder has one address of a currency for ever, nobody else has it', async () => {
  const [first, second] = await Promise.all([place(ann), place(ann)]);
  assert.equal(first, second);
  assert.equal(await place(ann), first);
  assert.notEqual(await place(bob), first);
  assert.deepEqual(await handlers.walletUserCurrencies({}, as(ann)), ['BTC']);
});

test('refuses an unknown unit or rail on its field', async () => {
  const refused = (error: Problem) => error.code === 'validation';
  await assert.rejects(async () => handlers.walletStore({ currency: 'NOPE' }, as(ann)), refused);
  await assert.rejects(async () => handlers.walletStore({ currency: 'BTC', rail: 'tron' }, as(ann)), refused);
  assert.deepEqual(await handlers.walletUserCurrencies({}, as(ann)), []);
});

test('shows the rail’s current confirmations up to the needed number; each changes the page', async () => {
  const to = await place(ann);
  desk.world.pay(to, 4_000_000n);
  await mine();
  const written = () => desk.db.row('select xmin::text from wallet_deposit where holder_id = $1', [ann]);
  const deposit = async () => (await handlers.walletDeposits({ limit: 1 }, as(ann)))[0];
  const mark = async () => (await walletChangeTokens(desk.db, [ann])).get(ann);
  const [first, begun] = [await written(), await mark()];
  assert.deepEqual([(await deposit())?.confirmations, (await deposit())?.needed], [1, 3]);
  desk.world.mine();
  await turn();
  assert.deepEqual([(await deposit())?.confirmations, await written()], [2, first]);
  assert.notEqual(await mark(), begun);
  await desk.db.run('update rail_state set height = height + 50');
  assert.equal((await deposit())?.confirmations, 3);
});

test('a seen payment is shown as pending and credited once it is final, repeatedly at the same address', async () => {
  const to = await place(ann);
  assert.equal(await remainingInWallets(desk.db, ann), undefined);
  desk.world.pay(to, 250_000n);
  await turn();
  assert.deepEqual(await shown(ann), ['0.00000000', '0.00250000', '0.00000000']);
  assert.equal(await remainingInWallets(desk.db, ann), 'money', 'on its way in');
  await mine();
  assert.deepEqual(await shown(ann), ['0.00250000', '0.00000000', '0.00250000']);
  desk.world.pay(to, 100_000n);
  await mine(2);
  assert.deepEqual(await shown(ann), ['0.00350000', '0.00000000', '0.00350000']);
  await turn();
  assert.deepEqual(await shown(ann), ['0.00350000', '0.00000000', '0.00350000'], 'and only once');

  const moves = await handlers.walletTransactions({ currency: 'BTC', limit: 20 }, as(ann));
  assert.deepEqual(
    moves.map(({ kind, change, balance }) => [kind, change, balance]),
    [
      ['deposit', '0.00100000', '0.00350000'],
      ['deposit', '0.00250000', '0.00250000'],
    ],
  );
  const [older] = await handlers.walletTransactions({ currency: 'BTC', limit: 20, before: moves[0]?.id }, as(ann));
  assert.equal(older?.change, '0.00250000');
  const [newest] = await handlers.walletDeposits({ limit: 20 }, as(ann));
  assert.deepEqual([newest?.status, newest?.txid], ['final', moves[0]?.txid]);
  assert.equal(await remainingInWallets(desk.db, ann), 'money');
  assert.equal(await remainingInWallets(desk.db, bob), undefined);
  await isRight();
});

test('nobody sees another holder’s wallets, deposits or movements, or that they exist', async () => {
  const marks = async () => [...(await walletChangeTokens(desk.db, [ann, bob])).values()];
  const to = await place(ann);
  const before = await marks();
  desk.world.pay(to, 250_000n);
  await mine();
  const after_ = await marks();
  assert.notEqual(after_[0], before[0]);
  assert.equal(after_[1], before[1]);
  assert.deepEqual(await handlers.wallets({}, as(bob)), []);
  assert.deepEqual(await handlers.walletDeposits({ limit: 20 }, as(bob)), []);
  assert.deepEqual(await handlers.walletTransactions({ currency: 'BTC', limit: 20 }, as(bob)), []);
  await assert.rejects(
    async () => handlers.wallets({}, {} as Context),
    (error: Problem) => error.code === 'unauthorised',
  );
});

test('a payment that is double-spent before it is final is never credited', async () => {
  const txid = desk.world.pay(await place(ann), 250_000n);
  await turn();
  desk.world.doubleSpend(txid);
  desk.world.mine();
  await hours(6);
  assert.deepEqual(await shown(ann), ['0.00000000', '0.00000000', '0.00000000']);
  assert.equal((await handlers.walletDeposits({ limit: 1 }, as(ann)))[0]?.status, 'dropped');
  await isRight();
});

test('a reorg takes a payment back from the wallet; what was spent meanwhile is owed', async () => {
  desk.world.pay(await place(ann), 250_000n);
  await mine();
  const spent = leg(accounts.wallet(ann, 'BTC'), accounts.wallet(bob, 'BTC'), 100_000n);
  await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'transfer', cause: newId(), legs: [spent] }]));
  desk.world.reorg(1, true);
  await hours(6);
  assert.deepEqual(await shown(ann), ['0.00000000', '0.00000000', '0.00000000']);
  assert.equal(await desk.balance(accounts.receivable(ann, 'BTC')), 100_000n);
  assert.equal((await handlers.walletDeposits({ limit: 1 }, as(ann)))[0]?.status, 'reversed');
  assert.deepEqual(await letters(ann), ['Your deposit of 0.0025 BTC was reversed']);
  await isRight();
});

test('later money in the wallet settles the debt, and the payment is credited if it comes again', async () => {
  const give = async (from: string, to: string, parts: bigint): Promise<void> => {
    const moved = leg(accounts.wallet(from, 'BTC'), accounts.wallet(to, 'BTC'), parts);
    await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'transfer', cause: newId(), legs: [moved] }]));
  };
  const owed = () => desk.balance(accounts.receivable(ann, 'BTC'));
  const settle = () => settleDebts(desk.db, 'Kurs');
  const to = await place(ann);
  desk.world.pay(to, 250_000n);
  await mine();
  await give(ann, bob, 100_000n);
  const [gone] = desk.world.paying(to);
  desk.world.reorg(1, true);
  await hours(6);
  assert.equal(await owed(), 100_000n);
  assert.equal(await settle(), 0, 'there is nothing to settle it from');
  assert.deepEqual(
    (await handlers.wallets({}, as(ann))).map((one) => [one.owed, one.total]),
    [['0.00100000', '0.00000000']],
  );
  // First a transfer, then a deposit.
  await give(bob, ann, 60_000n);
  assert.equal(await settle(), 1);
  assert.deepEqual([await owed(), await shown(ann)], [40_000n, ['0.00000000', '0.00000000', '0.00000000']]);
  desk.world.pay(to, 50_000n);
  await mine(2);
  assert.equal(await settle(), 1);
  assert.deepEqual([await owed(), await shown(ann)], [0n, ['0.00010000', '0.00000000', '0.00010000']]);
  assert.equal(await settle(), 0);
  assert.deepEqual((await letters(ann)).slice(1), [
    '0.0006 BTC of your wallet settled a debt',
    '0.0004 BTC of your wallet settled a debt',
  ]);
  const { data } = await handlers.userTransactions({ page: 1, per_page: 5 }, as(ann));
  assert.deepEqual([data[0]?.entry, data[0]?.amount], ['deposit_reversed', '-0.00040000']);
  // A debt is not settled twice.
  if (gone) desk.world.restore(gone);
  await mine(2);
  await hours(2);
  assert.deepEqual([await owed(), await shown(ann)], [0n, ['0.00260000', '0.00000000', '0.00260000']]);
  assert.equal((await letters(ann)).at(-1), '0.0025 BTC is back in your wallet');
  await isRight();
});

test('a payment taken back and restored by a reorg during its check has rows in the statement', async () => {
  const plain = { botKey: 'key', isLoopbackCounted: true };
  configureCompliance({ ...plain, screener: async (accounts) => accounts.map(() => ({ score: 100 })) });
  const rows = async () => (await handlers.userTransactions({ page: 1, per_page: 5 }, as(ann))).data;
  const reported = async () => (await rows()).map(({ status, amount }) => [status, amount]);
  try {
    const txid = desk.world.pay(await place(ann), 250_000n);
    await mine();
    await screenPayments(desk.db);
    await mine();
    assert.deepEqual(await reported(), [['checking', '0.00250000']]);
    const [tx] = desk.world.paying(await place(ann));
    desk.world.reorg(2, true);
    await hours(6);
    assert.deepEqual(await shown(ann), ['0.00000000', '0.00000000', '0.00000000']);
    assert.deepEqual(await reported(), [['cancelled', '0.00250000']]);
    const [row] = await rows();
    const { steps } = await handlers.userTransaction({ id: row?.id ?? '' }, as(ann));
    assert.deepEqual(
      steps.map(({ what }) => what),
      ['seen', 'checking', 'reversed'],
    );
    assert.equal(row?.txid, txid);
    if (tx) desk.world.restore(tx);
    await mine(3);
    await hours(2);
    assert.deepEqual(await reported(), [['checking', '0.00250000']]);
    assert.equal(await desk.balance(accounts.walletUncleared(ann, 'BTC')), 250_000n);
    await isRight();
  } finally {
    configureCompliance(plain);
  }
});

test('a payment waits for its screening; with a flagged sender it is credited as uncleared', async () => {
  const plain = { botKey: 'key', isLoopbackCounted: true };
  const risks = { score: 10 };
  configureCompliance({ ...plain, screener: async (accounts) => accounts.map(() => risks) });
  try {
    const to = await place(ann);
    desk.world.pay(to, 250_000n);
    await mine();
    assert.deepEqual(await shown(ann), ['0.00000000', '0.00250000', '0.00000000'], 'nobody has looked yet');
    await screenPayments(desk.db);
    await mine();
    assert.deepEqual(await shown(ann), ['0.00250000', '0.00000000', '0.00250000']);
    risks.score = 100;
    desk.world.pay(to, 100_000n);
    await mine();
    await screenPayments(desk.db);
    await mine();
    assert.deepEqual((await handlers.wallets({}, as(ann)))[0]?.uncleared, '0.00100000');
    assert.deepEqual(await shown(ann), ['0.00250000', '0.00000000', '0.00350000']);
    assert.equal((await handlers.walletDeposits({ limit: 1 }, as(ann)))[0]?.status, 'checking');
    // Other payments to the same address are not delayed.
    risks.score = 10;
    desk.world.pay(to, 50_000n);
    await mine();
    await screenPayments(desk.db);
    await mine();
    assert.deepEqual(await shown(ann), ['0.00300000', '0.00000000', '0.00400000']);
    await isRight();
  } finally {
    configureCompliance(plain);
  }
});

test('an event written by SQL, or repeated, credits nothing', async () => {
  const address = await place(ann);
  desk.world.pay(address, 500_000n);
  await mine(3);
  assert.deepEqual(await shown(ann), ['0.00500000', '0.00000000', '0.00500000']);
  const report = async (change: string): Promise<void> => {
    const id = newId();
    await desk.db.run(
      `insert into event (id, kind, subject, body, at) select $1, kind, subject, body || $3, at from event
       where kind = 'payments.payin' and subject like 'wallet:%' and body ->> 'event' = 'final' and body ->> 'parts' = $2 limit 1`,
      [id, '500000', change],
    );
    await desk.db.run(
      `insert into event_delivery (subscriber, event_id, kind, due_at) values ('wallets', $1, 'payments.payin', clock_now())`,
      [id],
    );
    await turn();
    await desk.db.run('delete from event_delivery where event_id = $1', [id]);
  };
  await report(JSON.stringify({ payinId: newId() }));
  await report('{}');
  assert.deepEqual(await shown(ann), ['0.00500000', '0.00000000', '0.00500000']);
});
