// A withdrawal is checked again when it is carried out: a debt, a freeze, the allow-list, its worth. One that may not leave waits
// for people with its money held, and has never left.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHolderMacs } from '../../auth/testing.ts';
import { holderById } from '../../auth/index.ts';
import { addBlock, configureCompliance, keysOfNamed, liftBlock, openBlocks, screenPayments } from '../../compliance/index.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { decidePayin, switchPayouts } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { currentView } from '../../pricing/index.ts';
import { dueDeposits } from '../apply/due-deposits.ts';
import { decideDeposit } from '../deposits/decide-deposit.ts';
import { shownStatus } from '../withdrawals/shown-status.ts';
import { decideWithdrawal } from '../withdrawals/withdraw.ts';
import { type Withdrawal } from '../withdrawals/withdrawal.ts';
import { withdrawalById } from '../withdrawals/withdrawal-store.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';

let world: WalletWorld;
let ann: string;
before(async () => {
  world = await walletWorld();
});
after(() => world.close());
beforeEach(async () => {
  ann = await world.holder();
});

const of = async (id: string): Promise<Withdrawal> => (await withdrawalById(world.desk.db, id)) as Withdrawal;
const decide = (id: string, action: 'approve' | 'reject', ...by: string[]) =>
  refusal(() => world.desk.db.tx((tx) => decideWithdrawal(tx, 'Kurs', { id, action, reason: 'looked at', by })));
const held = () => world.desk.balance(accounts.walletHeld(ann, 'BTC'));
const owed = () => world.desk.balance(accounts.receivable(ann, 'BTC'));
async function freeze(days: number): Promise<void> {
  await world.desk.db.run(
    `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`,
    [ann, days],
  );
  await writeHolderMacs(world.desk.db);
}

