import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { money } from '@kurs/money';
import type { Attempt, Prepared, RailBalance, ObservedPayment, ReceivingAddress } from '../../rail.ts';
import { Unreachable } from '../client.ts';
import { openProxy } from '../node-proxy.testing.ts';
import { evmPublicKeys, evmRail } from '../index.ts';
import { type EvmWorld, SEED, evmWorld } from '../world.testing.ts';

const ETHER = 10n ** 18n;
const DUST = 10n ** 14n;
const noSigner = { sign: async () => ({ ok: false as const, reason: 'no signer' }) };

let world: EvmWorld;
before(async () => {
  world = await evmWorld({ about: 'coin', config: { scanBlocks: 110 } });
});
after(() => world.close());

type Place = ReceivingAddress & { readonly index: number };

async function place(currency = 'ETH'): Promise<Place> {
  const index = world.nextIndex();
  const { height } = await world.rail.payin.tip();
  return { index, currency, to: world.rail.payin.instruct(currency, index).to, sinceHeight: height };
}

const observe = (...addresses: ReceivingAddress[]): Promise<ObservedPayment[]> => world.rail.payin.observe(addresses);
const address = ({ to }: ReceivingAddress): `0x${string}` => to as `0x${string}`;
const freshRail = (rpc = world.config.rpc) => evmRail({ ...world.config, rpc }, evmPublicKeys(SEED), noSigner);

function made<P extends Prepared>(result: P): Attempt {
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
  return result.attempt;
}

const reasonOf = async (answer: Promise<Prepared>): Promise<string> => {
  const result = await answer;
  return result.ok ? 'prepared' : result.reason;
};

async function go(attempt: Attempt): Promise<void> {
  world.note(attempt);
  assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
  await world.blocks(1);
  world.note(attempt, true);
}

test('shows coin once it is in a block, under its transaction’s key, exact to the wei', async () => {
  const watched = await place();
  const { txid, from } = await world.chain.customer.payCoin(address(watched), ETHER + 1n);
  assert.deepEqual(await observe(watched), [], 'in the mempool only');
  await world.blocks(1);
  const [seen] = await observe(watched);
  assert.deepEqual(
    { ...seen, status: seen?.status.at },
    {
      key: `31337:${txid}:native`,
      currency: 'ETH',
      to: watched.to,
      parts: ETHER + 1n,
      txid,
      from: [from],
      status: 'block',
    },
  );
  await world.blocks(70);
  const [final] = await observe(watched);
  assert.ok(final?.status.at === 'block' && final.status.isFinalised && final.status.confirmations === 71);
  assert.deepEqual(await freshRail().payin?.observe([watched]), [final], 'a process without any memory reads the same');
});

test('counts no dust, empty transfers, coin to others or coin that a contract hands on', async () => {
  const watched = await place();
  const { customer } = world.chain;
  await customer.payCoin(address(watched), DUST - 1n);
  await customer.payCoin(address(watched), 0n);
  await customer.payCoin(customer.address(), ETHER);
  await customer.payThrough(address(watched), ETHER);
  await world.blocks(1);
  const there = BigInt(await world.chain.chain.call<string>('eth_getBalance', watched.to, 'latest'));
  assert.equal(there, ETHER + DUST - 1n, 'the balance shows it');
  assert.deepEqual(await observe(watched), []);
  await customer.payCoin(address(watched), DUST);
  await world.blocks(1);
  assert.deepEqual(
    (await observe(watched)).map(({ parts }) => parts),
    [DUST],
  );
});

test('counts no gas that our hot wallet sends to an address', async () => {
  const watched = await place('USDT_ERC20');
  await world.chain.customer.payTokens(address(watched), 25_000_000n);
  await world.blocks(1);
  await go(made(await world.rail.sweep.prepare(watched.index, 'USDT_ERC20', 'fuel', world.state())));
  const seen = await observe(watched);
  assert.deepEqual(
    seen.map(({ currency }) => currency),
    ['USDT_ERC20'],
  );
});

test('shows tokens and coin at one address as two payments', async () => {
  const watched = await place();
  await world.chain.customer.payTokens(address(watched), 3_000_000n);
  await world.chain.customer.payCoin(address(watched), ETHER);
  await world.blocks(1);
  const seen = await observe(watched);
  assert.deepEqual(seen.map(({ currency, parts }) => `${parts} ${currency}`).toSorted(), [
    '1000000000000000000 ETH',
    '3000000 USDT_ERC20',
  ]);
});

test('sweeps an address to the last wei, still shows its payment, and shows a later one', async () => {
  const watched = await place();
  await world.chain.customer.payCoin(address(watched), ETHER);
  await world.blocks(1);
  const [first] = await observe(watched);
  assert.equal(await reasonOf(world.rail.sweep.prepare(watched.index, 'ETH', 'fuel', world.state())), 'refused');
  const step = await world.rail.sweep.prepare(watched.index, 'ETH', 'collect', world.state());
  const attempt = made(step);
  assert.equal((step.ok && step.parts) || 0n, ETHER - attempt.fee.parts);
  assert.deepEqual([world.requests.at(-1)?.purpose, world.requests.at(-1)?.index], ['sweep', watched.index]);
  assert.equal(await reasonOf(world.rail.payout.bump!(attempt, world.state())), 'fee_cap', 'no coin is left for a higher fee');
  await go(attempt);
  const found = await world.rail.payout.find(attempt);
  assert.ok(found.outcome === 'mined' && found.ok && found.fee === attempt.fee.parts, 'the fee is exactly the announced one');
  assert.equal(BigInt(await world.chain.chain.call<string>('eth_getBalance', watched.to, 'latest')), 0n);
  assert.deepEqual(await world.rail.sweep.holdings([watched.index]), []);
  assert.deepEqual(
    (await observe(watched)).map(({ key }) => key),
    [first?.key],
  );
  await world.blocks(70);
  await world.chain.customer.payCoin(address(watched), 2n * ETHER);
  await world.blocks(1);
  for (const rail of [world.rail, freshRail()]) {
    const seen = (await rail.payin?.observe([watched])) ?? [];
    assert.deepEqual(
      seen.map(({ parts }) => parts).toSorted((a, b) => (a < b ? -1 : 1)),
      [ETHER, 2n * ETHER],
    );
  }
});

