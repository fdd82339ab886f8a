import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Attempt, Fields, Prepared } from '../rail.ts';
import { toHex } from './address.ts';
import { decodeSigned, decodeTransfer } from './transaction.ts';
import { type TronWorld, tronWorld } from './world.testing.ts';

const TRX = 1_000_000n;
let world: TronWorld;
before(async () => {
  world = await tronWorld({ funds: '1000', fuel: '2000' });
});
beforeEach(() => {
  world.refuse = undefined;
});
after(() => world.close());

let number = 0;
const prepare = (currency: string, to: Fields, parts: bigint): Promise<Prepared> => {
  number += 1;
  return world.rail.payout.prepare([{ id: `payout ${number}`, currency, to, parts }], world.state());
};

function made(prepared: Prepared): Attempt {
  assert.ok(prepared.ok, prepared.ok ? '' : `${prepared.reason}: ${prepared.detail}`);
  return prepared.attempt;
}

function reason(prepared: Prepared): string {
  assert.ok(!prepared.ok);
  return prepared.reason;
}

const transferOf = (attempt: Attempt) => decodeTransfer(decodeSigned(attempt.raw).raw);

test('limits energy to the node’s estimate plus a fifth, at the chain’s price', async () => {
  const to = await world.receiver();
  const first = made(await prepare('USDT_TRC20', to, TRX));
  assert.equal(transferOf(first).feeLimit, ((130_285n * 12n) / 10n) * 100n, 'a new holder');
  assert.equal(first.fee.parts, transferOf(first).feeLimit + 345n * 1000n);
  await world.rail.payout.send(first);
  await world.blocks(1);
  const second = made(await prepare('USDT_TRC20', to, TRX));
  assert.equal(transferOf(second).feeLimit, ((64_285n * 12n) / 10n) * 100n, 'a holder');
  const found = await world.rail.payout.find(first);
  assert.ok(
    found.outcome === 'mined' && found.ok && found.fee === 130_285n * 100n + 345n * 1000n,
    'the fee is the TRX burnt, not the limit',
  );
  await world.blocks(20);
});

test('charges activation for TRX to a new account, and bandwidth to a known one', async () => {
  const to = await world.receiver();
  const first = made(await prepare('TRX', to, 2n * TRX));
  assert.deepEqual(first.fee, { currency: 'TRX', parts: 1_100_000n, isMaximum: true });
  await world.rail.payout.send(first);
  await world.blocks(20);
  const second = made(await prepare('TRX', to, 2n * TRX));
  assert.ok(second.fee.parts > 260_000n && second.fee.parts < 280_000n);
  const found = await world.rail.payout.find(first);
  assert.ok(found.outcome === 'mined' && found.isFinalised && found.fee === 1_100_000n);
});

test('estimates the fee that a payout to an address then burns, about twice as much for a new holder', async () => {
  const { payout } = world.rail;
  const to = await world.receiver();
  const costOf = (currency: string, of: Fields) => payout.estimateFor?.(currency, of) ?? assert.fail('estimates nothing');
  const sendOf = async (currency: string): Promise<bigint> => {
    const attempt = made(await prepare(currency, to, TRX));
    await payout.send(attempt);
    await world.blocks(20);
    const found = await payout.find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok);
    return found.fee;
  };
  for (const currency of ['USDT_TRC20', 'TRX']) {
    const [usual, before] = [await payout.estimate(currency), await costOf(currency, to)];
    assert.deepEqual(before, usual, `${currency}: the general estimate assumes a new holder`);
    const burnt = await sendOf(currency);
    const after = await costOf(currency, to);
    assert.ok(after.parts * 10n < before.parts * 6n, `${currency}: ${after.parts} of ${before.parts}`);
    // Sums differ by a few bytes in length, and so does their bandwidth.
    const near = (one: bigint, other: bigint) => assert.ok(one - other < 10_000n && other - one < 10_000n, `${one}, ${other}`);
    near(before.parts, burnt);
    near(after.parts, await sendOf(currency));
  }
  world.chain.customer.block(toHex(to['address'] as string), true);
  await assert.rejects(costOf('USDT_TRC20', to), 'a blocked receiver has no estimate');
  world.chain.customer.block(toHex(to['address'] as string), false);
});

