import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { money } from '@kurs/money';
import fastify from 'fastify';
import { wallClock } from '../../../platform/index.ts';
import type { ObservedPayment, ReceivingAddress } from '../../rail.ts';
import { Unreachable } from '../client.ts';
import { evmPublicKeys, evmRail } from '../index.ts';
import { type EvmWorld, SEED, evmWorld } from '../world.testing.ts';

let world: EvmWorld;
before(async () => {
  // Small limits, so that every test crosses chunks of addresses and blocks.
  world = await evmWorld({ funds: '0', fuel: '0', config: { logBlocks: 7, logAddresses: 3 } });
});
after(() => world.close());

async function address(): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency: world.currency, to: world.rail.payin.instruct(world.currency, world.nextIndex()).to, sinceHeight: height };
}

const observe = (...addresses: ReceivingAddress[]): Promise<ObservedPayment[]> => world.rail.payin.observe(addresses);

function block(observedPayment: ObservedPayment | undefined) {
  assert.ok(observedPayment?.status.at === 'block');
  return observedPayment.status;
}

test('shows no payment before it is mined, then its confirmations, then that it is finalised', async () => {
  const watched = await address();
  const { txid, from } = await world.chain.pay({
    currency: 'USDT_ERC20',
    to: watched.to,
    amount: '12.34',
    fee: 'normal',
    isReplaceable: false,
  });
  assert.deepEqual(await observe(watched), [], 'in the mempool only');
  await world.blocks(1);
  const [seen] = await observe(watched);
  assert.ok(seen);
  assert.deepEqual(
    { ...seen, status: undefined },
    {
      key: `31337:${txid}:0`,
      currency: 'USDT_ERC20',
      to: watched.to,
      parts: 12_340_000n,
      txid,
      from: [from],
      status: undefined,
    },
  );
  assert.equal(block(seen).confirmations, 1);
  assert.equal(block(seen).isFinalised, false);
  assert.ok(Math.abs(block(seen).minedAt.getTime() - wallClock().getTime()) < 10_000);
  await world.blocks(63);
  assert.deepEqual(
    [block((await observe(watched))[0]).confirmations, block((await observe(watched))[0]).isFinalised],
    [64, false],
  );
  await world.blocks(1);
  const [final] = await observe(watched);
  assert.deepEqual([block(final).confirmations, block(final).isFinalised], [65, true]);
  await world.blocks(10);
  const [later] = await observe(watched);
  assert.equal(block(later).confirmations, 75, 'its confirmations still rise');
  assert.deepEqual(await freshRail().payin?.observe([watched]), [later], 'a process without any memory reads the same');
});

const freshRail = () => evmRail(world.config, evmPublicKeys(SEED), { sign: async () => ({ ok: false, reason: 'no signer' }) });

test('counts no reverted transfers, fake tokens, empty transfers or dust', async () => {
  const watched = await address();
  const { customer } = world.chain;
  const to = watched.to as `0x${string}`;
  const reverted = await customer.payReverting(to, 5_000_000n);
  await customer.payFake(to, 1_000_000_000n);
  await customer.poison(world.hot, to);
  await customer.payTokens(to, 9_999n);
  await world.blocks(1);
  const receipt = await world.chain.chain.call<{ status: string; logs: unknown[] }>('eth_getTransactionReceipt', reverted);
  assert.deepEqual([receipt.status, receipt.logs.length], ['0x0', 0], 'it was mined, and failed');
  assert.deepEqual(await observe(watched), []);
  await customer.payTokens(to, 10_000n);
  await world.blocks(1);
  assert.equal((await observe(watched)).length, 1, 'the smallest that counts');
});

test('counts the amount of the event, which excludes the token’s own fee', async () => {
  const watched = await address();
  await world.chain.customer.govern('setFee', [100n, 1_000_000n]);
  await world.chain.customer.payTokens(watched.to as `0x${string}`, 50_000_000n);
  await world.blocks(1);
  await world.chain.customer.govern('setFee', [0n, 0n]);
  const [seen] = await observe(watched);
  assert.equal(seen?.parts, 49_500_000n);
  assert.equal(await world.received({ address: watched.to }), 49_500_000n);
});

