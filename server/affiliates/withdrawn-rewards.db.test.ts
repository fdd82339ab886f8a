// Rewards on their way out while their orders are taken back: unsent ones come back first, so that nothing that we still hold is
// owed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHolderMacs } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { accounts } from '../ledger/index.ts';
import { reportOfPayout } from '../payments/testing.ts';
import { outbox } from '../platform/index.ts';
import { refusal } from '../platform/testing.ts';
import { as } from '../wallets/testing.ts';
import { affiliateOrders } from './apply-orders.ts';
import { completedOrder, publishOrder, publishOrderEvents } from './orders.testing.ts';
import { giveUpRewards, toWallet } from './take-out.ts';
import { matureDue, settleOwed } from './work.ts';
import {
  approve,
  at,
  available,
  booksAreRight,
  earned,
  held,
  inPot,
  of,
  owed,
  received,
  reversed,
  states,
  usdt,
  withdrawn,
  withRewardsOut,
} from './rewards-out.testing.ts';

withRewardsOut();

test('a withdrawal that waits for people is turned down, and nothing is owed of what we still hold', async () => {
  const orders = await earned(600n);
  const { id, to } = await withdrawn('600');
  assert.deepEqual([await states(id), await held(), await available()], [['approving'], usdt('600'), 0n]);
  await reversed(...orders);
  assert.deepEqual([await states(id), (await of(id)).reason], [['rejected'], 'rewards_taken_back']);
  assert.deepEqual([await owed(), await held(), await available(), await inPot()], [0n, 0n, 0n, at.pot]);
  assert.equal(await approve(id), 'order_changed');
  await at.world.settle();
  assert.equal(received(to), 0n);
  assert.match((await at.world.letters(at.ann)).join('\n'), /Your withdrawal of 600\.00 USDT was cancelled/);
  await booksAreRight();
});

test('a queued withdrawal comes back before anything is sent, and so do several at once', async () => {
  const orders = await earned(201n, 201n);
  const [first, second] = [await withdrawn('150'), await withdrawn('252')];
  assert.deepEqual(await states(first.id, second.id), ['queued', 'queued']);
  await reversed(...orders);
  assert.deepEqual(await states(first.id, second.id), ['rejected', 'rejected']);
  assert.deepEqual([await owed(), await held(), await available(), await inPot()], [0n, 0n, 0n, at.pot]);
  await at.world.settle();
  assert.deepEqual([received(first.to), received(second.to)], [0n, 0n]);
  await booksAreRight();
});

test('a part that is taken back turns every unsent withdrawal down, and the rest can be asked for again', async () => {
  const [taken = ''] = await earned(12n, 300n);
  const [first, second] = [await withdrawn('100'), await withdrawn('212')];
  await reversed(taken);
  assert.deepEqual(await states(first.id, second.id), ['rejected', 'rejected']);
  assert.deepEqual([await owed(), await available()], [0n, usdt('300')]);
  const again = await withdrawn('300');
  await at.world.settle();
  assert.deepEqual([await states(again.id), await available()], [['done'], 0n]);
  await booksAreRight();
});

test('rewards that had not matured are taken back from where they stand, and a withdrawal of others goes on', async () => {
  await earned(99n);
  const young = await completedOrder(at.world.desk.db, { affiliate: at.ann, retained: 40n });
  const { id } = await withdrawn('99');
  await reversed(young);
  assert.deepEqual([await states(id), await owed()], [['queued'], 0n]);
  await at.world.settle();
  assert.deepEqual(await states(id), ['done']);
  await booksAreRight();
});

