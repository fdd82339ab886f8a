// Withdrawals: held, approved, sent once, and back in the wallet if they fail.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../../ledger/index.ts';
import { payable, switchPayouts } from '../../payments/index.ts';
import { currentView } from '../../pricing/index.ts';
import { remainingInWallets } from '../remaining-money.ts';
import { configureLog } from '../../platform/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';
import { refusal } from '../../platform/testing.ts';
import { decideWithdrawal } from '../withdrawals/withdraw.ts';
import type { ShownStatus } from '../withdrawals/shown-status.ts';
import { WITHDRAWAL_TABLE, type WithdrawalStatus } from '../withdrawals/withdrawal.ts';
import { withdrawalSource } from '../views/withdrawal-view.ts';

let world: WalletWorld;
before(async () => {
  world = await walletWorld();
});
after(() => world.close());

const status = async (holder: string): Promise<ShownStatus | undefined> =>
  (await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(holder))).data[0]?.status;
const decide = (id: string, action: 'approve' | 'reject', ...by: string[]) =>
  world.desk.db.tx((tx) => decideWithdrawal(tx, 'Kurs', { id, action, reason: 'looked at', by }));

test('a quote states the cost and the amount that arrives, and moves nothing', async () => {
  const ann = await world.holder('0.01');
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.002', to: world.address() };
  const quote = await world.handlers.walletWithdrawQuote(request, as(ann));
  assert.deepEqual(
    [quote.amount, quote.fee, quote.arrives, quote.available, quote.people],
    ['0.00200000', '0.00001500', '0.00198500', '0.01000000', 0],
  );
  assert.equal(await world.available(ann), 1_000_000n);
  const wrong = (more: object) => refusal(async () => world.handlers.walletWithdrawQuote({ ...request, ...more }, as(ann)));
  assert.equal(await wrong({ amount: '0.00001' }), 'withdrawal_below_min');
  assert.equal(await wrong({ amount: '0.123456789' }), 'amount_format');
  assert.equal(await wrong({ currency: 'NOPE' }), 'currency_unknown');
  assert.equal(await wrong({ rail: 'tron' }), 'rail_unknown');
});

test('a small one is sent at once: the quoted amount arrives, the fee is the desk’s income', async () => {
  const [ann, to] = [await world.holder('0.01'), world.address()];
  const fees = await world.desk.balance(accounts.income('fee', 'BTC'));
  const request = await world.withdraw(ann, '0.002', to);
  assert.equal(request.status, 'queued');
  assert.equal(await world.available(ann), 800_000n);
  await world.settle();
  assert.equal(await status(ann), 'done');
  assert.equal(world.desk.world.received(to.address), 198_500n);
  assert.equal((await world.desk.balance(accounts.income('fee', 'BTC'))) - fees, 1_500n);
  assert.equal((await world.letters(ann)).length, 2, 'asked and done');
  const { data } = await world.handlers.userTransactions({ page: 1, per_page: 20 }, as(ann));
  assert.deepEqual([data[0]?.kind, data[0]?.amount, data[0]?.address], ['withdrawal', '-0.00200000', to.address]);
  await world.isRight();
});

test('a withdrawal that was sent shows each confirmation as the rail does, and no block rewrites it', async () => {
  const ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.04');
  await decide(id, 'approve', 'olga', 'oleg');
  const blocks = async (): Promise<void> => {
    world.desk.world.mine();
    await world.desk.turn();
    await world.report();
  };
  for (let turn = 0; turn < 2; turn += 1) await world.desk.turn();
  await blocks();
  const one = async () => (await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(ann))).data[0];
  const written = () => world.desk.db.row('select xmin::text from wallet_withdrawal where id = $1', [id]);
  const first = await written();
  assert.deepEqual([(await one())?.status, (await one())?.confirmations, (await one())?.needed], ['sent', 1, 3]);
  await blocks();
  assert.deepEqual([(await one())?.confirmations, await written()], [2, first]);
  await world.settle();
  assert.equal((await one())?.status, 'done');
});

test('while payouts of its rail are off, withdrawals are refused, and nothing leaves the wallet', async () => {
  const ann = await world.holder('0.01');
  const sends = async (isOn: boolean): Promise<void> => {
    await world.desk.db.tx((tx) => switchPayouts(tx, { rail: 'bitcoin', isOn }, 'olga'));
    // Prices are refreshed every half second; a process that quotes learns of a switch then.
    while (currentView().railsSending.has('bitcoin') !== isOn) await sleep(20);
  };
  await sends(false);
  try {
    assert.equal(await refusal(() => world.withdraw(ann, '0.002')), 'withdrawal_closed');
  } finally {
    await sends(true);
  }
  assert.equal(await world.available(ann), 1_000_000n);
  assert.equal((await world.withdraw(ann, '0.002')).status, 'queued');
});

