// Nothing leaves a wallet for an address that people have blocked, whenever it was blocked.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { addBlock, configureCompliance, screenPayments } from '../../compliance/index.ts';
import { refusal } from '../../platform/testing.ts';
import { decideDeposit } from '../deposits/decide-deposit.ts';
import { decideWithdrawal } from '../withdrawals/withdraw.ts';
import { type Withdrawal } from '../withdrawals/withdrawal.ts';
import { withdrawalById } from '../withdrawals/withdrawal-store.ts';
import { type WalletWorld, as, walletWorld } from './world.testing.ts';

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
/** Mines blocks, lets minutes pass and delivers events, so that queued payouts are sent. */
async function reports(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    world.desk.world.mine();
    await world.desk.pass(61_000);
    await world.desk.turn();
    await world.report();
  }
}

test('nobody can request, approve or send a withdrawal to a blocked address; other addresses and an ended block stop nothing', async () => {
  ann = await world.holder('0.1');
  const bob = await world.holder('0.1');
  const [to, other] = [world.address(), world.address()];
  const queued = await world.withdraw(ann, '0.002', to);
  const waiting = await world.withdraw(bob, '0.018', to);
  assert.equal(waiting.status, 'approving');
  const { key } = await of(queued.id);
  const until = new Date((await world.desk.db.now()).getTime() + 3_600_000);
  const letter = { by: 'clara', reason: 'the police asks', evidence: 'their letter', until };
  await world.desk.db.tx((tx) => addBlock(tx, { who: 'an address', ...letter, keys: [`address:BTC:${key}`] }));
  const available = await world.available(ann);
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'blocked');
  const quote = { currency: 'BTC', rail: 'bitcoin', amount: '0.001', to };
  assert.equal(
    await refusal(async () => world.handlers.walletWithdrawQuote(quote, as(bob))),
    'blocked',
    'before a code is asked for',
  );
  assert.equal(await world.available(ann), available, 'nothing was taken');
  assert.equal(await decide(waiting.id, 'approve', 'olga'), 'blocked');
  await world.settle();
  assert.deepEqual([(await of(queued.id)).status, (await of(queued.id)).reason], ['approving', 'blocked'], 'let out before');
  assert.equal(world.desk.world.received(to.address), 0n);
  const elsewhere = await world.withdraw(ann, '0.001', other);
  await world.settle();
  assert.equal((await of(elsewhere.id)).status, 'done');
  await world.desk.pass(3_600_001);
  await world.settle();
  for (const { id } of [queued, waiting]) assert.equal(await decide(id, 'approve', 'olga'), 'done');
  await world.settle();
  for (const { id } of [queued, waiting]) assert.equal((await of(id)).status, 'done');
  await world.isRight();
});

test('a deposit is not refunded to an address that was blocked meanwhile', async () => {
  const plain = { botKey: 'key', isLoopbackCounted: true };
  configureCompliance({ ...plain, screener: async (requests) => requests.map(() => ({ score: 100 })) });
  const [to, { deposit }] = [world.address(), await world.handlers.walletStore({ currency: 'BTC' }, as(ann))];
  try {
    world.desk.world.pay(deposit?.address ?? '', 250_000n);
    await reports(3);
    await screenPayments(world.desk.db);
    await reports(3);
    const [newest] = await world.handlers.walletDeposits({ limit: 1 }, as(ann));
    await world.desk.db.tx((tx) => decideDeposit(tx, 'Kurs', { id: newest?.id ?? '', action: 'give_back', by: ['carl'], to }));
    const block = { who: 'a receiver', by: 'clara', reason: 'the police asks', evidence: 'their letter' };
    await world.desk.db.tx((tx) => addBlock(tx, { ...block, keys: [`address:BTC:${to.address}`] }));
    await reports(3);
  } finally {
    configureCompliance(plain);
  }
  assert.equal(world.desk.world.received(to.address), 0n);
});
