import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { HandedOn, ReceivingAddress } from '../../rail.ts';
import { evmPublicKeys, evmRail } from '../index.ts';
import { type EvmWorld, SEED, evmWorld } from '../world.testing.ts';

const ETHER = 10n ** 18n;
let world: EvmWorld;
before(async () => {
  world = await evmWorld({ about: 'coin', funds: '0', fuel: '0' });
});
after(() => world.close());

async function address(): Promise<ReceivingAddress & { readonly to: `0x${string}` }> {
  const { height } = await world.rail.payin.tip();
  return { currency: 'ETH', to: world.rail.payin.instruct('ETH', world.nextIndex()).to as `0x${string}`, sinceHeight: height };
}

/** Returns a rail whose node is configured to give this kind of traces. */
const tracing = (traces: 'debug' | 'filter') =>
  evmRail({ ...world.config, traces }, evmPublicKeys(SEED), { sign: async () => ({ ok: false, reason: 'no signer' }) });

test('coin that a contract hands on is shown by no poll, but by the balance once it is final', async () => {
  const [handed, plain] = [await address(), await address()];
  await world.chain.customer.payThrough(handed.to, ETHER);
  await world.chain.customer.payCoin(plain.to, 2n * ETHER);
  await world.blocks(1);
  assert.deepEqual(
    (await world.rail.payin.observe([handed, plain])).map(({ to }) => to),
    [plain.to],
  );
  assert.equal(
    (await world.rail.payin.lies?.([handed.to]))?.parts.get(handed.to),
    0n,
    'coin that a reorg may remove does not count yet',
  );
  await world.blocks(70);
  const { currency, height, parts } = (await world.rail.payin.lies?.([handed.to, plain.to])) ?? assert.fail();
  assert.equal(currency, 'ETH');
  assert.ok(height > handed.sinceHeight);
  assert.deepEqual([parts.get(handed.to), parts.get(plain.to)], [ETHER, 2n * ETHER]);
});

test('known coin handed on is a payment like any other, by its own transaction', async () => {
  const watched = await address();
  const txid = await world.chain.customer.payThrough(watched.to, ETHER);
  await world.blocks(1);
  const known = {
    ...watched,
    handedOn: [
      { txid, parts: ETHER },
      { txid: `0x${'7'.repeat(64)}`, parts: ETHER },
    ],
  };
  const [seen, ...others] = await world.rail.payin.observe([known]);
  assert.deepEqual(others, [], 'a missing transaction is not shown');
  assert.ok(seen?.status.at === 'block');
  assert.deepEqual(
    [seen.currency, seen.to, seen.parts, seen.txid, seen.status.confirmations],
    ['ETH', watched.to, ETHER, txid, 1],
  );
  const { status, ...payment } = seen;
  const missing = { ...payment, inputs: [], block: { height: status.height, hash: status.hash } };
  assert.deepEqual(await world.rail.payin.seek?.([missing]), [{ is: 'there', sighting: seen }]);
  await world.reorg(1, true);
  await world.blocks(1);
  assert.deepEqual(await world.rail.payin.observe([known]), []);
  assert.equal((await world.rail.payin.seek?.([missing]))?.[0]?.is, 'gone');
});

for (const traces of ['debug', 'filter'] as const) {
  test(`traces (${traces}) show coin handed on, only in the requested blocks`, async () => {
    const watched = await address();
    const { height: from } = await world.rail.payin.tip();
    const txid = await world.chain.customer.payThrough(watched.to, ETHER);
    await world.chain.customer.payCoin(watched.to, 3n * ETHER);
    await world.chain.customer.payThrough((await address()).to, 5n * ETHER);
    await world.blocks(1);
    const { height: to } = await world.rail.payin.tip();
    const search = (blocks: { from: number; to: number }): Promise<readonly HandedOn[]> | undefined =>
      tracing(traces).payin?.traced?.(watched.to, blocks);
    assert.deepEqual(
      await search({ from: from + 1, to }),
      [{ txid, parts: ETHER }],
      'coin that a transaction itself carries is left out',
    );
    assert.deepEqual(await search({ from: 0, to: from }), []);
  });
}

test('searches no traces if the node is not configured to give any', () => {
  assert.equal(world.rail.payin.traced, undefined);
});