test('nobody can withdraw more than their balance, or another holder’s money', async () => {
  const [ann, bob] = [await world.holder('0.001'), await world.holder('0.001')];
  assert.equal(await refusal(() => world.withdraw(ann, '0.0011')), 'not_enough_money');
  const { id } = await world.withdraw(ann, '0.001');
  assert.equal(await remainingInWallets(world.desk.db, ann), 'withdrawal');
  assert.equal(await refusal(async () => world.handlers.walletWithdrawCancel({ id }, as(bob))), 'not_found');
  assert.deepEqual((await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(bob))).data, []);
  assert.equal(await remainingInWallets(world.desk.db, await world.holder()), undefined, 'another’s is not in the way');
  assert.equal((await withdrawalSource(world.desk.db, ann, [id])).size, 1);
  assert.equal((await withdrawalSource(world.desk.db, bob, [id])).size, 0);
  await world.settle();
  assert.equal(await remainingInWallets(world.desk.db, ann), undefined);
  await world.isRight();
});

test('above the limits it waits with its money held: approved it is sent, rejected it is back', async () => {
  const [ann, bob] = [await world.holder('0.1'), await world.holder('0.1')];
  const [one, two] = [await world.withdraw(ann, '0.006'), await world.withdraw(bob, '0.06')];
  assert.deepEqual([one.status, one.people, two.status, two.people], ['approving', 1, 'approving', 2]);
  assert.equal(await world.desk.balance(accounts.walletHeld(ann, 'BTC')), 600_000n);
  await world.settle();
  assert.equal(await status(ann), 'approving', 'nothing is sent before a person has looked');
  assert.equal(await refusal(() => decide(two.id, 'approve', 'olga')), 'second_person_required');
  await decide(two.id, 'approve', 'olga', 'oleg');
  await decide(one.id, 'reject', 'olga');
  assert.equal(await refusal(() => decide(one.id, 'approve', 'olga')), 'order_changed');
  await world.settle();
  assert.deepEqual([await status(ann), await world.available(ann)], ['rejected', 10_000_000n]);
  assert.deepEqual([await status(bob), await world.available(bob)], ['done', 4_000_000n]);
  await world.isRight();
});

test('a withdrawal that waits for people reserves the rail’s money until it is cancelled', async () => {
  const ann = await world.holder('0.1');
  const settled = async (): Promise<void> => {
    await world.settle();
    await world.desk.read();
  };
  await settled();
  const free = await payable(world.desk.db, 'BTC');
  const { id } = await world.withdraw(ann, '0.006');
  await settled();
  assert.equal(await payable(world.desk.db, 'BTC'), free - 598_500n);
  await world.handlers.walletWithdrawCancel({ id }, as(ann));
  await settled();
  assert.equal(await payable(world.desk.db, 'BTC'), free);
});

test('withdrawals without approval are counted by day: above the limit a person approves', async () => {
  const ann = await world.holder('0.1');
  const people = [];
  for (let at = 0; at < 5; at += 1) people.push((await world.withdraw(ann, '0.0045')).people);
  assert.deepEqual(people, [0, 0, 0, 0, 1], '450 USD each, 2 000 a day');
  await world.settle();
  await world.isRight();
});

test('it can be cancelled until it is signed, and all of it is back', async () => {
  const ann = await world.holder('0.1');
  const [queued, held] = [await world.withdraw(ann, '0.001'), await world.withdraw(ann, '0.02')];
  for (const { id } of [queued, held]) {
    assert.equal((await world.handlers.walletWithdrawCancel({ id }, as(ann))).status, 'cancelled');
    assert.equal(await refusal(async () => world.handlers.walletWithdrawCancel({ id }, as(ann))), 'order_changed');
  }
  assert.equal(await world.available(ann), 10_000_000n);
  await world.settle();
  const sent = [queued, held].map(({ id }) => world.desk.world.executions(id));
  assert.deepEqual([sent, await world.available(ann)], [[0, 0], 10_000_000n], 'nothing of it was sent');
  const { id } = await world.withdraw(ann, '0.001');
  await world.settle();
  assert.equal(await refusal(async () => world.handlers.walletWithdrawCancel({ id }, as(ann))), 'order_changed');
  await world.isRight();
});

test('a withdrawal that its rail refuses or returns is in the wallet again and counts towards no limit', async () => {
  const ann = await world.holder('0.1');
  world.desk.world.chance = (call) => (call === 'prepare' ? { kind: 'refuse' } : undefined);
  const { id } = await world.withdraw(ann, '0.001');
  await world.settle();
  world.desk.world.calm();
  assert.deepEqual([await status(ann), await world.available(ann)], ['failed', 10_000_000n]);
  const counted = await world.desk.db.rows('select from limit_use where owner_id = $1', [id]);
  assert.equal(counted.length, 0);
  await world.isRight();
});

