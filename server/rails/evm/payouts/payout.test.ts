import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Attempt, Fields, Prepared, WalletState } from '../../rail.ts';
import { carried } from './sending.ts';
import { openChain } from '../chain.ts';
import { evmPublicKeys, evmRail } from '../index.ts';
import { type EvmWorld, SEED, evmWorld } from '../world.testing.ts';

let world: EvmWorld;
before(async () => {
  world = await evmWorld();
});
after(() => world.close());

const item = (to: Fields, parts = world.parts, id = 'p1') => ({ id, currency: world.currency, to, parts });

async function attemptOf(answer: Promise<Prepared>): Promise<Attempt> {
  const result = await answer;
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
  return result.attempt;
}

async function reasonOf(answer: Promise<Prepared>): Promise<string> {
  const result = await answer;
  assert.ok(!result.ok, 'nothing was to be prepared');
  return result.reason;
}

async function paid(attempt: Attempt, blocks = 1): Promise<void> {
  world.note(attempt);
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
  await world.blocks(blocks);
  world.note(attempt, true);
}

const balances = async (): Promise<Record<string, bigint>> => {
  const found = await world.rail.reserve();
  return Object.fromEntries(found.map(({ currency, place, parts }) => [`${currency}:${place}`, parts]));
};

test('a payout moves exactly its amount, and shows the fee that the chain took', async () => {
  const to = await world.receiver();
  const before = await balances();
  const attempt = await attemptOf(world.rail.payout.prepare([item(to)], world.state()));
  assert.deepEqual(world.requests.at(-1), {
    rail: 'evm',
    unsigned: world.requests.at(-1)?.unsigned,
    payouts: ['p1'],
    purpose: 'payout',
  });
  await paid(attempt);
  const found = await world.rail.payout.find(attempt);
  assert.ok(found.outcome === 'mined' && found.ok && !found.isFinalised);
  assert.equal(found.confirmations, 1);
  const after = await balances();
  assert.equal(await world.received(to), world.parts);
  assert.equal((before['USDT_ERC20:hot'] ?? 0n) - (after['USDT_ERC20:hot'] ?? 0n), world.parts);
  assert.equal((before['ETH:fuel'] ?? 0n) - (after['ETH:fuel'] ?? 0n), found.fee);
  assert.ok(found.fee <= attempt.fee.parts && attempt.fee.currency === 'ETH');
  const estimate = await world.rail.payout.estimate(world.currency);
  assert.ok(
    estimate.currency === 'ETH' && estimate.parts * 2n > found.fee && estimate.parts < found.fee * 3n,
    'the estimate is of the same size',
  );
});

test('a send whose reply is lost is in doubt, until the look-up finds it', async () => {
  const to = await world.receiver();
  const attempt = await attemptOf(world.rail.payout.prepare([item(to)], world.state()));
  world.note(attempt);
  world.chain.faults.set({ lost_replies: 1 });
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
  world.chain.faults.set({});
  assert.equal((await world.rail.payout.find(attempt)).outcome, 'pending');
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted', 'the node knows it already');
  await world.blocks(1);
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted', 'its own transaction has used the nonce');
  world.note(attempt, true);
  assert.equal(await world.received(to), world.parts);
});

test('a send that a node refuses stays in doubt while its nonce is free', async () => {
  const to = await world.receiver();
  const attempt = await attemptOf(world.rail.payout.prepare([item(to)], world.state()));
  world.note(attempt);
  const purse = await world.chain.chain.call<string>('eth_getBalance', world.hot, 'latest');
  await world.chain.chain.call('anvil_setBalance', world.hot, '0x0');
  const refused = await world.rail.payout.send(attempt);
  assert.equal(refused.outcome, 'unknown');
  assert.match(refused.outcome === 'unknown' ? refused.reason : '', /funds/i);
  await world.chain.chain.call('anvil_setBalance', world.hot, purse);
  await paid(attempt);
  assert.equal(await world.received(to), world.parts);
});

