// Rewards of a closed account: the remaining ones go back to the pot, once, and those that had left before stay owed.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs, newHolder } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { type Db, advanceClock, newId, openTokens } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { findAffiliate } from '../referrals/index.ts';
import { decideCase } from './cases.ts';
import { affiliateCheck } from './check-books.ts';
import { mailMonths } from './letters.ts';
import { completedOrder, publishOrderEvents } from './orders.testing.ts';
import { giveUpRewards, toWallet } from './take-out.ts';
import { fillWaiting, matureDue } from './work.ts';

const usdt = (sum: string): bigint => parse('USDT', sum).parts;
let db: Db;
let drop: () => Promise<void>;
let ann: string;
let bob: string;
/** Balance of the pot before the test. */
let pot: bigint;

before(async () => {
  ({ db, drop } = await testDb());
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), usdt('10000'))];
  await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
  await fund('1000');
});
after(() => drop());
beforeEach(async () => {
  [ann, bob] = [await holder(), await holder()];
  pot = await inPot();
});

const fund = (sum: string, isBack = false): Promise<void> =>
  alone(db, async (unit) => unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt(sum), isBack })));
const holder = (): Promise<string> => newHolder(db);
const inPot = (): Promise<bigint> => balance(db, accounts.promo('affiliate', 'USDT'));
const available = (id = ann): Promise<bigint> => balance(db, accounts.affiliateAvailable(id, 'USDT'));
const pending = (): Promise<bigint> => balance(db, accounts.affiliatePending(ann, 'USDT'));
const owed = async (id = ann): Promise<bigint> => {
  const books = await balance(db, accounts.receivable(`affiliate_${id}`, 'USDT'));
  assert.equal((await findAffiliate(db, id)).owed, books, 'the row says what the books say');
  return books;
};
const states = async (...orders: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ one: string }>(
      `select concat_ws(' ', state, given_up) as one from reward where order_id = any ($1) and holder_id = $2 order by array_position($1, order_id), made_at`,
      [orders, ann],
    )
  ).map(({ one }) => one);

/** Order of a matured reward of 12 USDT; of `second` if ann is the second level, whose reward is then 2 USDT. */
async function matured(daysAgo = 8, more: { affiliate?: string; second?: string } = {}): Promise<string> {
  const order = await completedOrder(db, { affiliate: ann, retained: 40n, daysAgo, ...more });
  await matureDue(db);
  return order;
}
/** Closes the account, two weeks after the request. */
async function closed(id = ann): Promise<void> {
  await alone(db, (unit) => giveUpRewards(unit, { id, email: `${id}@example.org` }));
  await db.run('update account_holder set closed_at = clock_now() where id = $1', [id]);
  await writeHolderMacs(db);
}
const report = (id: string, ...events: ('reversed' | 'restored')[]): Promise<string> =>
  publishOrderEvents(db, { id, affiliate: ann }, ...events);

async function faults(): Promise<string[]> {
  const found = await verify(db, { checks: [potCheck, affiliateCheck] });
  return found.faults.map(({ words }) => words);
}
const booksAreRight = async (): Promise<void> => assert.deepEqual(await faults(), []);

test('what stands there goes back to the pot once: a later claw-back posts nothing', async () => {
  const order = await matured();
  await closed();
  assert.deepEqual([await available(), await inPot()], [0n, pot]);
  await booksAreRight();
  await report(order, 'reversed');
  assert.deepEqual([await owed(), await available(), await inPot()], [0n, 0n, pot]);
  await booksAreRight();
  await report(order, 'restored');
  await report(order, 'reversed');
  assert.deepEqual([await states(order), await owed(), await inPot()], [['given_up 12000000'], 0n, pot]);
  await booksAreRight();
});

test('what had left is matched with the oldest rewards: it stays owed, and of one that left in part that part', async () => {
  const orders = [await matured(11), await matured(10), await matured(9), await matured(8)];
  await toWallet(db, ann, usdt('15'));
  await closed();
  assert.deepEqual(await states(...orders), ['available 0', 'available 9000000', 'given_up 12000000', 'given_up 12000000']);
  assert.deepEqual([await available(), await inPot()], [0n, pot - usdt('15')]);
  await booksAreRight();
  const owedAfter: bigint[] = [];
  for (const order of orders.toReversed()) {
    await report(order, 'reversed');
    owedAfter.push(await owed());
    await booksAreRight();
  }
  assert.deepEqual(owedAfter, [0n, 0n, usdt('3'), usdt('15')]);
  assert.equal(await inPot(), pot, 'what left is due from whom it went to, and nothing of it twice');
  for (const order of orders) await report(order, 'restored');
  assert.deepEqual([await owed(), await inPot(), await pending()], [usdt('15'), pot, 0n], 'a closed account earns nothing anew');
  await booksAreRight();
});

test('what was all taken out before is owed in full', async () => {
  const order = await matured();
  await toWallet(db, ann, undefined);
  await closed();
  await report(order, 'reversed');
  assert.deepEqual([await owed(), await inPot(), await states(order)], [usdt('12'), pot, ['reversed 0']]);
  await booksAreRight();
});