test('finds old payments by halving, without reading all blocks', async () => {
  const watched = await place();
  await world.chain.customer.payCoin(address(watched), ETHER);
  await world.blocks(300);
  await world.chain.customer.payCoin(address(watched), 2n * ETHER);
  await world.blocks(5);
  const proxy = await openProxy(world.config.rpc);
  try {
    const seen = (await freshRail(proxy.url).payin?.observe([watched])) ?? [];
    assert.deepEqual(
      seen.map(({ parts }) => parts).toSorted((a, b) => (a < b ? -1 : 1)),
      [ETHER, 2n * ETHER],
    );
    assert.ok(proxy.blocks <= 110, `${proxy.blocks} blocks were read`);
  } finally {
    await proxy.close();
  }
});

test('loses no payment of coin by stale, failing, lost or late answers', async () => {
  const { faults } = world.chain;
  const watched = await place();
  await world.chain.customer.payCoin(address(watched), ETHER);
  await world.rail.payin.tip();
  await world.blocks(1);
  assert.equal((await observe(watched)).length, 1);
  for (const rates of [{ stale: 0.5 }, { errors: 0.5 }, { lost_replies: 0.5 }, { delays: 0.5, delay_ms: 20 }]) {
    faults.set(rates);
    for (let round = 0; round < 12; round += 1) {
      await world.blocks(1);
      const seen = await observe(watched).catch((error: unknown) => {
        assert.ok(error instanceof Unreachable, String(error));
        return undefined;
      });
      if (seen) assert.equal(seen.length, 1, JSON.stringify(rates));
    }
    faults.set({});
    assert.equal((await observe(watched)).length, 1, `after ${JSON.stringify(rates)}`);
  }
});

const balance = async (at: RailBalance['place'], fuel?: bigint): Promise<RailBalance> => {
  const { fuel: _fuel, ...state } = world.state();
  const found = await world.rail.reserve({ ...state, ...(fuel !== undefined && { fuel }) });
  return found.find(({ currency, place: where }) => currency === 'ETH' && where === at) as RailBalance;
};

test('reports the coin that the books set aside as fuel and the rest as hot, and fresh coin as not payable', async () => {
  const whole = (await balance('fuel')).parts;
  assert.equal((await balance('hot')).parts, 0n, 'all coin is fuel if the books don’t say');
  assert.deepEqual([(await balance('fuel', 3n)).parts, (await balance('hot', 3n)).parts], [3n, whole - 3n]);
  assert.deepEqual([(await balance('fuel', whole + 1n)).parts, (await balance('hot', whole + 1n)).parts], [whole, 0n]);
  await world.blocks(12);
  const before = await balance('hot', ETHER);
  assert.equal(before.payable, before.parts);
  await world.chain.customer.give(world.hot, 'coin', 7n * ETHER);
  const fresh = await balance('hot', ETHER);
  assert.deepEqual([fresh.parts - before.parts, fresh.payable], [7n * ETHER, before.payable]);
  await world.blocks(12);
  const settled = await balance('hot', ETHER);
  assert.equal(settled.payable, settled.parts);
});

test('takes no payout from the coin set aside for gas, and no gas from the rest', async () => {
  const to = await world.receiver();
  const { parts } = await balance('hot', ETHER);
  const coin = (sum: bigint) => ({ id: 'p', currency: 'ETH', to, parts: sum });
  const tokens = { id: 'p', currency: 'USDT_ERC20', to, parts: 5_000_000n };
  const state = { ...world.state(), fuel: ETHER };
  assert.equal(await reasonOf(world.rail.payout.prepare([coin(parts)], state)), 'prepared');
  assert.equal(await reasonOf(world.rail.payout.prepare([coin(parts + 1n)], state)), 'no_float');
  await world.chain.customer.give(world.hot, 'tokens', 100_000_000n);
  await world.blocks(1);
  assert.equal(await reasonOf(world.rail.payout.prepare([tokens], state)), 'prepared');
  assert.equal(await reasonOf(world.rail.payout.prepare([tokens], { ...state, fuel: 1000n })), 'no_fuel');
  assert.equal(await reasonOf(world.rail.payout.prepare([coin(5n)], { ...state, fuel: 1000n })), 'no_fuel');
});

test('the payment link names chain, receiver and exact amount (EIP-681)', () => {
  const { to } = world.rail.payin.instruct('ETH', 7);
  assert.equal(world.rail.payin.uri('ETH', to, money('ETH', ETHER + 1n)), `ethereum:${to}@31337?value=1000000000000000001`);
  assert.throws(() => world.rail.payin.uri('ETH', to, money('USDT', 1n)));
});