test('every state leads to an end, and money is never sent twice', () => {
  const { rows } = WITHDRAWAL_TABLE;
  const rest = (state: WithdrawalStatus, seen = new Set<string>()): boolean => {
    if (['done', 'failed', 'returned', 'cancelled', 'rejected'].includes(state)) return true;
    if (seen.has(state)) return false;
    const leaving = rows.filter(({ from }) => from.includes(state));
    return leaving.some(({ next }) => rest(next[0] as WithdrawalStatus, new Set([...seen, state])));
  };
  for (const state of Object.keys(WITHDRAWAL_TABLE.states) as WithdrawalStatus[]) assert.ok(rest(state), state);
  for (const { from, event, money } of rows) if (money.includes('queue')) assert.deepEqual(from, ['approving'], event);
});

test('a quote states the target’s label in the book, and earlier withdrawals to it', async () => {
  const [ann, bob, to] = [await world.holder('0.1'), await world.holder('0.1'), world.address()];
  const known = async (holder: string) =>
    (await world.handlers.walletWithdrawQuote({ currency: 'BTC', rail: 'bitcoin', amount: '0.001', to }, as(holder))).known;
  assert.deepEqual(await known(ann), { times: 0, last_at: null });
  await world.withdraw(ann, '0.001', to);
  const { id } = await world.withdraw(ann, '0.001', to);
  assert.equal((await known(ann))?.times, 0, 'neither is sent yet');
  await world.handlers.walletWithdrawCancel({ id }, as(ann));
  await world.settle();
  const request = { currency: 'BTC', rail: 'bitcoin', to };
  const { confirmation } = await world.handlers.walletConfirmation({ action: 'address', ...request }, as(ann));
  await world.handlers.walletAddressStore({ ...request, label: 'Cold', otp: await world.code(ann, confirmation) }, as(ann));
  const { label, times, last_at } = (await known(ann)) ?? {};
  assert.deepEqual([label, times], ['Cold', 1]);
  assert.ok(last_at);
  assert.deepEqual(await known(bob), { times: 0, last_at: null }, 'nobody’s but their own');
});

test('limits state the sums counted towards them, without cancelled ones', async () => {
  const ann = await world.holder('0.5', 1);
  const limits = async () => world.handlers.walletLimits({}, as(ann));
  assert.deepEqual(await limits(), {
    level: 1,
    at_once: '3000.00',
    day: { used: '0.00', limit: '5000.00' },
    month: { used: '0.00', limit: '20000.00' },
    alone: '500.00',
    alone_day: { used: '0.00', limit: '2000.00' },
    two_people: '5000.00',
  });
  const bob = await world.holder();
  await world.withdraw(ann, '0.004');
  const { id } = await world.withdraw(ann, '0.01');
  await world.transfer(ann, '0.002', emailOf(bob));
  const { day, month, alone_day } = await limits();
  assert.deepEqual([day.used, month.used, alone_day.used], ['1600.00', '1600.00', '400.00']);
  await world.handlers.walletWithdrawCancel({ id }, as(ann));
  assert.equal((await limits()).day.used, '600.00');
  assert.equal(await refusal(() => world.withdraw(ann, '0.045')), 'amount_above_limit');
  assert.equal((await world.handlers.walletLimits({}, as(await world.holder('0', 3)))).month.limit, null);
});

test('while all payouts are off, requested withdrawals aren’t sent, and incoming money is recorded', async () => {
  const [ann, bob] = [await world.holder('0.01'), await world.holder()];
  await world.withdraw(ann, '0.002');
  const payouts = (isOn: boolean) => world.desk.db.tx((tx) => switchPayouts(tx, { isOn }, 'olga'));
  await payouts(false);
  try {
    const { deposit } = await world.handlers.walletStore({ currency: 'BTC' }, as(bob));
    world.desk.world.pay(deposit?.address ?? '', 250_000n);
    await world.settle();
    assert.equal(await status(ann), 'queued');
    assert.equal(await world.available(bob), 250_000n);
  } finally {
    await payouts(true);
    // Prices may have been read meanwhile; they are refreshed automatically.
    while (!currentView().railsSending.has('bitcoin')) await sleep(20);
  }
  await world.settle();
  assert.equal(await status(ann), 'done');
  await world.isRight();
});

test('concurrent deposits, transfers in both directions and withdrawals of two holders never deadlock', async () => {
  const waited: string[] = [];
  configureLog({ level: 'warn', sink: (line) => void (line.includes('40P01') && waited.push(line)) });
  const [ann, bob] = [await world.holder('0.01'), await world.holder('0.01')];
  for (const id of [ann, bob]) {
    const { deposit } = await world.handlers.walletStore({ currency: 'BTC', rail: 'bitcoin' }, as(id));
    world.desk.world.pay(deposit!.address, 500_000n);
  }
  world.desk.world.mine(2);
  await world.desk.pass(61_000);
  await world.desk.turn();
  const actions = [0, 1, 2].flatMap((at) => [
    () => world.transfer(ann, `0.00${at + 1}`, emailOf(bob)),
    () => world.transfer(bob, `0.00${at + 1}`, emailOf(ann)),
    () => (at === 0 ? world.report() : world.withdraw(at === 1 ? ann : bob, '0.001')),
  ]);
  await Promise.all(actions.map((act) => act()));
  assert.deepEqual(waited, []);
  await world.isRight();
});