test('a withdrawal from the wallet goes on, whatever is owed of rewards', async () => {
  const orders = await earned(60n);
  await toWallet(at.world.desk.db, at.ann, undefined);
  await reversed(...orders);
  assert.equal(await owed(), usdt('60'));
  const request = { currency: 'USDT', rail: 'bitcoin', amount: '60', to: at.world.address() };
  await at.world.report();
  const { confirmation } = await at.world.handlers.walletWithdrawQuote(request, as(at.ann));
  const { id } = await at.world.handlers.walletWithdrawRequest(
    { ...request, otp: await at.world.code(at.ann, confirmation) },
    as(at.ann),
  );
  await reversed(await completedOrder(at.world.desk.db, { affiliate: at.ann, daysAgo: 8 }));
  await at.world.settle();
  assert.deepEqual(await states(id), ['done']);
  await booksAreRight();
});

test('what the sender has claimed stays, and is owed; rewards that come back from it repay that', async () => {
  const { db } = at.world.desk;
  const orders = await earned(300n);
  const { id } = await withdrawn('300');
  await reportOfPayout(db, id, 'send');
  await reportOfPayout(db, id, 'unknown');
  await at.world.report();
  await reversed(...orders);
  assert.deepEqual([await states(id), await owed(), await inPot()], [['in_doubt'], usdt('300'), at.pot]);
  await booksAreRight();
  assert.equal(await settleOwed(db, 'Kurs'), 0, 'nothing is there to repay it');
  await reportOfPayout(db, id, 'absent', { reason: 'never sent' });
  await booksAreRight();
  await at.world.report();
  assert.deepEqual([await states(id), await available(), await owed()], [['failed'], usdt('300'), usdt('300')]);
  assert.equal(await refusal(() => withdrawn('300')), 'rewards_owed');
  assert.equal(await refusal(() => toWallet(db, at.ann, undefined)), 'rewards_owed');
  await booksAreRight();
  assert.equal(await settleOwed(db, 'Kurs'), 1);
  assert.deepEqual([await available(), await owed(), await settleOwed(db, 'Kurs')], [0n, 0n, 0]);
  assert.match((await at.world.letters(at.ann)).join('\n'), /could not be made/);
  await booksAreRight();
});

test('rewards that come back and are more than what is owed go into the wallet but for that', async () => {
  const { db } = at.world.desk;
  const [first = ''] = await earned(99n, 201n);
  const { id } = await withdrawn('300');
  await reportOfPayout(db, id, 'send');
  await reversed(first);
  await reportOfPayout(db, id, 'refused', { reason: 'closed' });
  await at.world.report();
  assert.deepEqual([await available(), await owed()], [usdt('300'), usdt('99')]);
  assert.equal(await refusal(() => toWallet(db, at.ann, usdt('202'))), 'rewards_owed');
  assert.deepEqual(await toWallet(db, at.ann, undefined), { parts: usdt('201'), left: 0n });
  assert.deepEqual([await available(), await owed()], [0n, 0n]);
  await booksAreRight();
});

test('what is claimed as rewards are taken back is not let out, not approved, and then repays what is owed', async () => {
  const { db } = at.world.desk;
  const orders = await earned(201n);
  const { id, to } = await withdrawn('201');
  await db.run(`update payout set status = 'preparing' where id = $1`, [id]);
  await reversed(...orders);
  assert.equal(await owed(), usdt('201'));
  await db.run(`update payout set status = 'queued', due_at = clock_now() where id = $1`, [id]);
  await at.world.settle();
  assert.deepEqual([await states(id), (await of(id)).reason, received(to)], [['approving'], 'rewards_owed', 0n]);
  assert.equal(await approve(id), 'rewards_owed');
  assert.deepEqual([await held(), await owed()], [usdt('201'), usdt('201')]);
  await booksAreRight();
  assert.equal(await settleOwed(db, 'Kurs'), 1);
  assert.deepEqual([await states(id), await held(), await owed(), await available()], [['rejected'], 0n, 0n, 0n]);
  await booksAreRight();
});

