// The desk watches what businesses settle and refund, what is taken back of it, and how many payments were flagged.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newHolder } from '../../auth/testing.ts';
import { configureCompliance, screenPayments } from '../../compliance/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { decideHeld } from '../actions/decide-held.ts';
import { figuresOfBusinesses, reversingBusinesses } from '../settled/business-figures.ts';
import { type RefundWorld, openRefundWorld } from './refund-world.testing.ts';

const RULES = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
let world: RefundWorld;
before(async () => {
  // The store begins with a payment of 1000.00 USD.
  world = await openRefundWorld('1000.00');
});
after(async () => {
  configureCompliance(RULES);
  await world.close();
});

const figures = async () => {
  const id = world.store.businessId ?? '';
  return (await figuresOfBusinesses(world.db, [id])).get(id);
};

async function settled(amount: string): Promise<string> {
  const invoice = await world.make({ amount });
  world.pay(await world.choose(invoice, 'USDT_TRC20'));
  await world.mine();
  return (await world.read(invoice)).view.payments[0]?.id ?? assert.fail('nothing arrived');
}

test('adds up 30 days, and names a business of which more than 1 % was taken back', async () => {
  const small = await settled('9.00');
  const other = await settled('40.00');
  assert.deepEqual(await figures(), { settledUsd: 104_900n, reversedUsd: 0n, refundedUsd: 0n, flagged: 0 });
  await world.db.tx((tx) => decidePayin(tx, takeBack(small)));
  await world.turn();
  assert.deepEqual(await figures(), { settledUsd: 104_900n, reversedUsd: 900n, refundedUsd: 0n, flagged: 0 });
  assert.deepEqual(await reversingBusinesses(world.db), [], '0.86 %');
  await world.db.tx((tx) => decidePayin(tx, takeBack(other, 500_000n)));
  await world.turn();
  assert.deepEqual(await reversingBusinesses(world.db), [], 'a part counts in proportion');
  await world.db.tx((tx) => decidePayin(tx, takeBack(other)));
  await world.turn();
  const [found] = await reversingBusinesses(world.db);
  assert.deepEqual([found?.id, found?.settledUsd, found?.reversedUsd], [world.store.businessId, 104_900n, 4_900n]);
  assert.deepEqual(await world.prove(), []);
  await world.pass(31 * 24 * 60);
  assert.deepEqual(await figures(), { settledUsd: 0n, reversedUsd: 0n, refundedUsd: 0n, flagged: 0 });
  assert.deepEqual(await reversingBusinesses(world.db), []);
});

test('adds up the refunds that were claimed, without those that were refused', async () => {
  await settled('100.00');
  const refund = await world.refund({ amount: '30.00' });
  assert.equal((await figures())?.refundedUsd, 0n, 'nobody has claimed it');
  await world.claim(refund, { amount: '10.00' });
  await world.send();
  assert.equal((await figures())?.refundedUsd, 1_000n);
  const manager = { kind: 'member', id: await newHolder(world.db), isProposed: false } as const;
  const { claims } = await world.look(await world.claim(await world.refund({ amount: '20.00' }, manager)));
  await world.decide(claims[0]?.id ?? assert.fail(), 'refuse');
  assert.equal((await figures())?.refundedUsd, 1_000n);
  await world.pass(31 * 24 * 60);
  assert.equal((await figures())?.refundedUsd, 0n);
});

test('counts each flagged payment once, also after people have released it, and none that waits for a price', async () => {
  configureCompliance({
    ...RULES,
    screener: async (requests) => requests.map(({ fields: { address } }) => ({ score: address === 'mixer' ? 100 : 1 })),
  });
  const invoice = await world.make();
  world.pay(await world.choose(invoice, 'BTC'), undefined, { from: ['mixer'] });
  await world.mine();
  await screenPayments(world.db);
  for (let at = 0; at < 2; at += 1) await world.pass(1);
  const [payment = assert.fail()] = (await world.read(invoice)).view.payments;
  assert.deepEqual([payment.stage, (await figures())?.flagged], ['held', 1]);
  const decision = { id: payment.id, action: 'release', by: ['kim'], reason: 'test' } as const;
  await world.db.tx((tx) => decideHeld(tx, world.sender, decision));
  assert.equal((await figures())?.flagged, 1);
});
