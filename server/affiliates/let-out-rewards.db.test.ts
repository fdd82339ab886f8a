// Withdrawals of rewards that were let out: until the sender takes them, once they came back, and where they went to.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parse } from '@kurs/money';
import { alone } from '../collecting/index.ts';
import { accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { standingsOf } from '../ledger/testing.ts';
import { paymentsJudge } from '../payments/index.ts';
import { tellOfPayout } from '../payments/testing.ts';
import { newId } from '../platform/index.ts';
import { refusal } from '../platform/testing.ts';
import { fundPot, potJudge } from '../pots/index.ts';
import { findAffiliate, noteKeys, sharedKeys } from '../referrals/index.ts';
import { decideWithdrawal, shownStatus, walletJudge, withdrawalById } from '../wallets/index.ts';
import { type WalletWorld, as, walletWorld } from '../wallets/testing.ts';
import { affiliateJudge } from './judge.ts';
import { completedOrder, tellOrder } from './orders.testing.ts';
import { matureDue, settleOwed } from './work.ts';

const usdt = (sum: string): bigint => parse('USDT', sum).parts;
let world: WalletWorld;
let ann: string;
/** What the pot had before the test. */
let pot: bigint;

before(async () => {
  world = await walletWorld({ dollars: true });
  const { db } = world.desk;
  const legs = [leg(accounts.custody('USDT', 'hot', 'USDT'), accounts.deskFree('USDT'), usdt('100000'))];
  await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt('4999'), back: false })),
  );
});
after(() => world.close());
beforeEach(async () => {
  ann = await world.holder();
  pot = await inPot();
});

const inPot = (): Promise<bigint> => balance(world.desk.db, accounts.promo('affiliate', 'USDT'));
const available = (): Promise<bigint> => balance(world.desk.db, accounts.affiliateAvailable(ann, 'USDT'));
const owed = async (): Promise<bigint> => {
  const books = await balance(world.desk.db, accounts.receivable(`affiliate_${ann}`, 'USDT'));
  assert.equal((await findAffiliate(world.desk.db, ann)).owed, books, 'the row says what the books say');
  return books;
};
const of = async (id: string) => (await withdrawalById(world.desk.db, id)) ?? assert.fail();
const states = async (...ids: readonly string[]) => Promise.all(ids.map(async (id) => shownStatus(await of(id))));
const approve = (id: string) =>
  refusal(() =>
    world.desk.db.tx((tx) => decideWithdrawal(tx, 'Kurs', { id, act: 'approve', reason: 'looked at', by: ['olga'] })),
  );

/** Ann earns rewards, one for each sum in whole USDT that 3 divides, and they mature. Gives the orders that earned them. */
async function earned(...sums: readonly bigint[]): Promise<string[]> {
  const orders: string[] = [];
  for (const sum of sums)
    orders.push(await completedOrder(world.desk.db, { affiliate: ann, kept: (sum * 10n) / 3n, daysAgo: 8 }));
  await matureDue(world.desk.db);
  return orders;
}
async function reversed(...orders: readonly string[]): Promise<void> {
  for (const id of orders) await tellOrder(world.desk.db, { id, affiliate: ann }, 'reversed');
}
/** Ann asks for so much of her rewards. */
async function withdrawn(amount: string, to = world.address()): Promise<{ id: string; to: string }> {
  const asked = { currency: 'USDT', rail: 'bitcoin', amount, to, source: 'affiliate' as const };
  const { confirmation } = await world.works.walletWithdrawQuote(asked, as(ann));
  const otp = await world.code(ann, confirmation);
  const { id } = await world.works.userWithdrawStore({ currency: 'USDT', amount, to, otp }, as(ann));
  return { id, to: to.address };
}
const received = (to: string): bigint => world.desk.world.received(to);

async function booksAreRight(): Promise<void> {
  const wallets = { ...standingsOf(walletJudge), faults: walletJudge.faults };
  const judges = [standingsOf(paymentsJudge), wallets, potJudge, affiliateJudge];
  assert.deepEqual((await verify(world.desk.db, { judges })).faults, []);
}

test('an account that rewards or the wallet were withdrawn to is its affiliate’s own, as soon as it is asked for', async () => {
  const { db } = world.desk;
  await earned(300n);
  const to = world.address();
  const { id } = await withdrawn('100', to);
  const { currency, key } = await of(id);
  const keys = [`account:${currency}:${key}`];
  const shared = async (...asked: Parameters<typeof sharedKeys>[1]) => sharedKeys(db, asked);
  const bob = await world.holder();
  assert.deepEqual(await shared({ affiliate: ann, second: undefined, keys }, { affiliate: bob, second: undefined, keys }), [
    'account',
    undefined,
  ]);
  await db.tx((tx) => noteKeys(tx, [{ holderId: bob, keys }]));
  assert.deepEqual(await shared({ affiliate: ann, second: bob, keys: [] }), ['account'], 'both levels have withdrawn to it');
  const cat = await world.holder('1');
  const own = await of((await world.withdraw(cat, '0.001')).id);
  const known = [`account:${own.currency}:${own.key}`];
  assert.deepEqual(await shared({ affiliate: cat, second: undefined, keys: known }), ['account']);
  for (const [who, asked] of [
    [ann, id],
    [cat, own.id],
  ] as const)
    await world.works.walletWithdrawCancel({ id: asked }, as(who));
});

test('what people have let out comes back, too, until the sender takes it; what came back from a receiver is taken from there', async () => {
  const { db } = world.desk;
  const orders = await earned(600n);
  const { id, to } = await withdrawn('600');
  assert.equal(await approve(id), 'done');
  await reversed(...orders);
  await world.settle();
  assert.deepEqual([await states(id), received(to), await owed(), await inPot()], [['rejected'], 0n, 0n, pot]);
  const others = await earned(300n);
  const second = await withdrawn('300');
  await world.settle();
  await tellOfPayout(db, second.id, 'returned', { reason: 'sent back' });
  await world.tell();
  const back = await available();
  assert.deepEqual([await states(second.id), back > usdt('299')], [['returned'], true]);
  await reversed(...others);
  assert.deepEqual([await owed(), await available(), await inPot()], [usdt('300') - back, 0n, pot]);
  await booksAreRight();
});

test('what later rewards have repaid stops nothing any more: a withdrawal that waits is let out', async () => {
  const { db } = world.desk;
  const orders = await earned(600n);
  const { id, to } = await withdrawn('600');
  assert.equal(await approve(id), 'done');
  await db.run(`update payout set status = 'preparing' where id = $1`, [id]);
  await reversed(...orders);
  await db.run(`update payout set status = 'queued', due_at = clock_now() where id = $1`, [id]);
  await world.settle();
  assert.deepEqual([await states(id), await approve(id)], [['approving'], 'rewards_owed']);
  await earned(600n);
  assert.deepEqual([await owed(), await settleOwed(db, 'Kurs'), await approve(id)], [0n, 0, 'done']);
  await world.settle();
  assert.deepEqual([await states(id), received(to) > 0n], [['done'], true]);
  await booksAreRight();
});
