// Deposits with a flagged sender wait for compliance, which releases or returns them with a reason in the audit.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { configureCompliance, screenPayments } from '../../../compliance/index.ts';
import { accounts } from '../../../ledger/index.ts';
import { outbox, newId } from '../../../platform/index.ts';
import { reportOfPayout } from '../../../payments/testing.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../../../wallets/testing.ts';
import { actOnDeposit, depositsView } from './deposits.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { auditView } from '../../views.ts';

const plain = { botKey: 'key', isLoopbackCounted: true };
const risks = { sender: 100, others: 10 };
let world: WalletWorld;
let carl: Person;
let olga: Person;
let holder: string;

before(async () => {
  world = await walletWorld();
  const { db } = world.desk;
  [carl, olga] = [await addPerson(db, 'carl', 'compliance'), await addPerson(db, 'olga')];
  configureCompliance({
    ...plain,
    screener: async (requests) =>
      requests.map(({ fields }) => ({ score: fields['address'] === 'bad' ? risks.sender : risks.others })),
  });
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});
beforeEach(async () => {
  holder = await world.holder();
});

/** Makes a deposit with a flagged sender. Returns its id. */
async function flagged(parts: bigint): Promise<string> {
  const { deposit } = await world.handlers.walletStore({ currency: 'BTC' }, as(holder));
  world.desk.world.pay(deposit?.address ?? '', parts, { from: ['bad'] });
  await world.settle();
  await screenPayments(world.desk.db);
  await world.settle();
  const [newest] = await world.handlers.walletDeposits({ limit: 1 }, as(holder));
  assert.equal(newest?.status, 'checking');
  return newest?.id ?? '';
}
const act = (
  person: Person,
  id: string,
  what: 'release' | 'give_back' | 'ask_papers' | 'papers_came',
  account?: Record<string, string>,
) =>
  actOnDeposit(
    world.desk.db,
    person,
    { id, action: what, reason: 'papers were shown', ...(account && { account }) },
    { name: 'Kurs', key: undefined },
  );
const status = async (): Promise<string | undefined> =>
  (await world.handlers.walletDeposits({ limit: 1 }, as(holder)))[0]?.status;
const uncleared = () => world.desk.balance(accounts.walletUncleared(holder, 'BTC'));
const fails = (code: string) => (error: Problem) => error.code === code;

test('a flagged deposit is listed, and is the holder’s to use once compliance lets it go on; nobody else can', async () => {
  const id = await flagged(250_000n);
  const listed = routes.operatorDeposits.output.parse(await depositsView(world.desk.db));
  const row = listed.find((one) => one.id === id);
  assert.deepEqual(
    [row?.email, row?.uncleared.amount, row?.from, row?.why],
    [emailOf(holder), '0.00250000', ['bad'], 'its sender was flagged'],
  );
  await assert.rejects(() => act(olga, id, 'release'), fails('forbidden'));
  assert.equal(await world.available(holder), 0n);
  assert.equal((await act(carl, id, 'release')).state, 'final');
  assert.deepEqual([await world.available(holder), await uncleared()], [250_000n, 0n]);
  assert.deepEqual(await world.letters(holder), ['We are reviewing your deposit of 0.0025 BTC', '0.0025 BTC is in your wallet']);
  await assert.rejects(() => act(carl, id, 'release'), fails('order_changed'));
  const { data } = await auditView(world.desk.db, { page: 1, per_page: 20, subject: id });
  assert.deepEqual(
    data.map(({ action: what, by, reason }) => [what, by, reason]),
    [['deposit_release', 'carl', 'papers were shown']],
  );
  const { data: moves } = await world.handlers.userTransactions({ page: 1, per_page: 5 }, as(holder));
  const { steps } = await world.handlers.userTransaction({ id: moves[0]?.id ?? '' }, as(holder));
  assert.deepEqual(
    steps.map(({ what }) => what),
    ['seen', 'checking', 'cleared'],
  );
  await world.isRight();
});