test('reads many addresses with different first heights in chunks, and shows each payment once', async () => {
  const addresses: ReceivingAddress[] = [];
  for (let index = 0; index < 8; index += 1) {
    const watched = await address();
    addresses.push(watched, { ...watched, sinceHeight: watched.sinceHeight + 1 });
    await world.chain.pay({
      currency: 'USDT_ERC20',
      to: watched.to,
      amount: `${index + 1}`,
      fee: 'normal',
      isReplaceable: false,
    });
    await world.blocks(3);
  }
  const seen = await observe(...addresses);
  assert.deepEqual(
    seen.map(({ parts }) => parts).toSorted((a, b) => (a < b ? -1 : 1)),
    [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((units) => units * 1_000_000n),
  );
});

test('ignores payments before the block in which an address was handed out', async () => {
  const watched = await address();
  await world.chain.pay({ currency: 'USDT_ERC20', to: watched.to, amount: '3', fee: 'normal', isReplaceable: false });
  await world.blocks(1);
  const { height } = await world.rail.payin.tip();
  assert.equal((await freshRail().payin?.observe([{ ...watched, sinceHeight: height }]))?.length, 1);
  assert.deepEqual(await freshRail().payin?.observe([{ ...watched, sinceHeight: height + 1 }]), []);
});

test('never shows a payment replaced in the mempool, and hides a reorganized one until it is mined again', async () => {
  const [replaced, dropped] = [await address(), await address()];
  const { from } = await world.chain.pay({
    currency: 'USDT_ERC20',
    to: replaced.to,
    amount: '3',
    fee: 'normal',
    isReplaceable: false,
  });
  await world.chain.customer.replace(from as `0x${string}`);
  await world.blocks(2);
  assert.deepEqual(await observe(replaced), []);
  await world.chain.pay({ currency: 'USDT_ERC20', to: dropped.to, amount: '4', fee: 'normal', isReplaceable: false });
  await world.blocks(2);
  const [before] = await observe(dropped);
  await world.reorg(2, false);
  assert.deepEqual(await observe(dropped), [], 'back in the mempool');
  await world.blocks(2);
  const [again] = await observe(dropped);
  assert.equal(again?.key, before?.key);
  assert.notEqual(block(again).hash, block(before).hash);
});

test('keeps the key of a payment that a reorg moves to another position in its block', async () => {
  const addresses = [await address(), await address()];
  await world.chain.pay({ currency: 'USDT_ERC20', to: addresses[0]?.to ?? '', amount: '3', fee: 'normal', isReplaceable: false });
  await world.chain.customer.give(addresses[1]?.to as `0x${string}`, 'tokens', 4_000_000n);
  const node = world.chain.chain;
  const logs = await node.call<{ transactionHash: string; logIndex: string }[]>('eth_getLogs', {
    fromBlock: 'latest',
    address: world.chain.customer.contracts.usdt,
  });
  const second = logs.find((log) => log.logIndex !== '0x0')?.transactionHash;
  const before = (await observe(...addresses)).find(({ txid }) => txid === second);
  const raw = await node.call<string>('eth_getRawTransactionByHash', second);
  await world.reorg(1, true);
  await node.submit(raw);
  await world.blocks(1);
  const after = await observe(...addresses);
  assert.ok(before);
  assert.deepEqual(
    after.map(({ key }) => key),
    [before.key],
  );
});

test('loses no payment by stale, failing, lost or late answers', async () => {
  const { faults } = world.chain;
  const watched = await address();
  await world.chain.pay({ currency: 'USDT_ERC20', to: watched.to, amount: '3', fee: 'normal', isReplaceable: false });
  await world.rail.payin.tip();
  await world.blocks(1);
  assert.equal((await observe(watched)).length, 1);
  for (const rates of [{ stale: 0.5 }, { errors: 0.5 }, { lost_replies: 0.5 }, { delays: 0.5, delay_ms: 20 }]) {
    faults.set(rates);
    let answered = 0;
    for (let round = 0; round < 12; round += 1) {
      await world.blocks(1);
      const seen = await observe(watched).catch((error: unknown) => {
        assert.ok(error instanceof Unreachable, String(error));
        return undefined;
      });
      if (seen) answered += 1;
      if (seen) assert.equal(seen.length, 1, JSON.stringify(rates));
    }
    faults.set({});
    assert.equal((await observe(watched)).length, 1, `after ${JSON.stringify(rates)}, ${answered} were answered`);
  }
});

/** Starts a provider with two nodes: a current one, and one that stopped at a block. `chosen`: the node that answers. */
async function twoNodes(
  stoppedAt: number,
): Promise<{ url: string; chosen: { heads: 'new' | 'old'; logs: 'new' | 'old' }; close(): Promise<void> }> {
  const chosen: { heads: 'new' | 'old'; logs: 'new' | 'old' } = { heads: 'new', logs: 'new' };
  const server = fastify();
  server.post('/', async (request) => {
    const body = JSON.stringify(request.body);
    const isLogs = body.includes('eth_getLogs');
    const forwarded = chosen.heads === 'old' ? body.replaceAll('"latest"', `"0x${stoppedAt.toString(16)}"`) : body;
    const answer = (await (
      await fetch(world.config.rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body: forwarded })
    ).json()) as object[];
    if (!isLogs || chosen.logs === 'new') return answer;
    return [
      { ...answer[0], result: [] },
      { ...answer[1], result: null },
    ];
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, chosen, close: () => server.close() };
}

test('a stopped node behind a load balancer can neither hide a payment nor shorten the chain', async () => {
  const watched = await address();
  const provider = await twoNodes(watched.sinceHeight);
  try {
    const rail = evmRail({ ...world.config, rpc: provider.url }, evmPublicKeys(SEED), {
      sign: async () => ({ ok: false, reason: 'no signer' }),
    });
    await world.chain.pay({ currency: 'USDT_ERC20', to: watched.to, amount: '3', fee: 'normal', isReplaceable: false });
    await world.blocks(3);
    assert.equal((await rail.payin?.observe([watched]))?.length, 1);
    provider.chosen.heads = 'old';
    await assert.rejects(rail.payin?.observe([watched]) ?? Promise.resolve(), Unreachable);
    await assert.rejects(rail.payin?.tip() ?? Promise.resolve(), Unreachable);
    Object.assign(provider.chosen, { heads: 'new', logs: 'old' });
    await assert.rejects(rail.payin?.observe([watched]) ?? Promise.resolve(), Unreachable);
    provider.chosen.logs = 'new';
    assert.equal((await rail.payin?.observe([watched]))?.length, 1);
  } finally {
    await provider.close();
  }
});

test('gives up a hanging node in time, and reports it in its health', async () => {
  world.chain.faults.set({ hangs: 1 });
  const start = performance.now();
  const health = await world.rail.health();
  world.chain.faults.set({});
  assert.deepEqual([health.isUp, health.isSilent], [false, true]);
  assert.ok(performance.now() - start < 4000);
  assert.equal((await world.rail.health()).isUp, true);
});

test('is down if the node is of another chain', async () => {
  const rail = evmRail({ ...world.config, chainId: 1 }, evmPublicKeys(SEED), {
    sign: async () => ({ ok: false, reason: 'no signer' }),
  });
  const health = await rail.health();
  assert.deepEqual([health.isUp, health.isSilent, health.detail], [false, false, 'The node is of chain 31337, not 1']);
  await assert.rejects(rail.payin?.tip() ?? Promise.resolve(), Unreachable);
});

test('the sandbox’s JSON-RPC offers no method that only the node’s owner may call', async () => {
  const post = async (method: string): Promise<{ error?: { code: number } }> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    return (await (
      await fetch(world.config.rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json()) as object;
  };
  for (const method of [
    'evm_mine',
    'anvil_setBalance',
    'anvil_reorg',
    'eth_accounts',
    'eth_sendTransaction',
    'debug_traceTransaction',
  ]) {
    assert.equal((await post(method)).error?.code, -32_601, method);
  }
  assert.equal((await post('eth_chainId')).error, undefined);
});

test('the payment link names contract, chain, receiver and exact amount (EIP-681)', () => {
  const { to } = world.rail.payin.instruct('USDT_ERC20', 7);
  const usdt = world.chain.customer.contracts.usdt;
  assert.equal(
    world.rail.payin.uri('USDT_ERC20', to, money('USDT', 12_340_001n)),
    `ethereum:${usdt}@31337/transfer?address=${to}&uint256=12340001`,
  );
  assert.throws(() => world.rail.payin.uri('USDT_ERC20', to, money('BTC', 1n)));
  assert.equal(world.rail.payin.code, undefined, 'a code to scan holds the bare address');
});
