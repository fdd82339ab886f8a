import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fate, Missing, ObservedPayment, ReceivingAddress } from '../../rail.ts';
import { openProxy } from '../node-proxy.testing.ts';
import { evmPublicKeys, evmRail } from '../index.ts';
import { type EvmWorld, SEED, evmWorld } from '../world.testing.ts';

let world: EvmWorld;
before(async () => {
  world = await evmWorld({ about: 'coin', funds: '0', fuel: '0' });
});
after(() => world.close());

const KINDS = ['coin', 'tokens'] as const;

async function paid(kind: (typeof KINDS)[number]): Promise<ObservedPayment> {
  const { height } = await world.rail.payin.tip();
  const to = world.rail.payin.instruct('ETH', world.nextIndex()).to as `0x${string}`;
  const watched: ReceivingAddress = { currency: 'ETH', to, sinceHeight: height };
  const { customer } = world.chain;
  await (kind === 'coin' ? customer.payCoin(to, 10n ** 18n) : customer.payTokens(to, 3_000_000n));
  await world.blocks(1);
  const [seen] = await world.rail.payin.observe([watched]);
  assert.ok(seen);
  return seen;
}

function missing({ status, inputs = [], ...payment }: ObservedPayment): Missing {
  assert.ok(status.at === 'block');
  return { ...payment, inputs, block: { height: status.height, hash: status.hash } };
}

const seek = async (payment: Missing, rail = world.rail as ReturnType<typeof evmRail>): Promise<Fate | undefined> =>
  (await rail.payin?.seek?.([payment]))?.[0];

for (const kind of KINDS) {
  test(`${kind}: an existing payment is there, as a poll would show it`, async () => {
    const seen = await paid(kind);
    assert.deepEqual(await seek(missing(seen)), { is: 'there', sighting: seen });
  });

  test(`${kind}: a payment mined again is there, in its new block`, async () => {
    const seen = await paid(kind);
    await world.reorg(1, false);
    await world.blocks(2);
    const fate = await seek(missing(seen));
    assert.ok(fate?.is === 'there' && fate.sighting.status.at === 'block' && seen.status.at === 'block');
    assert.equal(fate.sighting.key, seen.key);
    assert.notEqual(fate.sighting.status.hash, seen.status.hash);
  });

  test(`${kind}: a missing or wrong receipt proves nothing while the payment’s block stands`, async () => {
    const seen = await paid(kind);
    const proxy = await openProxy(world.config.rpc);
    const rail = evmRail({ ...world.config, rpc: proxy.url }, evmPublicKeys(SEED), {
      sign: async () => ({ ok: false, reason: 'no signer' }),
    });
    try {
      for (const result of [
        null,
        { status: '0x1', blockHash: `0x${'7'.repeat(64)}`, blockNumber: '0x1', logs: [] },
        { status: '0x0' },
      ]) {
        proxy.change = ({ method }, answer) => (method === 'eth_getTransactionReceipt' ? { id: answer.id, result } : answer);
        assert.equal((await seek(missing(seen), rail))?.is, 'unknown', JSON.stringify(result));
      }
      proxy.change = ({ method, params }, answer) =>
        method === 'eth_getTransactionReceipt' ||
        (method === 'eth_getBlockByNumber' && params[0] !== 'latest' && params[0] !== 'finalized')
          ? { id: answer.id, result: null }
          : answer;
      assert.equal((await seek(missing(seen), rail))?.is, 'unknown', 'a missing block does not prove another one');
    } finally {
      await proxy.close();
    }
  });

  test(`${kind}: a payment is gone once another block stands at its height, with the tip as evidence`, async () => {
    const seen = await paid(kind);
    const { height } = await world.rail.payin.tip();
    await world.reorg(1, true);
    await world.blocks(1);
    const fate = await seek(missing(seen));
    assert.ok(fate?.is === 'gone' && fate.by.kind === 'block' && seen.status.at === 'block');
    assert.equal(fate.by.height, seen.status.height);
    assert.notEqual(fate.by.hash, seen.status.hash);
    assert.ok(fate.by.tip >= height);
  });
}

test('one payment that can’t be queried does not affect the others', async () => {
  const [odd, good] = [await paid('coin'), await paid('tokens')];
  const proxy = await openProxy(world.config.rpc);
  const rail = evmRail({ ...world.config, rpc: proxy.url }, evmPublicKeys(SEED), {
    sign: async () => ({ ok: false, reason: 'no signer' }),
  });
  proxy.change = ({ params }, answer) =>
    params[0] === odd.txid ? { id: answer.id, error: { code: -32_000, message: 'internal error' } } : answer;
  const fates = await rail.payin?.seek?.([missing(odd), missing(good)]);
  await proxy.close();
  assert.deepEqual(
    fates?.map(({ is }) => is),
    ['unknown', 'there'],
  );
});
