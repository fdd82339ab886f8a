import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { money } from '@kurs/money';
import type { Attempt, Prepared, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { Unreadable } from '../signer.ts';
import { bsc, ethereum } from './config.ts';
import { evmPublicKeys, evmRail, evmSigning } from './index.ts';
import { encodeTransfer } from './payouts/transaction.ts';
import { type EvmWorld, SEED, evmWorld } from './world.testing.ts';

const MILLIONTH = 10n ** 12n;
const noSigner = { sign: async () => ({ ok: false as const, reason: 'no signer' }) };

let world: EvmWorld;
before(async () => {
  world = await evmWorld({ of: 'bsc' });
});
after(() => world.close());

async function receiving(): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency: world.currency, to: world.rail.payin.instruct(world.currency, world.nextIndex()).to, sinceHeight: height };
}

const observe = (...addresses: ReceivingAddress[]): Promise<ObservedPayment[]> => world.rail.payin.observe(addresses);
const address = ({ to }: ReceivingAddress): `0x${string}` => to as `0x${string}`;

function made<P extends Prepared>(result: P): Attempt {
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
  return result.attempt;
}

test('converts payments from 18 decimals to 6, rounded down', async () => {
  const watched = await receiving();
  await world.chain.customer.payTokens(address(watched), 12_340_001n * MILLIONTH + MILLIONTH - 1n);
  await world.blocks(1);
  const [seen] = await observe(watched);
  assert.deepEqual([seen?.currency, seen?.parts], ['USDT_BEP20', 12_340_001n]);
  assert.match(seen?.key ?? '', /^31356:0x[0-9a-f]{64}:\d+$/);
});

test('counts no reverted transfers, fake tokens, empty transfers or dust', async () => {
  const watched = await receiving();
  const { customer } = world.chain;
  await customer.payReverting(address(watched), 5n * 10n ** 18n);
  await customer.payFake(address(watched), 10n ** 24n);
  await customer.poison(world.hot, address(watched));
  await customer.payTokens(address(watched), 10_000n * MILLIONTH - 1n);
  await world.blocks(1);
  assert.deepEqual(await observe(watched), []);
  await customer.payTokens(address(watched), 10_000n * MILLIONTH);
  await world.blocks(1);
  assert.equal((await observe(watched)).length, 1, 'the smallest that counts');
});

test('shares no deposit address with Ethereum, so that a payment on the wrong chain is credited to nobody', async () => {
  const there = evmRail(ethereum({ rpc: world.config.rpc, chainId: 1 }), evmPublicKeys(SEED), noSigner);
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const here = new Set(numbers.map((index) => world.rail.payin.instruct('USDT_BEP20', index).to));
  const theirs = numbers.map((index) => there.payin?.instruct('USDT_ERC20', index).to ?? '');
  assert.ok(theirs.every((to) => !here.has(to)));
  // A customer of an Ethereum order sends the same sum on this chain.
  const index = world.nextIndex();
  const mine = world.rail.payin.instruct('USDT_BEP20', index).to;
  const wrong = there.payin?.instruct('USDT_ERC20', index).to as `0x${string}`;
  await world.chain.customer.payTokens(wrong, 25n * 10n ** 18n);
  await world.blocks(1);
  assert.deepEqual(await observe({ currency: 'USDT_BEP20', to: mine, sinceHeight: 0 }), []);
});

test('pays the exact amount in the contract’s decimals, and the signer reads it in the unit’s', async () => {
  const to = await world.receiver();
  const attempt = made(
    await world.rail.payout.prepare([{ id: 'p1', currency: 'USDT_BEP20', to, parts: 7_000_001n }], world.state()),
  );
  world.note(attempt);
  const request = world.requests.at(-1);
  assert.ok(request);
  assert.deepEqual(world.signing.read(request).outputs, [{ currency: 'USDT_BEP20', to: to['address'], parts: 7_000_001n }]);
  assert.equal(attempt.fee.currency, 'BNB');
  await world.rail.payout.send(attempt);
  await world.blocks(1);
  world.note(attempt, true);
  assert.equal(await world.received(to), 7_000_001n);
});

test('the signer refuses transactions of another chain, and amounts that the unit can’t express', () => {
  const config = bsc({ rpc: world.config.rpc, chainId: 56 });
  const signing = evmSigning(SEED, config);
  const transfer = {
    nonce: 1,
    gas: 65_000n,
    maxFeePerGas: 30n,
    maxPriorityFeePerGas: 1n,
    contract: config.tokens[0]!.contract,
    to: world.hot,
    value: 5n * 10n ** 18n,
  };
  const ask = (chainId: number, value: bigint) => ({
    rail: 'bsc',
    unsigned: encodeTransfer({ ...transfer, chainId, value }),
    payouts: ['p'],
    purpose: 'payout' as const,
  });
  assert.equal(signing.read(ask(56, transfer.value)).outputs[0]?.parts, 5_000_000n);
  assert.throws(() => signing.read(ask(1, transfer.value)), Unreadable);
  assert.throws(() => signing.read(ask(56, transfer.value + 1n)), Unreadable);
});

test('sweeps a deposit with gas in BNB, and leaves fractions of a minor unit there', async () => {
  const index = world.nextIndex();
  const { to } = world.rail.payin.instruct('USDT_BEP20', index);
  await world.chain.customer.payTokens(to as `0x${string}`, 40n * 10n ** 18n + 5n);
  await world.blocks(1);
  const gas = made(await world.rail.sweep.prepare(index, 'USDT_BEP20', 'fuel', world.state()));
  world.note(gas);
  await world.rail.payout.send(gas);
  await world.blocks(1);
  world.note(gas, true);
  const step = await world.rail.sweep.prepare(index, 'USDT_BEP20', 'collect', world.state());
  assert.deepEqual([step.ok && step.parts, gas.fee.currency], [40_000_000n, 'BNB']);
  const collect = made(step);
  world.note(collect);
  await world.rail.payout.send(collect);
  await world.blocks(1);
  world.note(collect, true);
  assert.deepEqual(await world.rail.sweep.holdings([index]), []);
});

test('the payment link names this chain and the amount in the contract’s decimals (EIP-681)', () => {
  const { to } = world.rail.payin.instruct('USDT_BEP20', 7);
  const { usdt } = world.chain.customer.contracts;
  assert.equal(
    world.rail.payin.uri('USDT_BEP20', to, money('USDT', 12_340_001n)),
    `ethereum:${usdt}@31356/transfer?address=${to}&uint256=12340001000000000000`,
  );
});
