import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Attempt, Prepared } from '../../rail.ts';
import { type EvmWorld, evmWorld } from '../world.testing.ts';

let world: EvmWorld;
before(async () => {
  world = await evmWorld();
});
after(() => world.close());

const CURRENCY = 'USDT_ERC20';

function made(result: Prepared & { readonly parts?: bigint }): { attempt: Attempt; parts: bigint } {
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
  assert.ok(result.parts !== undefined);
  return { attempt: result.attempt, parts: result.parts };
}

async function go(attempt: Attempt): Promise<{ fee: bigint }> {
  world.note(attempt);
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
  await world.blocks(1);
  const found = await world.rail.payout.find(attempt);
  world.note(attempt, true);
  assert.ok(found.outcome === 'mined' && found.ok);
  return found;
}

async function deposit(parts: bigint): Promise<number> {
  const index = world.nextIndex();
  await world.pay(world.rail.payin.instruct(CURRENCY, index).to, parts);
  await world.blocks(1);
  return index;
}

const held = async (place: string): Promise<bigint> =>
  (await world.rail.reserve()).find((balance) => balance.place === place)?.parts ?? 0n;
const coin = async (address: string): Promise<bigint> =>
  BigInt(await world.chain.chain.call<string>('eth_getBalance', address, 'latest'));

test('sweeps a deposit in two steps, whose amounts agree exactly with the balances', async () => {
  const index = await deposit(25_000_001n);
  const { to } = world.rail.payin.instruct(CURRENCY, index);
  assert.deepEqual(await world.rail.sweep.holdings([index, index + 1000]), [
    { index, currency: CURRENCY, parts: 25_000_001n, fuelParts: 0n },
  ]);
  const early = await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state());
  assert.ok(!early.ok && early.reason === 'no_fuel');

  const [hot, fuel] = [await held('hot'), await held('fuel')];
  const gas = made(await world.rail.sweep.prepare(index, CURRENCY, 'fuel', world.state()));
  assert.deepEqual([world.requests.at(-1)?.purpose, world.requests.at(-1)?.index], ['fuel', index]);
  const { fee } = await go(gas.attempt);
  assert.equal(await coin(to), gas.parts);
  assert.equal(fuel - (await held('fuel')), gas.parts + fee);

  const again = await world.rail.sweep.prepare(index, CURRENCY, 'fuel', world.state());
  assert.ok(!again.ok && again.reason === 'refused', 'the gas money is there');
  const collected = made(await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state()));
  assert.deepEqual([collected.parts, world.requests.at(-1)?.purpose], [25_000_001n, 'sweep']);
  const swept = await go(collected.attempt);
  assert.equal(await held('hot'), hot + 25_000_001n);
  assert.equal(await coin(to), gas.parts - swept.fee);
  assert.equal(await world.received({ address: to }), 0n);
  const left = await coin(to);
  assert.deepEqual(
    await world.rail.sweep.holdings([index]),
    [{ index, currency: 'ETH', parts: left, fuelParts: left }],
    'the rest of the gas can be swept as coin',
  );
  const empty = await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state());
  assert.ok(!empty.ok && empty.reason === 'refused');
});

test('starts no second sweep of an address while one is pending, and counts nonces for each address', async () => {
  const index = await deposit(5_000_000n);
  await go(made(await world.rail.sweep.prepare(index, CURRENCY, 'fuel', world.state())).attempt);
  const { attempt } = made(await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state()));
  assert.equal(attempt.nonce, 0, 'the hot wallet’s nonces are higher');
  world.note(attempt);
  const second = await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state());
  assert.ok(!second.ok && second.reason === 'unavailable');
  await go(attempt);
});

test('replaces stuck gas transfers and sweeps like payouts', async () => {
  const index = await deposit(5_000_000n);
  const { attempt: gas } = made(await world.rail.sweep.prepare(index, CURRENCY, 'fuel', world.state()));
  const fuller = await world.rail.payout.bump!(gas, world.state());
  assert.ok(fuller.ok && world.requests.at(-1)?.purpose === 'fuel' && world.requests.at(-1)?.index === index);
  await go(fuller.attempt);
  const { attempt: collect } = made(await world.rail.sweep.prepare(index, CURRENCY, 'collect', world.state()));
  const dearer = await world.rail.payout.bump!(collect, world.state());
  assert.ok(dearer.ok && world.requests.at(-1)?.purpose === 'sweep');
  assert.deepEqual(dearer.attempt.spends, collect.spends);
});

test('reports a balance once it is above dust', async () => {
  const index = await deposit(9_999n);
  assert.deepEqual(await world.rail.sweep.holdings([index]), []);
  await world.pay(world.rail.payin.instruct(CURRENCY, index).to, 10_000n);
  await world.blocks(1);
  assert.equal((await world.rail.sweep.holdings([index]))[0]?.parts, 19_999n);
});

test('counts unswept deposits in its reserve', async () => {
  const unswept = async (indexes: readonly number[]): Promise<bigint | undefined> => {
    const balances = await world.rail.reserve({ ...world.state(), indexes });
    return balances.find(({ place, currency }) => place === 'deposit' && currency === CURRENCY)?.parts;
  };
  const [a, b] = [await deposit(7_000_000n), await deposit(11_000_001n)];
  assert.equal(await unswept([a, b]), 18_000_001n);
  await world.pay(world.rail.payin.instruct(CURRENCY, a).to, 2n);
  await world.blocks(1);
  assert.equal(await unswept([a, b]), 18_000_003n, 'a second payment to one of them');
  assert.equal(await unswept([b]), 11_000_001n, 'an address that payments no longer names is left out');
});
