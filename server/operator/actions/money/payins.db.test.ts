// Two people take back a payment into a wallet, in any state, and the debt if the money was spent.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { configureCompliance, screenPayments } from '../../../compliance/index.ts';
import { accounts } from '../../../ledger/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../../../wallets/testing.ts';
import { debtsView } from './debts.ts';
import { actOnPayin, payinsView } from './payins.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { auditView } from '../../views.ts';
import { OWNERS } from '../../owners.testing.ts';

const plain = { botKey: 'key', isLoopbackCounted: true };
let world: WalletWorld;
let ann: Person;
let bob: Person;
let kim: Person;
let holder: string;

before(async () => {
  world = await walletWorld();
  const { db } = world.desk;
  [ann, bob, kim] = [await addPerson(db, 'ann'), await addPerson(db, 'bob'), await addPerson(db, 'kim', 'compliance')];
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});
beforeEach(async () => {
  holder = await world.holder();
});

const fails = (code: string) => (error: Problem) => error.code === code;
const owed = () => world.desk.balance(accounts.receivable(holder, 'BTC'));
const latest = async () => (await world.handlers.walletDeposits({ limit: 1 }, as(holder)))[0];

async function deposit(parts: bigint, from = ['good']): Promise<string> {
  const { deposit: place } = await world.handlers.walletStore({ currency: 'BTC' }, as(holder));
  world.desk.world.pay(place?.address ?? '', parts, { from });
  await world.settle();
  return (await latest())?.id ?? '';
}
const act = (person: Person, id: string, more: { amount?: string; action?: 'take_back' | 'restore'; evidence?: string } = {}) =>
  actOnPayin(world.desk.db, person, {
    id,
    action: 'take_back',
    evidence: 'their statement',
    reason: 'taken in silence',
    ...more,
  });
async function takeBack(id: string, more: { amount?: string; action?: 'restore' } = {}): Promise<void> {
  assert.equal((await act(ann, id, more)).status, 'awaiting_second');
  assert.equal((await act(bob, id, more)).status, 'done');
  await world.settle();
}

test('taking a payment back takes two operators with identical input and a statement', async () => {
  const id = await deposit(250_000n);
  await assert.rejects(act(kim, id), fails('forbidden'));
  await assert.rejects(act(ann, id, { amount: '0.0025001' }), fails('action_not_open'));
  await assert.rejects(act(ann, id, { action: 'restore' }), fails('action_not_open'));
  await act(ann, id);
  await assert.rejects(act(ann, id), fails('same_person'));
  await assert.rejects(act(bob, id, { evidence: 'another' }), fails('request_differs'));
  assert.equal(await world.available(holder), 250_000n, 'one alone takes nothing');
  await act(bob, id);
  await world.settle();
  assert.deepEqual([await world.available(holder), (await latest())?.status], [0n, 'reversed']);
  const { data } = await auditView(world.desk.db, { page: 1, per_page: 20, subject: id });
  assert.deepEqual(
    data.map(({ by, outcome, details }) => [by, outcome, details['evidence']]),
    [
      ['bob', 'done', 'their statement'],
      ['ann', 'asked', 'their statement'],
    ],
  );
  const [row] = routes.operatorPayins.output.parse(await payinsView(world.desk.db, OWNERS, { q: id }));
  assert.deepEqual(
    [row?.status, row?.decided, row?.email, row?.amount.amount],
    ['reversed', true, emailOf(holder), '0.00250000'],
  );
  assert.deepEqual(
    (await payinsView(world.desk.db, OWNERS, { q: row?.txid ?? '' })).map((one) => one.id),
    [id],
  );
  await takeBack(id, { action: 'restore' });
  assert.deepEqual([await world.available(holder), (await latest())?.status], [250_000n, 'final']);
  await world.isRight();
});

test('taking back a spent payment leaves a debt, which stops its holder and is listed', async () => {
  const id = await deposit(300_000n);
  await world.transfer(holder, '0.002', emailOf(await world.holder()));
  await takeBack(id);
  assert.deepEqual([await world.available(holder), await owed()], [0n, 200_000n]);
  const [debt] = routes.operatorDebts.output
    .parse(await debtsView(world.desk.db, OWNERS))
    .filter(({ email }) => email === emailOf(holder));
  assert.deepEqual([debt?.id, debt?.about, debt?.owed], [id, 'deposit', { amount: '0.00200000', currency: 'BTC' }]);
  assert.ok(debt?.known_by.includes(`holder:${holder}`));
  await world.isRight();
});

test('taking back a held payment, or a part of it, takes what is there', async () => {
  configureCompliance({ ...plain, screener: async (requests) => requests.map(() => ({ score: 100 })) });
  const id = await deposit(300_000n, ['bad']);
  await screenPayments(world.desk.db);
  await world.settle();
  configureCompliance(plain);
  assert.equal((await latest())?.status, 'checking');
  const uncleared = () => world.desk.balance(accounts.walletUncleared(holder, 'BTC'));
  await takeBack((await latest())?.id ?? id, { amount: '0.001' });
  assert.deepEqual([(await latest())?.status, await uncleared()], ['checking', 200_000n]);
  await takeBack((await latest())?.id ?? id);
  assert.deepEqual([(await latest())?.status, await uncleared(), await owed()], ['reversed', 0n, 0n]);
  await world.isRight();
});