for (const [first, outcome] of [
  ['approval', 'done'],
  ['take-back', 'order_changed'],
] as const) {
  test(`an approval and a take-back at the same moment, the ${first} first: the money comes back`, async () => {
    const { db } = at.world.desk;
    const orders = await earned(600n);
    const { id, to } = await withdrawn('600');
    const [isLocked, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locked = db.tx(async (tx) => {
      await tx.run('select from wallet_withdrawal where id = $1 for update', [id]);
      isLocked.resolve();
      await mayGo.promise;
    });
    await isLocked.promise;
    const tasks = { approval: () => approve(id), 'take-back': () => reversed(...orders) };
    const begun = [tasks[first](), (await waiting(1), tasks[first === 'approval' ? 'take-back' : 'approval']())];
    await waiting(2);
    mayGo.resolve();
    await locked;
    const outcomes = await Promise.all(begun);
    assert.ok(outcomes.includes(outcome), JSON.stringify(outcomes));
    assert.deepEqual(
      [await states(id), await owed(), await held(), await available(), await inPot()],
      [['rejected'], 0n, 0n, 0n, at.pot],
    );
    await at.world.settle();
    assert.equal(received(to), 0n);
    await booksAreRight();
  });
}

/** Waits until so many transactions wait for a lock, at most a second. */
async function waiting(count: number): Promise<void> {
  const query = `select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  for (let poll = 0; poll < 50 && (await at.world.desk.db.rows(query)).length < count; poll += 1) await sleep(20);
}

test('the second level’s withdrawal is turned down as the first level’s is', async () => {
  const { db } = at.world.desk;
  const bob = await at.world.holder();
  const order = await completedOrder(db, { affiliate: bob, second: at.ann, retained: 10_000n, daysAgo: 8 });
  await matureDue(db);
  assert.equal(await available(), usdt('500'));
  const { id } = await withdrawn('500');
  await publishOrderEvents(db, { id: order, affiliate: bob, second: at.ann }, 'reversed');
  assert.deepEqual([await states(id), await owed(), await available(), await inPot()], [['rejected'], 0n, 0n, at.pot]);
  await booksAreRight();
});

test('what comes in one group of events is taken back and earned anew as one by one', async () => {
  const { db } = at.world.desk;
  const [order = ''] = await earned(600n);
  const { id } = await withdrawn('600');
  await publishOrderEvents(db, { id: order, affiliate: at.ann }, 'reversed', 'restored', 'reversed');
  assert.deepEqual([await states(id), await owed(), await available(), await inPot()], [['rejected'], 0n, 0n, at.pot]);
  await booksAreRight();
});

test('as the account is closed, what is owed is repaid first, and only the rest is given up', async () => {
  const { db } = at.world.desk;
  const [first = '', second = ''] = await earned(99n, 201n);
  const { id } = await withdrawn('300');
  await reportOfPayout(db, id, 'send');
  await reversed(first);
  await reportOfPayout(db, id, 'refused', { reason: 'closed' });
  await at.world.report();
  assert.deepEqual([await available(), await owed()], [usdt('300'), usdt('99')]);
  await alone(db, (unit) => giveUpRewards(unit, { id: at.ann, email: undefined }));
  await db.run('update account_holder set closed_at = clock_now() where id = $1', [at.ann]);
  await writeHolderMacs(db);
  assert.deepEqual([await available(), await owed(), await inPot()], [0n, 0n, at.pot]);
  await booksAreRight();
  await reversed(second);
  assert.deepEqual([await available(), await owed(), await inPot()], [0n, 0n, at.pot]);
  await booksAreRight();
});

test('what a withdrawal took out before the account was closed stays owed, and is repaid where it comes back', async () => {
  const { db } = at.world.desk;
  const [old = '', young = ''] = await earned(99n, 201n);
  const { id } = await withdrawn('150');
  await at.world.settle();
  await alone(db, (unit) => giveUpRewards(unit, { id: at.ann, email: undefined }));
  await db.run('update account_holder set closed_at = clock_now() where id = $1', [at.ann]);
  await writeHolderMacs(db);
  assert.equal(await inPot(), at.pot - usdt('150'));
  await reversed(old, young);
  assert.deepEqual([await owed(), await inPot()], [usdt('150'), at.pot]);
  await booksAreRight();
  await reportOfPayout(db, id, 'returned', { reason: 'sent back' });
  await at.world.report();
  assert.equal(await settleOwed(db, 'Kurs'), 1);
  assert.equal(await available(), 0n);
  // The cost of sending does not come back.
  assert.equal(await owed(), 10_000n);
  await booksAreRight();
});

test('while withdrawals are frozen no reward goes into the wallet, asked for or not; once that is over all of it does', async () => {
  const { db } = at.world.desk;
  await earned(60n);
  const freeze = async (days: number): Promise<void> => {
    await db.run(
      `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`,
      [at.ann, days],
    );
    await writeHolderMacs(db);
  };
  await freeze(3);
  for (const sum of [undefined, usdt('10'), usdt('60')])
    assert.equal(await refusal(() => toWallet(db, at.ann, sum)), 'withdrawals_frozen');
  assert.equal(await refusal(() => withdrawn('60')), 'withdrawals_frozen');
  assert.deepEqual([await available(), await at.world.desk.balance(accounts.wallet(at.ann, 'USDT'))], [usdt('60'), 0n]);
  assert.deepEqual(await db.rows('select from affiliate_out where holder_id = $1', [at.ann]), []);
  await freeze(-1);
  assert.deepEqual(await toWallet(db, at.ann, undefined), { parts: usdt('60'), left: 0n });
  await booksAreRight();
});

test('while the room is not told yet of an order that was taken back, nothing of its affiliates’ rewards leaves', async () => {
  const { db } = at.world.desk;
  const reported = affiliateOrders('Kurs');
  await outbox.subscribe(db, [reported]);
  const [id = ''] = await earned(702n);
  const [waits, queued] = [await withdrawn('600'), await withdrawn('90')];
  assert.deepEqual(await states(waits.id, queued.id), ['approving', 'queued']);
  await publishOrder(db, { id, affiliate: at.ann }, 'reversed');
  assert.equal(await approve(waits.id), 'reversal_pending');
  assert.equal(await refusal(() => withdrawn('12')), 'reversal_pending');
  assert.equal(await refusal(() => toWallet(db, at.ann, undefined)), 'reversal_pending');
  await at.world.settle();
  assert.deepEqual([await states(waits.id, queued.id), received(queued.to)], [['approving', 'queued'], 0n]);
  await outbox.drain(db, reported);
  assert.deepEqual(await states(waits.id, queued.id), ['rejected', 'rejected']);
  assert.deepEqual([await owed(), await held(), await available(), await inPot()], [0n, 0n, 0n, at.pot]);
  await at.world.settle();
  assert.deepEqual([received(waits.to), received(queued.to)], [0n, 0n]);
  await booksAreRight();
});

test('the second level’s rewards wait in the same way, and an order that expired stops nobody', async () => {
  const { db } = at.world.desk;
  const reported = affiliateOrders('Kurs');
  await outbox.subscribe(db, [reported]);
  const bob = await at.world.holder();
  const order = await completedOrder(db, { affiliate: bob, second: at.ann, retained: 10_000n, daysAgo: 8 });
  await matureDue(db);
  const other = await publishOrderEvents(db, { affiliate: at.ann }, 'placed');
  await publishOrder(db, { id: other, affiliate: at.ann }, 'ended');
  const { id } = await withdrawn('500');
  await publishOrder(db, { id: order, affiliate: bob, second: at.ann }, 'reversed');
  assert.equal(await refusal(() => toWallet(db, at.ann, undefined)), 'reversal_pending');
  await outbox.drain(db, reported);
  assert.deepEqual([await states(id), await owed(), await available()], [['rejected'], 0n, 0n]);
  await booksAreRight();
});