/** Pays a final deposit into the wallet. */
async function deposited(parts: bigint): Promise<void> {
  const { deposit } = await world.handlers.walletStore({ currency: 'BTC' }, as(ann));
  world.desk.world.pay(deposit?.address ?? '', parts);
  await reports(6);
  assert.equal(await world.available(ann), parts);
}
/** Mines blocks, lets minutes pass and delivers events, so that queued payouts are sent. */
async function reports(blocks = 1): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    world.desk.world.mine();
    await world.desk.pass(61_000);
    await world.desk.turn();
    await world.report();
  }
}
/** Removes all deposits from the chain. */
async function takenBack(): Promise<void> {
  world.desk.world.reorg(12, true);
  await reports(3);
}
/** Lets polls find that all deposits are gone, without delivering the events. Afterwards rails may send. */
async function foundTakenBack(): Promise<void> {
  await whilePayoutsAreOff(async () => {
    world.desk.world.reorg(12, true);
    for (let poll = 0; poll < 3; poll += 1) await turns();
  });
  await turns();
}
/** Mines a block and runs a turn after a minute, without delivering events. */
async function turns(): Promise<void> {
  world.desk.world.mine();
  await world.desk.pass(61_000);
  await world.desk.turn();
}
/** Begins a transaction that does its work at once and commits when `end` is called. */
async function begun(work: (tx: Tx) => Promise<unknown>): Promise<{ end(): Promise<void> }> {
  const [isDone, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = world.desk.db.tx(async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
  });
  await Promise.race([isDone.promise, ended]);
  return {
    end: () => {
      mayEnd.resolve();
      return ended;
    },
  };
}
/** Waits until a number of transactions wait for a lock, for a second at most. */
async function waiting(count: number): Promise<void> {
  const query = `select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  for (let poll = 0; poll < 50 && (await world.desk.db.rows(query)).length < count; poll += 1) await sleep(20);
}
/** Switches payouts off while the work runs. */
async function whilePayoutsAreOff(work: () => Promise<void>): Promise<void> {
  const payouts = (isOn: boolean) => world.desk.db.tx((tx) => switchPayouts(tx, { isOn }, 'olga'));
  await payouts(false);
  try {
    await work();
  } finally {
    await payouts(true);
    while (!currentView().railsSending.has('bitcoin')) await sleep(20);
  }
}

test('a reversed deposit turns down the withdrawal that waits for people, and is taken from the wallet', async () => {
  await deposited(2_000_000n);
  const to = world.address();
  const { id, status } = await world.withdraw(ann, '0.018', to);
  assert.equal(status, 'approving');
  await takenBack();
  const { status: after_, reason } = await of(id);
  assert.deepEqual([after_, reason], ['rejected', 'debt_open']);
  assert.deepEqual([await world.available(ann), await held(), await owed()], [0n, 0n, 0n]);
  assert.equal(await decide(id, 'approve', 'olga'), 'order_changed');
  await world.settle();
  assert.equal(world.desk.world.received(to.address), 0n);
  assert.match((await world.letters(ann)).join('\n'), /cancelled/);
  await world.isRight();
});

test('people can’t approve a withdrawal of an account whose row was changed by SQL meanwhile', async () => {
  await deposited(2_000_000n);
  const { id } = await world.withdraw(ann, '0.018', world.address());
  await world.desk.db.run(`update account_holder set referred_campaign = 'x'`);
  assert.equal(await decide(id, 'approve', 'olga'), 'record_altered');
  await world.desk.db.run('update account_holder set referred_campaign = null');
  await decide(id, 'reject', 'olga');
  await takenBack();
  await world.isRight();
});

test('a reversed deposit first stops a withdrawal that is queued while nothing is sent', async () => {
  await deposited(400_000n);
  const to = world.address();
  const { id, status } = await world.withdraw(ann, '0.003', to);
  assert.equal(status, 'queued');
  await whilePayoutsAreOff(async () => {
    await takenBack();
    assert.deepEqual([(await of(id)).status, (await of(id)).reason], ['rejected', 'debt_open']);
  });
  await world.settle();
  assert.deepEqual([world.desk.world.received(to.address), await world.available(ann), await owed()], [0n, 0n, 0n]);
  await world.isRight();
});

test('a reversal found by a poll holds back only the withdrawals of its wallet until the event is handled', async () => {
  await deposited(400_000n);
  const [bob, to, other] = [await world.holder('0.1'), world.address(), world.address()];
  const { id } = await world.withdraw(ann, '0.003', to);
  const bobs = await world.withdraw(bob, '0.003', other);
  await foundTakenBack();
  assert.deepEqual([world.desk.world.received(to.address), world.desk.world.received(other.address)], [0n, 298_500n]);
  await reports(2);
  assert.deepEqual([(await of(id)).status, (await of(id)).reason, (await of(bobs.id)).status], ['rejected', 'debt_open', 'done']);
  assert.deepEqual([world.desk.world.received(to.address), await world.available(ann), await owed()], [0n, 0n, 0n]);
  await world.isRight();
});

test('a reversal found by a poll stops requests, transfers and approvals of the account until the event is handled', async () => {
  await deposited(2_000_000n);
  const [bob, to] = [await world.holder(), world.address()];
  const waits = await world.withdraw(ann, '0.012', to);
  assert.equal(waits.status, 'approving');
  await foundTakenBack();
  assert.equal(await refusal(() => world.withdraw(ann, '0.002', to)), 'reversal_pending');
  assert.equal(await refusal(() => world.transfer(ann, '0.002', emailOf(bob))), 'reversal_pending');
  assert.equal(await decide(waits.id, 'approve', 'olga'), 'reversal_pending');
  assert.equal(await refusal(() => world.withdraw(bob, '0.002', to)), 'not_enough_money', 'of others nothing is stopped');
  assert.deepEqual([await world.available(ann), await held(), await owed()], [800_000n, 1_200_000n, 0n], 'nothing is booked yet');
  await reports(2);
  assert.deepEqual([await world.available(ann), await held(), await owed()], [0n, 0n, 0n], 'all of it was there to be taken');
  assert.deepEqual([(await of(waits.id)).status, (await of(waits.id)).reason], ['rejected', 'debt_open']);
  assert.equal(await refusal(() => world.withdraw(ann, '0.002', to)), 'not_enough_money');
  assert.deepEqual([await world.available(bob), world.desk.world.received(to.address)], [0n, 0n]);
  await world.isRight();
});

test('money transferred before a reversal stays with its receiver: the sender owes it and can move nothing until it is settled', async () => {
  await deposited(400_000n);
  const [bob, to] = [await world.holder(), world.address()];
  await world.transfer(ann, '0.003', emailOf(bob));
  await takenBack();
  assert.deepEqual([await world.available(ann), await owed(), await world.available(bob)], [0n, 300_000n, 300_000n]);
  const carl = await world.holder('0.005');
  await world.transfer(carl, '0.002', emailOf(ann));
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'debt_open');
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(bob))), 'debt_open');
  await world.transfer(carl, '0.003', emailOf(ann));
  await dueDeposits(world.desk.db, 'Kurs');
  assert.deepEqual([await world.available(ann), await owed()], [200_000n, 0n]);
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'done');
  assert.equal(await refusal(() => world.withdraw(bob, '0.001', to)), 'done', 'the receiver was never stopped');
  await world.settle();
  await world.isRight();
});

test('a withdrawal requested just before the reversal is handled is turned down, too, so that no held money becomes a debt', async () => {
  await deposited(400_000n);
  const to = world.address();
  const first = await world.withdraw(ann, '0.002', to);
  const [payin] = await world.desk.db.rows<{ id: string }>('select id from payin where customer = $1', [`holder:${ann}`]);
  const word = takeBack(payin?.id ?? '');
  const taking = await begun((tx) => decidePayin(tx, word));
  const row = await begun((tx) => tx.run('select from wallet_withdrawal where id = $1 for update', [first.id]));
  const counting = await begun((tx) => tx.run(`select pg_advisory_xact_lock(hashtext('moneyout.desk'))`));
  // The second has passed the checks and waits for its count; the reversal comes and waits for the first one's row.
  const second = world.withdraw(ann, '0.002', to);
  await waiting(1);
  await taking.end();
  const reported = world.report();
  await waiting(2);
  await counting.end();
  const { id } = await second;
  await row.end();
  await reported;
  assert.deepEqual([(await of(first.id)).status, (await of(id)).status], ['rejected', 'rejected']);
  assert.deepEqual([await world.available(ann), await held(), await owed()], [0n, 0n, 0n]);
  await world.settle();
  assert.equal(world.desk.world.received(to.address), 0n);
  await world.isRight();
});

test('approval is refused by its reason while the holder is frozen or in debt, and the withdrawal goes on waiting', async () => {
  ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.01');
  await freeze(3);
  assert.equal(await decide(id, 'approve', 'olga'), 'withdrawals_frozen');
  await freeze(-1);
  await world.handlers.walletAllowList({ on: true }, as(ann));
  assert.equal(await decide(id, 'approve', 'olga'), 'not_on_allow_list');
  await world.desk.db.run('delete from moneyout_guard where holder_id = $1', [ann]);
  assert.equal(await decide(id, 'approve', 'olga'), 'done');
  await world.settle();
  assert.equal((await of(id)).status, 'done');
  await world.isRight();
});

test('an approved withdrawal is checked again as it leaves: if frozen, it waits for people with its money held', async () => {
  ann = await world.holder('0.1');
  const to = world.address();
  const { id } = await world.withdraw(ann, '0.002', to);
  await freeze(3);
  await world.settle();
  const { status, reason, people } = await of(id);
  assert.deepEqual([status, reason, people], ['approving', 'withdrawals_frozen', 1]);
  assert.deepEqual([await held(), await world.available(ann)], [200_000n, 9_800_000n]);
  assert.equal(world.desk.world.received(to.address), 0n);
  assert.equal(await decide(id, 'approve', 'olga'), 'withdrawals_frozen');
  await freeze(-1);
  assert.equal(await decide(id, 'approve', 'olga'), 'done');
  await world.settle();
  assert.deepEqual([(await of(id)).status, world.desk.world.received(to.address)], ['done', 198_500n]);
  await world.isRight();
});

test('a blocked holder can request nothing, and what was approved before waits for people', async () => {
  ann = await world.holder('0.1');
  const to = world.address();
  const { id } = await world.withdraw(ann, '0.002', to);
  const { email } = (await holderById(world.desk.db, ann)) as { email: string };
  await world.desk.db.tx(async (tx) => {
    const keys = await keysOfNamed(tx, email);
    await addBlock(tx, { who: email, by: 'clara', reason: 'the police asks', evidence: 'their letter', keys });
  });
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'blocked');
  const bob = await world.holder('0.01');
  assert.equal(await refusal(() => world.transfer(bob, '0.001', email)), 'account_refused', 'nobody else pays them either');
  assert.equal(await world.available(bob), 1_000_000n);
  await world.settle();
  assert.deepEqual([(await of(id)).status, (await of(id)).reason], ['approving', 'blocked']);
  assert.equal(await decide(id, 'approve', 'olga'), 'blocked');
  assert.equal(world.desk.world.received(to.address), 0n);
  const [block] = await openBlocks(world.desk.db, email);
  await world.desk.db.tx((tx) => liftBlock(tx, block?.id ?? '', 'clara, karl'));
  assert.equal(await decide(id, 'approve', 'olga'), 'done');
  await world.settle();
  assert.equal((await of(id)).status, 'done');
  await world.isRight();
});

test('a withdrawal cancelled while it is queued is never sent', async () => {
  ann = await world.holder('0.1');
  const to = world.address();
  const { id } = await world.withdraw(ann, '0.002', to);
  await world.handlers.walletWithdrawCancel({ id }, as(ann));
  await world.settle();
  assert.deepEqual([world.desk.world.received(to.address), await world.available(ann)], [0n, 10_000_000n]);
  await world.isRight();
});

test('an owner cancels all waiting withdrawals by one action, frozen or not; sent ones stay', async () => {
  ann = await world.holder('0.1');
  const [to, gone] = [world.address(), world.address()];
  const sent = await world.withdraw(ann, '0.001', gone);
  await reports(1);
  const waits = [await world.withdraw(ann, '0.01', to), await world.withdraw(ann, '0.002', to)];
  const bob = await world.holder('0.1');
  const other = await world.withdraw(bob, '0.01');
  await freeze(3);
  assert.deepEqual(await world.handlers.walletWithdrawCancelWaiting({}, as(ann)), { cancelled: 2 });
  assert.deepEqual(await world.handlers.walletWithdrawCancelWaiting({}, as(ann)), { cancelled: 0 });
  await world.settle();
  for (const { id } of waits) assert.equal((await of(id)).status, 'cancelled');
  assert.deepEqual([(await of(sent.id)).status, (await of(other.id)).status], ['done', 'approving']);
  assert.deepEqual([world.desk.world.received(to.address), await world.available(ann)], [0n, 9_900_000n]);
  await world.isRight();
});

test('a letter tells the holder why it waits again and what they can do', async () => {
  ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.002');
  await freeze(3);
  await world.settle();
  const { data } = await world.handlers.walletWithdrawRequests({ page: 1, per_page: 5 }, as(ann));
  assert.deepEqual(
    [data[0]?.id, data[0]?.status, data[0]?.why, data[0]?.can_cancel],
    [id, 'approving', 'withdrawals_frozen', true],
  );
  assert.match((await world.letters(ann)).at(-1) ?? '', /is on hold/);
});

for (const [how, wait] of [
  ['that is taken back meanwhile', () => whilePayoutsAreOff(takenBack)],
  ['that a poll finds taken back', foundTakenBack],
] as const)
  test(`a refund of a deposit ${how} is paid to nobody`, async () => {
    const plain = { botKey: 'key', isLoopbackCounted: true };
    configureCompliance({ ...plain, screener: async (requests) => requests.map(() => ({ score: 100 })) });
    const [to, { deposit }] = [world.address(), await world.handlers.walletStore({ currency: 'BTC' }, as(ann))];
    try {
      world.desk.world.pay(deposit?.address ?? '', 250_000n);
      await reports(3);
      await screenPayments(world.desk.db);
      await reports(3);
      const [newest] = await world.handlers.walletDeposits({ limit: 1 }, as(ann));
      assert.equal(newest?.status, 'checking');
      await world.desk.db.tx((tx) => decideDeposit(tx, 'Kurs', { id: newest?.id ?? '', action: 'give_back', by: ['carl'], to }));
      await wait();
      await world.report();
      const [gone] = await world.handlers.walletDeposits({ limit: 1 }, as(ann));
      assert.deepEqual([gone?.status, await owed()], ['reversed', 0n], 'its giving back came back first');
    } finally {
      configureCompliance(plain);
    }
    await world.settle();
    assert.equal(world.desk.world.received(to.address), 0n);
    assert.deepEqual([await owed(), await world.desk.balance(accounts.walletUncleared(ann, 'BTC'))], [0n, 0n]);
    await world.isRight();
  });

test('a lowered limit or a risen worth stops a withdrawal that needed no approval', async () => {
  ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.004');
  await world.bitcoinAt('200000');
  try {
    await world.settle();
    assert.deepEqual([(await of(id)).status, (await of(id)).reason, (await of(id)).people], ['approving', 'above_bounds', 1]);
    assert.equal(await decide(id, 'approve', 'olga'), 'done');
    await world.settle();
    assert.equal((await of(id)).status, 'done', 'a person has let it out');
  } finally {
    await world.bitcoinAt('100000');
  }
  await world.isRight();
});

test('withdrawals of rewards are checked again like those from a wallet', async () => {
  const earned = accounts.affiliateAvailable(ann, 'BTC');
  const steps = [
    ['capital_in', leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.deskFree('BTC'), 500_000n)],
    ['promo_funded', leg(accounts.deskFree('BTC'), accounts.promo('affiliate', 'BTC'), 500_000n)],
    ['reward', leg(accounts.promo('affiliate', 'BTC'), accounts.affiliatePending(ann, 'BTC'), 500_000n)],
    ['reward_matured', leg(accounts.affiliatePending(ann, 'BTC'), earned, 500_000n)],
  ] as const;
  for (const [kind, one] of steps) await world.desk.db.tx((tx) => post(tx, [{ id: newId(), kind, cause: newId(), legs: [one] }]));
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.002', to: world.address(), source: 'affiliate' as const };
  const { confirmation } = await world.handlers.walletWithdrawQuote(request, as(ann));
  const otp = await world.code(ann, confirmation);
  const { id } = await world.handlers.userWithdrawStore({ currency: 'BTC', amount: '0.002', to: request.to, otp }, as(ann));
  await freeze(3);
  await world.settle();
  assert.deepEqual([(await of(id)).status, world.desk.world.received(request.to.address)], ['approving', 0n]);
  await world.handlers.walletWithdrawCancelWaiting({}, as(ann));
  assert.deepEqual([await world.desk.balance(earned), await world.available(ann)], [500_000n, 0n], 'back where it came from');
  await world.isRight();
});

test('its target is screened again as it leaves: without a verdict it waits, and if flagged it waits for people', async () => {
  const plain = { botKey: 'key', isLoopbackCounted: true };
  ann = await world.holder('0.1');
  const [clean, bad] = [world.address(), world.address()];
  const [good, warned] = [await world.withdraw(ann, '0.001', clean), await world.withdraw(ann, '0.001', bad)];
  configureCompliance({
    ...plain,
    screener: async (requests) => requests.map(({ fields }) => ({ score: fields['address'] === bad.address ? 100 : 0 })),
  });
  try {
    await reports(2);
    assert.deepEqual(
      [shownStatus(await of(good.id)), shownStatus(await of(warned.id))],
      ['queued', 'queued'],
      'nobody has looked yet',
    );
    await world.settle();
    assert.deepEqual([(await of(good.id)).status, (await of(warned.id)).status], ['done', 'approving']);
    assert.deepEqual([(await of(warned.id)).reason, world.desk.world.received(bad.address)], ['account_refused', 0n]);
  } finally {
    configureCompliance(plain);
  }
  await world.isRight();
});