test('a deposit that compliance returns leaves by its rail, and the statement shows it as returned', async () => {
  const id = await flagged(250_000n);
  await assert.rejects(() => act(carl, id, 'give_back'), fails('validation'));
  await assert.rejects(() => act(carl, id, 'give_back', { address: 'nowhere' }), fails('validation'));
  const before = world.desk.world.held('BTC', 'hot');
  assert.equal((await act(carl, id, 'give_back', world.address())).state, 'returning');
  assert.deepEqual([await world.available(holder), await uncleared(), await status()], [0n, 0n, 'returning']);
  await world.settle();
  assert.equal(await status(), 'returned');
  assert.deepEqual((await world.letters(holder)).slice(1), ['Your deposit of 0.0025 BTC was returned']);
  assert.equal(before - world.desk.world.held('BTC', 'hot'), 251_500n, 'all of it; sending it is the desk’s cost');
  const { data } = await world.handlers.userTransactions({ page: 1, per_page: 5 }, as(holder));
  assert.deepEqual(
    data.map(({ status: is, amount }) => [is, amount]),
    [['returned', '0.00250000']],
  );
  await world.isRight();
});

test('a return that the rail refuses waits for compliance again', async () => {
  const id = await flagged(250_000n);
  await act(carl, id, 'give_back', world.address());
  world.desk.world.inject('prepare', { kind: 'refuse' });
  await world.settle();
  world.desk.world.calm();
  assert.deepEqual([await status(), await uncleared()], ['checking', 250_000n]);
  await world.isRight();
  await act(carl, id, 'release');
  assert.equal(await world.available(holder), 250_000n);
});

test('after two returns of a deposit, money that comes back of the first is credited to its holder, too', async () => {
  const { db } = world.desk;
  const id = await flagged(250_000n);
  const giveBack = async (): Promise<string> => {
    assert.equal((await act(carl, id, 'give_back', world.address())).state, 'returning');
    await world.settle();
    const row = await db.row<{ back: string }>('select back_id as back from wallet_deposit where payin_id = $1', [id]);
    return row?.back ?? '';
  };
  const reportPart = async (part: string): Promise<void> => {
    const kind = 'payments.payin';
    const known = await db.row<{ subject: string; body: object }>(
      `select subject, body from event where kind = $1 and body->>'payinId' = $2 and body->>'event' = 'final' order by id limit 1`,
      [kind, id],
    );
    assert.ok(known);
    const event = { id: newId(), kind, subject: known.subject, body: { ...known.body, event: 'final', part } };
    await db.tx((tx) => outbox.publish(tx, [event]));
    await world.report();
  };
  const returned = async (payout: string): Promise<void> => {
    await reportOfPayout(db, payout, 'returned');
    // The reversal is posted, but the deposit hasn't handled the event.
    await world.isRight();
    await world.report();
  };
  const first = await giveBack();
  assert.equal(await status(), 'returned');
  // A part of the payment is there again.
  await reportPart('50000');
  assert.deepEqual([await status(), await uncleared()], ['checking', 50_000n]);
  const second = await giveBack();
  assert.notEqual(second, first);
  await returned(first);
  assert.deepEqual([await status(), await uncleared()], ['checking', 250_000n]);
  await returned(second);
  assert.deepEqual([await status(), await uncleared()], ['checking', 300_000n]);
  await returned(first);
  assert.equal(await uncleared(), 300_000n, 'and only once');
  await world.isRight();
});

test('papers are asked of a deposit’s holder, who reads it by letter and on the page; then they come, and it goes on', async () => {
  const id = await flagged(250_000n);
  const shown = async () => (await world.handlers.walletDeposits({ limit: 1 }, as(holder)))[0]?.papers;
  const listed = async () => (await depositsView(world.desk.db)).find((one) => one.id === id)?.papers;
  assert.deepEqual([await shown(), await listed()], [null, undefined]);
  await assert.rejects(() => act(olga, id, 'ask_papers'), fails('forbidden'));
  assert.equal((await act(carl, id, 'ask_papers')).state, 'checking');
  assert.deepEqual([await shown(), await listed(), await uncleared()], ['asked', 'asked', 250_000n]);
  await assert.rejects(() => act(carl, id, 'ask_papers'), fails('action_not_open'));
  assert.deepEqual((await world.letters(holder)).slice(1), ['We need documents for your deposit of 0.0025 BTC']);
  await act(carl, id, 'papers_came');
  assert.deepEqual([await shown(), (await world.letters(holder)).length], ['came', 2]);
  await act(carl, id, 'ask_papers');
  assert.equal((await world.letters(holder)).length, 3, 'asked for more');
  assert.equal((await act(carl, id, 'release')).state, 'final');
  assert.deepEqual([await shown(), await world.available(holder)], [null, 250_000n]);
  await assert.rejects(() => act(carl, id, 'ask_papers'), fails('order_changed'));
  await world.isRight();
});