test('makes two transactions of two equal payouts to one receiver', async () => {
  const to = await world.receiver();
  const [one, two] = [made(await prepare('TRX', to, TRX)), made(await prepare('TRX', to, TRX))];
  assert.notEqual(one.reference, two.reference);
  assert.ok(one.spends.every((spend) => !two.spends.includes(spend)));
  assert.ok(one.expiresAt && one.expiresAt.getTime() > (world.chain.chain.block(world.chain.chain.height)?.time ?? 0));
});

test('signs nothing that lacks funds, would fail, or that the signer refuses', async () => {
  const to = await world.receiver();
  const request = world.requests.length;
  assert.equal(reason(await prepare('USDT_TRC20', to, 10n ** 12n)), 'no_float');
  assert.equal(reason(await prepare('TRX', to, 1_600n * TRX)), 'no_float', 'TRX set aside for fees is not paid out');
  assert.equal(reason(await prepare('TRX', { address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdh' }, TRX)), 'refused');
  world.chain.customer.block(toHex(to['address'] as string), true);
  assert.equal(reason(await prepare('USDT_TRC20', to, TRX)), 'refused', 'a blocked receiver');
  assert.equal(world.requests.length, request);
  world.refuse = 'daily_cap: 1';
  assert.equal(reason(await prepare('TRX', to, TRX)), 'signer_refused');
  world.chain.faults.set({ errors: 1 });
  assert.equal(reason(await prepare('TRX', to, TRX)), 'unavailable');
  world.chain.faults.set({});
});

test('prepares no payout of tokens without TRX for fees, or with a fee above the cap', async () => {
  const poor = await tronWorld({ setAside: 10n * TRX });
  const item = { id: 'a', currency: 'USDT_TRC20', to: await poor.receiver(), parts: TRX };
  assert.equal(reason(await poor.rail.payout.prepare([item], poor.state())), 'no_fuel');
  await poor.close();
  const careful = await tronWorld({ config: { maxFee: TRX } });
  assert.equal(
    reason(await careful.rail.payout.prepare([{ ...item, to: await careful.receiver() }], careful.state())),
    'fee_cap',
  );
  await careful.close();
});

test('a broadcast with a lost answer is unknown, and is found later', async () => {
  const to = await world.receiver();
  const attempt = made(await prepare('TRX', to, TRX));
  world.chain.faults.set({ lost_replies: 1 });
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
  world.chain.faults.set({});
  assert.deepEqual(
    await world.rail.payout.find(attempt),
    { outcome: 'pending', txid: attempt.reference },
    'the node holds it as pending',
  );
  await world.blocks(1);
  assert.equal((await world.rail.payout.find(attempt)).outcome, 'mined');
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted', 'a duplicate of a mined transaction is no failure');
  assert.equal(await world.chain.balance('TRX', to['address'] ?? ''), '1.000000', 'once');
});

test('reports a mined transfer without effect as failed, with the TRX that it burnt', async () => {
  const to = await world.receiver();
  const attempt = made(await prepare('USDT_TRC20', to, TRX));
  await world.rail.payout.send(attempt);
  world.chain.customer.block(toHex(world.hot), true);
  const found = await world.rail.payout.find(attempt);
  assert.ok(found.outcome === 'mined' && !found.ok && found.fee > 0n);
  world.chain.customer.block(toHex(world.hot), false);
});

test('the signer believes only the chain that a transaction is over', async () => {
  const to = await world.receiver();
  const [lost, sent] = [made(await prepare('TRX', to, TRX)), made(await prepare('TRX', to, TRX))];
  await world.rail.payout.send(sent);
  await world.blocks(40);
  assert.equal(await world.signing.isOver?.(lost.spends), false, 'before its expiration');
  await world.expire?.();
  await world.blocks(19);
  assert.equal(await world.signing.isOver?.(lost.spends), false, 'its expiration isn’t solid');
  await world.blocks(21);
  assert.equal(await world.signing.isOver?.(lost.spends), true);
  assert.equal(await world.signing.isOver?.(sent.spends), false, 'a mined transaction is never over');
  assert.equal(await world.signing.isOver?.([]), false);
});
