import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Attempt, Prepared } from '../rail.ts';
import { type TronWorld, tronWorld } from './world.testing.ts';

const TRX = 1_000_000n;
let world: TronWorld;
before(async () => {
  world = await tronWorld({ funds: '100', fuel: '5000' });
});
after(() => world.close());

function made(result: Prepared & { readonly parts?: bigint }): { attempt: Attempt; parts: bigint } {
  assert.ok(result.ok && result.parts !== undefined, result.ok ? '' : `${result.reason}: ${result.detail}`);
  return { attempt: result.attempt, parts: result.parts };
}

async function go(attempt: Attempt): Promise<bigint> {
  world.note(attempt);
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
  await world.blocks(20);
  const found = await world.rail.payout.find(attempt);
  world.note(attempt, true);
  assert.ok(found.outcome === 'mined' && found.ok && found.isFinalised && found.fee <= attempt.fee.parts);
  return found.fee;
}

async function deposit(currency: string, amount: string): Promise<number> {
  const index = world.nextIndex();
  const { to } = world.rail.payin.instruct(currency, index);
  await world.chain.pay({ currency, to, amount, fee: 'normal', isReplaceable: false });
  await world.blocks(20);
  return index;
}

const held = async (currency: string, place: 'hot' | 'deposit'): Promise<bigint> =>
  (await world.rail.reserve(world.state())).find((one) => one.currency === currency && one.place === place)?.parts ?? 0n;

test('collects tokens in two steps and accounts for every sun', async () => {
  const index = await deposit('USDT_TRC20', '25.000001');
  assert.deepEqual(await world.rail.sweep.holdings([index, index + 1000]), [
    { index, currency: 'USDT_TRC20', parts: 25_000_001n, fuelParts: 0n },
  ]);
  const early = await world.rail.sweep.prepare(index, 'USDT_TRC20', 'collect', world.state());
  assert.ok(!early.ok && early.reason === 'no_fuel');

  const [coins, tokens] = [await held('TRX', 'hot'), await held('USDT_TRC20', 'hot')];
  const fuel = made(await world.rail.sweep.prepare(index, 'USDT_TRC20', 'fuel', world.state()));
  const burnt = await go(fuel.attempt);
  assert.equal(burnt, 1_100_000n, 'the address is a new account');
  assert.equal(coins - (await held('TRX', 'hot')), fuel.parts + burnt);
  assert.equal(await held('TRX', 'deposit'), fuel.parts);

  const again = await world.rail.sweep.prepare(index, 'USDT_TRC20', 'fuel', world.state());
  assert.ok(!again.ok && again.reason === 'refused', 'the TRX is there');
  const collected = made(await world.rail.sweep.prepare(index, 'USDT_TRC20', 'collect', world.state()));
  assert.equal(collected.parts, 25_000_001n);
  world.note(collected.attempt);
  const second = await world.rail.sweep.prepare(index, 'USDT_TRC20', 'collect', world.state());
  assert.ok(!second.ok && second.reason === 'unavailable', 'another sweep is under way');
  const fee = await go(collected.attempt);
  assert.equal((await held('USDT_TRC20', 'hot')) - tokens, 25_000_001n);
  assert.equal(await held('TRX', 'deposit'), fuel.parts - fee, 'the TRX left over stays at the address');
  assert.equal(await held('USDT_TRC20', 'deposit'), 0n);
});

test('collects TRX without fuel, and leaves nothing behind', async () => {
  const [coins, left] = [await held('TRX', 'hot'), await held('TRX', 'deposit')];
  const index = await deposit('TRX', '30');
  assert.deepEqual(await world.rail.sweep.holdings([index]), [
    { index, currency: 'TRX', parts: 30n * TRX, fuelParts: 30n * TRX },
  ]);
  const none = await world.rail.sweep.prepare(index, 'TRX', 'fuel', world.state());
  assert.ok(!none.ok && none.reason === 'refused');
  const { attempt, parts } = made(await world.rail.sweep.prepare(index, 'TRX', 'collect', world.state()));
  const fee = await go(attempt);
  assert.equal(parts + fee, 30n * TRX);
  assert.equal((await held('TRX', 'hot')) - coins, parts);
  assert.equal(await held('TRX', 'deposit'), left);
});

test('collects tokens before the TRX at the same address', async () => {
  const index = await deposit('USDT_TRC20', '2');
  const { to } = world.rail.payin.instruct('TRX', index);
  await world.chain.pay({ currency: 'TRX', to, amount: '40', fee: 'normal', isReplaceable: false });
  await world.blocks(20);
  assert.deepEqual(
    (await world.rail.sweep.holdings([index])).map(({ currency }) => currency),
    ['USDT_TRC20'],
  );
});

test('collects only solid deposits: a reorg would make the sweep fail and burn its energy', async () => {
  const index = world.nextIndex();
  const { to } = world.rail.payin.instruct('TRX', index);
  await world.chain.pay({ currency: 'TRX', to, amount: '30', fee: 'normal', isReplaceable: false });
  await world.blocks(5);
  const early = await world.rail.sweep.prepare(index, 'TRX', 'collect', world.state());
  assert.ok(!early.ok && early.reason === 'unavailable');
});