test('a replacement has the same nonce and transfer at a higher price, and only one of the two is mined', async () => {
  const to = await world.receiver();
  const first = await attemptOf(world.rail.payout.prepare([item(to)], world.state()));
  world.note(first);
  assert.equal((await world.rail.payout.send(first)).outcome, 'accepted');
  const second = await attemptOf(world.rail.payout.bump!(first, world.state()));
  assert.deepEqual([second.spends, second.items, second.nonce], [first.spends, first.items, first.nonce]);
  assert.ok(second.fee.parts > first.fee.parts);
  const chain = openChain(world.config, evmPublicKeys(SEED));
  const [a, b] = [carried(chain, first), carried(chain, second)];
  assert.deepEqual([b.to, b.value, b.contract, b.gas], [a.to, a.value, a.contract, a.gas]);
  assert.equal((await world.rail.payout.send(second)).outcome, 'accepted');
  assert.deepEqual(await world.rail.payout.find(first), { outcome: 'absent', isConclusive: false });
  await world.blocks(65);
  assert.deepEqual(await world.rail.payout.find(first), { outcome: 'absent', isConclusive: true });
  assert.equal((await world.rail.payout.send(first)).outcome, 'refused');
  const found = await world.rail.payout.find(second);
  assert.ok(found.outcome === 'mined' && found.ok && found.isFinalised);
  world.note(first, true);
  assert.equal(await world.received(to), world.parts, 'paid once');
});

test('refuses a blocked receiver before anything is signed', async () => {
  const to = await world.receiver();
  await world.chain.customer.govern('setBlackListed', [to['address'], true]);
  const request = world.requests.length;
  assert.equal(await reasonOf(world.rail.payout.prepare([item(to)], world.state())), 'refused');
  assert.equal(world.requests.length, request);
});

test('a payout to a receiver blocked after the signature is mined, fails, and costs only gas', async () => {
  const to = await world.receiver();
  const attempt = await attemptOf(world.rail.payout.prepare([item(to)], world.state()));
  await world.chain.customer.govern('setBlackListed', [to['address'], true]);
  await paid(attempt);
  const found = await world.rail.payout.find(attempt);
  assert.ok(found.outcome === 'mined' && !found.ok && found.fee > 0n);
  assert.equal(await world.received(to), 0n);
});

test('reuses the nonce of an attempt that was not stored, and trusts rows ahead of the chain', async () => {
  const to = await world.receiver();
  const state = world.state();
  const lost = await attemptOf(world.rail.payout.prepare([item(to)], state));
  const again = await attemptOf(world.rail.payout.prepare([item(to)], state));
  assert.equal(again.nonce, lost.nonce);
  const nonce = lost.nonce ?? 0;
  const ahead: WalletState = { ...state, nextNonce: nonce + 5 };
  assert.equal((await attemptOf(world.rail.payout.prepare([item(to)], ahead))).nonce, nonce + 5);
  const spending: WalletState = { ...state, spent: [`31337:${world.hot.toLowerCase()}:${nonce + 7}`] };
  assert.equal((await attemptOf(world.rail.payout.prepare([item(to)], spending))).nonce, nonce + 8);
});

test('names the reason if float, fuel, a fee within the cap, the signer or the node is missing', async () => {
  const to = await world.receiver();
  assert.equal(await reasonOf(world.rail.payout.prepare([item(to, 10n ** 15n)], world.state())), 'no_float');
  const stingy = evmRail({ ...world.config, maxFeePerGas: 1n }, evmPublicKeys(SEED), {
    sign: async () => ({ ok: false, reason: 'no' }),
  });
  assert.equal(await reasonOf(stingy.payout!.prepare([item(to)], world.state())), 'fee_cap');
  for (const [reason, expected] of [
    ['not_approved: x', 'signer_refused'],
    ['spend_taken: y', 'unavailable'],
    ['unavailable: database', 'unavailable'],
  ] as const) {
    world.refuse = reason;
    assert.equal(await reasonOf(world.rail.payout.prepare([item(to)], world.state())), expected);
  }
  world.refuse = undefined;
  world.chain.faults.set({ errors: 1 });
  assert.equal(await reasonOf(world.rail.payout.prepare([item(to)], world.state())), 'unavailable');
  world.chain.faults.set({});
  await world.chain.chain.mine(1, () => world.chain.chain.call('anvil_setBalance', world.hot, '0x1000'));
  assert.equal(await reasonOf(world.rail.payout.prepare([item(to)], world.state())), 'no_fuel');
  await world.chain.fund({ currency: 'ETH', to: world.hot, amount: '5' });
});

test('reports fresh tokens at once, and as payable 12 blocks later', async () => {
  const before = (await world.rail.reserve()).find(({ place }) => place === 'hot');
  await world.chain.customer.give(world.hot, 'tokens', 7_000_000n);
  const [fresh] = await world.rail.reserve();
  assert.equal(fresh?.parts, (before?.parts ?? 0n) + 7_000_000n);
  assert.equal(fresh?.payable, before?.payable);
  await world.blocks(12);
  const [settled] = await world.rail.reserve();
  assert.equal(settled?.payable, fresh?.parts);
});
