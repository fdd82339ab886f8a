// Approved withdrawals of rewards: until a worker claims them, after they came back, and their destinations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOfPayout } from '../payments/testing.ts';
import { noteKeys, sharedKeys } from '../referrals/index.ts';
import { as } from '../wallets/testing.ts';
import { settleOwed } from './work.ts';
import {
  approve,
  at,
  available,
  booksAreRight,
  earned,
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

test('an account that rewards or the wallet were withdrawn to is its affiliate’s own, as soon as it is asked for', async () => {
  const { db } = at.world.desk;
  await earned(300n);
  const to = at.world.address();
  const { id } = await withdrawn('100', to);
  const { currency, key } = await of(id);
  const keys = [`account:${currency}:${key}`];
  const shared = async (...requests: Parameters<typeof sharedKeys>[1]) => sharedKeys(db, requests);
  const bob = await at.world.holder();
  assert.deepEqual(await shared({ affiliate: at.ann, second: undefined, keys }, { affiliate: bob, second: undefined, keys }), [
    'account',
    undefined,
  ]);
  await db.tx((tx) => noteKeys(tx, [{ holderId: bob, keys }]));
  assert.deepEqual(await shared({ affiliate: at.ann, second: bob, keys: [] }), ['account'], 'both levels have withdrawn to it');
  const cat = await at.world.holder('1');
  const own = await of((await at.world.withdraw(cat, '0.001')).id);
  const known = [`account:${own.currency}:${own.key}`];
  assert.deepEqual(await shared({ affiliate: cat, second: undefined, keys: known }), ['account']);
  for (const [who, request] of [
    [at.ann, id],
    [cat, own.id],
  ] as const)
    await at.world.handlers.walletWithdrawCancel({ id: request }, as(who));
});

test('what people have let out comes back, too, until the sender takes it; what came back from a receiver is taken from there', async () => {
  const { db } = at.world.desk;
  const orders = await earned(600n);
  const { id, to } = await withdrawn('600');
  assert.equal(await approve(id), 'done');
  await reversed(...orders);
  await at.world.settle();
  assert.deepEqual([await states(id), received(to), await owed(), await inPot()], [['rejected'], 0n, 0n, at.pot]);
  const others = await earned(300n);
  const second = await withdrawn('300');
  await at.world.settle();
  await reportOfPayout(db, second.id, 'returned', { reason: 'sent back' });
  await at.world.report();
  const back = await available();
  assert.deepEqual([await states(second.id), back > usdt('299')], [['returned'], true]);
  await reversed(...others);
  assert.deepEqual([await owed(), await available(), await inPot()], [usdt('300') - back, 0n, at.pot]);
  await booksAreRight();
});

test('what later rewards have repaid stops nothing any more: a withdrawal that waits is let out', async () => {
  const { db } = at.world.desk;
  const orders = await earned(600n);
  const { id, to } = await withdrawn('600');
  assert.equal(await approve(id), 'done');
  await db.run(`update payout set status = 'preparing' where id = $1`, [id]);
  await reversed(...orders);
  await db.run(`update payout set status = 'queued', due_at = clock_now() where id = $1`, [id]);
  await at.world.settle();
  assert.deepEqual([await states(id), await approve(id)], [['approving'], 'rewards_owed']);
  await earned(600n);
  assert.deepEqual([await owed(), await settleOwed(db, 'Kurs'), await approve(id)], [0n, 0, 'done']);
  await at.world.settle();
  assert.deepEqual([await states(id), received(to) > 0n], [['done'], true]);
  await booksAreRight();
});