test('waiting, pending and cases come to nothing as it is closed, of both levels, and their orders post nothing later', async () => {
  const old = await matured();
  const young = await completedOrder(db, { affiliate: ann, retained: 40n });
  const second = await matured(8, { affiliate: bob, second: ann });
  const shared = await completedOrder(db, { affiliate: ann, retained: 40n, holder: ann });
  const left = await inPot();
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: left, isBack: true })),
  );
  const waits = await completedOrder(db, { affiliate: ann, retained: 40n });
  assert.deepEqual(await states(young, shared, waits), ['pending 0', 'case 0', 'waiting 0']);
  await closed();
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: left, isBack: false })),
  );
  await fillWaiting(db);
  assert.deepEqual(await states(old, young, second, shared, waits), [
    ...['given_up 12000000', 'given_up 0', 'given_up 2000000', 'given_up 0', 'given_up 0'],
  ]);
  assert.deepEqual([await pending(), await available()], [0n, 0n]);
  const there = await inPot();
  await booksAreRight();
  const [{ id = '' } = {}] = await db.rows<{ id: string }>('select id from reward where order_id = $1', [shared]);
  await assert.rejects(
    alone(db, (unit) => decideCase(unit, id, 'pay')),
    ({ code }: Problem) => code === 'action_not_open',
  );
  for (const order of [old, young, shared, waits]) await report(order, 'reversed', 'restored', 'reversed');
  assert.equal(await inPot(), there);
  await report(second, 'reversed');
  assert.equal(await inPot(), there + usdt('12'), 'of the first level, whose account is open, it is taken back');
  assert.deepEqual([await owed(), await owed(bob), await pending()], [0n, 0n, 0n]);
  await booksAreRight();
});

test('what was taken back before it is closed is not earned anew after, by either level; an open account’s is', async () => {
  const order = await matured(8, { affiliate: bob, second: ann });
  await report(order, 'reversed');
  await closed();
  await report(order, 'restored');
  assert.deepEqual([await states(order), await pending()], [['reversed 0'], 0n]);
  assert.equal(await balance(db, accounts.affiliatePending(bob, 'USDT')), usdt('12'));
  await booksAreRight();
});

test('an order that completes after the account is closed earns it nothing, and nothing is counted for it', async () => {
  const order = await publishOrderEvents(db, { affiliate: ann, retained: 40n, campaign: 'blog' }, 'placed', 'exchanged');
  const under = await publishOrderEvents(db, { affiliate: bob, second: ann, retained: 40n }, 'placed', 'exchanged');
  await closed();
  await publishOrderEvents(db, { id: order, affiliate: ann, retained: 40n }, 'completed');
  await publishOrderEvents(db, { id: under, affiliate: bob, second: ann, retained: 40n }, 'completed');
  assert.deepEqual(await states(order, under), []);
  assert.deepEqual(await db.rows('select from affiliate_day where holder_id = $1', [ann]), []);
  assert.equal(await balance(db, accounts.affiliatePending(bob, 'USDT')), usdt('12'), 'the open level earns');
  await report(order, 'reversed', 'restored');
  assert.deepEqual([await pending(), await owed()], [0n, 0n]);
  assert.deepEqual(await db.rows('select from affiliate_day where holder_id = $1', [ann]), []);
  await booksAreRight();
});

test('the proof accuses what is changed of what a closed account gave up', async () => {
  const [old, young] = [await matured(9), await matured(8)];
  await toWallet(db, ann, usdt('15'));
  await closed();
  await booksAreRight();
  const change = async (sql: string, back: string): Promise<string[]> => {
    await db.run(sql, [ann]);
    const found = await faults();
    await db.run(back, [ann]);
    await booksAreRight();
    return found;
  };
  for (const [sql, back] of [
    [
      `update reward set given_up = 0, state = 'available' where holder_id = $1 and given_up = 9000000`,
      `update reward set given_up = 9000000 where holder_id = $1 and order_id = '${young}'`,
    ],
    [
      `update reward set given_up = 12000000, state = 'given_up' where holder_id = $1 and order_id = '${old}'`,
      `update reward set given_up = 0, state = 'available' where holder_id = $1 and order_id = '${old}'`,
    ],
    [
      `update affiliate_out set parts = parts - 1 where holder_id = $1 and how = 'given_up'`,
      `update affiliate_out set parts = parts + 1 where holder_id = $1 and how = 'given_up'`,
    ],
    [
      `update affiliate_out set how = 'wallet' where holder_id = $1 and how = 'given_up'`,
      `update affiliate_out set how = 'given_up' where holder_id = $1 and parts = 9000000`,
    ],
  ] as const)
    assert.notDeepEqual(await change(sql, back), [], sql);
});

test('no monthly letter is written to a closed account, whatever its month had brought', async () => {
  const [left, stays] = [ann, bob];
  for (const affiliate of [left, stays]) await matured(8, { affiliate });
  await toWallet(db, left, undefined);
  await closed(left);
  const now = await db.now();
  await advanceClock(db, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 1) - now.getTime());
  await mailMonths(db, { name: 'Kurs', url: 'https://kurs.example', tokens: openTokens(new Map([[1, Buffer.alloc(32, 1)]])) });
  const reported = await db.rows<{ to: string }>(`select recipient as to from mail where key like 'rewards of%'`);
  const isReported = (id: string): boolean => reported.some(({ to }) => to === `${id}@example.org`);
  assert.deepEqual([isReported(left), isReported(stays)], [false, true]);
});
