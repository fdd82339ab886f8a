// Withdrawals that wait for the desk: the list shows the holder's status, and a refusal names what stops the money.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { writeHolderMacs } from '../../../auth/testing.ts';
import { configureCompliance } from '../../../compliance/index.ts';
import { accounts, leg, post } from '../../../ledger/index.ts';
import { newId } from '../../../platform/index.ts';
import { refusal } from '../../../platform/testing.ts';
import { lockAffiliates, saveAffiliates, saveTerms } from '../../../referrals/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../../../wallets/testing.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { actOnWithdrawal, withdrawalsView } from './withdrawals.ts';

const plain = { botKey: 'key', isLoopbackCounted: true };
let world: WalletWorld;
let olga: Person;
let oleg: Person;
before(async () => {
  world = await walletWorld();
  const { db } = world.desk;
  [olga, oleg] = [await addPerson(db, 'olga'), await addPerson(db, 'oleg')];
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});

const row = async (id: string) =>
  routes.operatorWithdrawals.output.parse(await withdrawalsView(world.desk.db)).find((one) => one.id === id);
const act = (person: Person, id: string, what: 'approve' | 'reject' = 'approve') =>
  actOnWithdrawal(world.desk.db, person, { id, action: what, reason: 'looked at' }, { name: 'Kurs', key: undefined });

test('the deciding person sees the freeze, the debt and the allow-list of its holder, and each stops it by name', async () => {
  const ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.01');
  const first = await row(id);
  assert.deepEqual([first?.email, first?.allow_list, first?.debts, first?.frozen_until], [emailOf(ann), 'off', [], undefined]);

  await world.desk.db.run(
    `update account_holder set frozen_until = clock_now() + interval '3 days', frozen_because = 'password_reset' where id = $1`,
    [ann],
  );
  await writeHolderMacs(world.desk.db);
  assert.ok((await row(id))?.frozen_until);
  assert.equal(await refusal(() => act(olga, id)), 'withdrawals_frozen');
  await world.desk.db.run('update account_holder set frozen_until = null, frozen_because = null where id = $1', [ann]);
  await writeHolderMacs(world.desk.db);

  await world.handlers.walletAllowList({ on: true }, as(ann));
  assert.equal((await row(id))?.allow_list, 'not_listed');
  assert.equal(await refusal(() => act(olga, id)), 'not_on_allow_list');
  await world.desk.db.run('delete from moneyout_guard where holder_id = $1', [ann]);

  const [owes, rail] = [accounts.receivable(ann, 'BTC'), accounts.owedRail('bitcoin', 'BTC')];
  const owe = (legs: ReturnType<typeof leg>[]) =>
    world.desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit_reversed', cause: newId(), legs }]));
  await owe([leg(owes, rail, 5n)]);
  assert.deepEqual((await row(id))?.debts, [{ amount: '0.00000005', currency: 'BTC' }]);
  assert.equal(await refusal(() => act(olga, id)), 'debt_open');
  await owe([leg(accounts.wallet(ann, 'BTC'), owes, 5n)]);
  assert.equal((await act(olga, id)).state, 'queued');
});

test('of a withdrawal of rewards the deciding person sees what is owed of rewards and a suspension, and each stops it by name', async () => {
  const { db } = world.desk;
  const ann = await world.holder('0.1');
  const [pot, pending] = [accounts.promo('affiliate', 'BTC'), accounts.affiliatePending(ann, 'BTC')];
  const steps = [
    ['capital_in', leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.deskFree('BTC'), 1_000_000n)],
    ['promo_funded', leg(accounts.deskFree('BTC'), pot, 1_000_000n)],
    ['reward', leg(pot, pending, 1_000_000n)],
    ['reward_matured', leg(pending, accounts.affiliateAvailable(ann, 'BTC'), 1_000_000n)],
  ] as const;
  for (const [kind, one] of steps) await db.tx((tx) => post(tx, [{ id: newId(), kind, cause: newId(), legs: [one] }]));
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.01', to: world.address(), source: 'affiliate' as const };
  const { confirmation } = await world.handlers.walletWithdrawQuote(request, as(ann));
  const otp = await world.code(ann, confirmation);
  const { id } = await world.handlers.userWithdrawStore({ currency: 'BTC', amount: '0.01', to: request.to, otp }, as(ann));
  const fromWallet = await world.withdraw(ann, '0.02');
  const status = async (which: string) => {
    const { source, debts, suspended } = (await row(which)) ?? {};
    return [source, debts, suspended];
  };
  assert.deepEqual(await status(id), ['affiliate', [], false]);

  await db.tx(async (tx) => {
    const affiliate = (await lockAffiliates(tx, [ann])).get(ann) ?? assert.fail();
    await saveAffiliates(tx, [{ ...affiliate, owed: 40_000_000n }]);
  });
  assert.deepEqual(await status(id), ['affiliate', [{ amount: '40.000000', currency: 'USDT' }], false]);
  assert.deepEqual(await status(fromWallet.id), ['wallet', [], false], 'what is owed of rewards never blocks the wallet');
  assert.equal(await refusal(() => act(olga, id)), 'rewards_owed');
  await db.tx((tx) => saveTerms(tx, ann, { isSuspended: true }));
  assert.deepEqual((await status(id))[2], true);
  assert.equal(await refusal(() => act(olga, id)), 'affiliate_suspended');
  assert.equal((await act(olga, fromWallet.id)).state, 'queued');
  assert.equal((await act(olga, id, 'reject')).state, 'rejected');
});

test('screens the receiving account again: a flagged one isn’t approved, and the withdrawal goes on waiting', async () => {
  const ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.01');
  configureCompliance({ ...plain, screener: async (requests) => requests.map(() => ({ score: 100 })) });
  assert.equal(await refusal(() => act(olga, id)), 'account_refused');
  assert.equal((await row(id))?.status, 'approving');
  configureCompliance(plain);
  assert.equal((await act(olga, id, 'reject')).state, 'rejected');
});

test('uses the present worth: a withdrawal that has become too large for one person takes two', async () => {
  const ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.03');
  assert.deepEqual([(await row(id))?.usd, (await row(id))?.people], ['3000.00', 1]);
  await world.bitcoinAt('200000');
  try {
    assert.deepEqual([(await row(id))?.usd, (await row(id))?.people], ['6000.00', 2]);
    assert.equal((await act(olga, id)).status, 'awaiting_second');
    assert.equal((await act(oleg, id)).state, 'queued');
  } finally {
    await world.bitcoinAt('100000');
  }
});

test('an approval that is older than its hold does not count: two people approve it anew', async () => {
  const { db } = world.desk;
  const ann = await world.holder('0.1');
  const { id } = await world.withdraw(ann, '0.03');
  try {
    await world.bitcoinAt('200000');
    assert.equal((await act(olga, id)).status, 'awaiting_second');
    await world.bitcoinAt('100000');
    assert.equal((await act(oleg, id)).state, 'queued', 'it takes one by now');
    await db.run(
      `update account_holder set frozen_until = clock_now() + interval '3 days', frozen_because = 'password_reset' where id = $1`,
      [ann],
    );
    await writeHolderMacs(db);
    await world.settle();
    assert.deepEqual([(await row(id))?.status, (await row(id))?.reason], ['approving', 'withdrawals_frozen']);
    await db.run('update account_holder set frozen_until = null, frozen_because = null where id = $1', [ann]);
    await writeHolderMacs(db);
    await world.bitcoinAt('200000');
    assert.equal((await act(oleg, id)).status, 'awaiting_second', 'olga has not seen that it was kept');
    assert.equal((await act(olga, id)).state, 'queued');
  } finally {
    await world.bitcoinAt('100000');
  }
});
