import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { money } from '@kurs/money';
import type { ObservedPayment, ReceivingAddress } from '../rail.ts';
import { toHex } from './address.ts';
import { Unreachable } from './client.ts';
import { type NodeProxy, type Json, type Lie, inPagesOf, openProxy } from './node-proxy.testing.ts';
import { tronPublicKeys, tronRail } from './index.ts';
import { SEED, type TronWorld, tronWorld } from './world.testing.ts';

let world: TronWorld;
let proxy: NodeProxy;
let doubtful: TronWorld['rail'];

before(async () => {
  world = await tronWorld({ funds: '100', fuel: '1000' });
  proxy = await openProxy(world);
  doubtful = proxy.rail();
});
after(async () => {
  await proxy.close();
  await world.close();
});

const railAt = (api: string): TronWorld['rail'] =>
  tronRail({ ...world.config, api }, tronPublicKeys(SEED), {
    sign: async () => ({ ok: false, reason: 'no signer' }),
  }) as TronWorld['rail'];

async function address(): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency: 'USDT_TRC20', to: world.rail.payin.instruct('USDT_TRC20', world.nextIndex()).to, sinceHeight: height };
}

const pay = (currency: string, to: string, amount: string) =>
  world.chain.pay({ currency, to, amount, fee: 'normal', isReplaceable: false });
const observe = (...addresses: ReceivingAddress[]): Promise<ObservedPayment[]> => world.rail.payin.observe(addresses);

function block(observedPayment: ObservedPayment | undefined) {
  assert.ok(observedPayment?.status.at === 'block');
  return observedPayment.status;
}

test('shows a payment once it is mined, counts its confirmations, and makes it final when it is solid', async () => {
  const watched = await address();
  const { txid, from } = await pay('USDT_TRC20', watched.to, '12.34');
  assert.deepEqual(await observe(watched), [], 'it is not mined yet');
  await world.blocks(1);
  const [seen] = await observe(watched);
  assert.ok(seen);
  const { status: _standing, ...rest } = seen;
  assert.deepEqual(rest, { key: `${txid}:0`, currency: 'USDT_TRC20', to: watched.to, parts: 12_340_000n, txid, from: [from] });
  assert.deepEqual([block(seen).confirmations, block(seen).isFinalised], [1, false]);
  assert.equal(block(seen).hash, world.chain.chain.mined(txid)?.block.id);
  await world.blocks(18);
  assert.deepEqual(
    [block((await observe(watched))[0]).confirmations, block((await observe(watched))[0]).isFinalised],
    [19, false],
  );
  await world.blocks(1);
  const [solid] = await observe(watched);
  assert.deepEqual([block(solid).confirmations, block(solid).isFinalised], [20, true]);
  await world.blocks(10);
  const later = await observe(watched);
  assert.equal(block(later[0]).confirmations, 30, 'remembered as solid, still counted');
  assert.deepEqual(
    await railAt(world.config.api).payin.observe([watched]),
    later,
    'a process with an empty memory reads the same',
  );
});

test('shows TRX at an address of USDT as TRX, and our own TRX for energy as no payment', async () => {
  const watched = await address();
  const { txid, from } = await pay('TRX', watched.to, '3');
  await world.blocks(20);
  assert.deepEqual(
    (await observe(watched)).map(({ key, currency, parts, from: payers }) => ({ key, currency, parts, payers })),
    [{ key: `${txid}:TRX`, currency: 'TRX', parts: 3_000_000n, payers: [from] }],
  );
  const index = world.nextIndex();
  const { to } = world.rail.payin.instruct('USDT_TRC20', index);
  await world.pay(to, 5_000_000n);
  await world.blocks(20);
  const fuel = await world.rail.sweep.prepare(index, 'USDT_TRC20', 'fuel', world.state());
  assert.ok(fuel.ok);
  await world.rail.payout.send(fuel.attempt);
  await world.blocks(20);
  assert.deepEqual(
    (await observe({ currency: 'USDT_TRC20', to, sinceHeight: 0 })).map(({ currency }) => currency),
    ['USDT_TRC20'],
  );
});

test('ignores reverted transfers, too little energy, fake tokens, TRC-10 tokens and dust', async () => {
  const watched = await address();
  const { customer } = world.chain;
  const to = toHex(watched.to);
  const mined = [
    await customer.fail(to, 5_000_000n, 'REVERT'),
    await customer.fail(to, 5_000_000n, 'OUT_OF_ENERGY'),
    (await customer.pay(to, 'fake', 1_000_000_000n)).txid,
    (await customer.pay(to, 'asset', 1_000_000_000n)).txid,
    (await customer.pay(to, 'tokens', 9_999n)).txid,
    (await customer.pay(to, 'tokens', 0n)).txid,
    (await customer.pay(to, 'coin', 99_999n)).txid,
  ];
  await world.blocks(20);
  for (const txid of mined) assert.ok(world.chain.chain.mined(txid), 'it is in a block');
  assert.deepEqual(await observe(watched), []);
  await customer.pay(to, 'tokens', 10_000n);
  await world.blocks(1);
  assert.deepEqual(
    (await observe(watched)).map(({ parts }) => parts),
    [10_000n],
    'the smallest that counts',
  );
});

test('counts only payments of the index that the node proves', async () => {
  const watched = await address();
  const { txid } = await pay('USDT_TRC20', watched.to, '20');
  await world.blocks(20);
  const about = (path: string, request: Json): boolean => path.includes('gettransactioninfobyid') && request['value'] === txid;
  const lies: [string, Lie, number][] = [
    ['the truth', () => undefined, 1],
    [
      'listed twice',
      (path, _asked, answer) => (path.startsWith('/v1') ? { ...answer, data: twice(answer['data']) } : undefined),
      1,
    ],
    ['in no block', (path, request) => (about(path, request) ? {} : undefined), 0],
    ['reverted', (path, request, answer) => (about(path, request) ? { ...answer, receipt: { result: 'REVERT' } } : undefined), 0],
    ['no receipt', (path, request, { receipt: _receipt, ...answer }) => (about(path, request) ? answer : undefined), 0],
    ['no event', (path, request, { log: _log, ...answer }) => (about(path, request) ? answer : undefined), 0],
    [
      'another contract',
      (path, request, answer) => (about(path, request) ? changed(answer, { address: '00'.repeat(20) }) : undefined),
      0,
    ],
    ['another event', (path, request, answer) => (about(path, request) ? topics(answer, 0, '00'.repeat(32)) : undefined), 0],
    ['another receiver', (path, request, answer) => (about(path, request) ? topics(answer, 2, '00'.repeat(32)) : undefined), 0],
    [
      'a report of another transaction',
      (path, request, answer) => (about(path, request) ? { ...answer, id: '00'.repeat(32) } : undefined),
      0,
    ],
  ];
  for (const [words, reported, count] of lies) {
    proxy.lie = reported;
    const fresh = proxy.rail();
    assert.equal((await fresh.payin.observe([watched], () => {})).length, count, words);
  }
  proxy.lie = (path, request) => (path.startsWith('/walletsolidity') && about(path, request) ? {} : undefined);
  assert.equal(
    block((await doubtful.payin.observe([watched]))[0]).isFinalised,
    false,
    'a payment is solid by the solid view, not by a height',
  );
  proxy.lie = (path, _asked, answer) => (path.startsWith('/v1') ? { ...answer, data: [] } : undefined);
  assert.equal((await doubtful.payin.observe([watched])).length, 1, 'an index that lags removes nothing');
  proxy.lie = () => undefined;
});

const twice = (data: unknown): unknown[] => (data as unknown[]).flatMap((row) => [row, row]);
const logOf = (answer: Json): Json => (answer['log'] as Json[])[0] as Json;
const changed = (answer: Json, change: Json): Json => ({ ...answer, log: [{ ...logOf(answer), ...change }] });
const topics = (answer: Json, at: number, topic: string): Json =>
  changed(answer, { topics: (logOf(answer)['topics'] as string[]).map((one, index) => (index === at ? topic : one)) });

test('counts TRX only if its bytes hash to its id and it succeeded', async () => {
  const watched = await address();
  const { txid } = await pay('TRX', watched.to, '20');
  const other = await pay('TRX', watched.to, '21');
  await world.blocks(20);
  const about = (path: string, request: Json): boolean => path.includes('gettransactionbyid') && request['value'] === txid;
  const raw = world.chain.chain.transaction(other.txid)?.rawHex;
  const lies: [string, Lie, number][] = [
    ['the truth', () => undefined, 2],
    ['bytes of another', (path, request, answer) => (about(path, request) ? { ...answer, raw_data_hex: raw } : undefined), 1],
    [
      'failed',
      (path, request, answer) => (about(path, request) ? { ...answer, ret: [{ contractRet: 'FAILED' }] } : undefined),
      1,
    ],
  ];
  for (const [words, reported, count] of lies) {
    proxy.lie = reported;
    const fresh = proxy.rail();
    assert.equal((await fresh.payin.observe([watched], () => {})).length, count, words);
  }
  proxy.lie = () => undefined;
});

test('reads all pages of an address’s payments', async () => {
  const watched = await address();
  for (let count = 0; count < 5; count += 1) await pay('USDT_TRC20', watched.to, '1');
  await world.blocks(1);
  proxy.lie = inPagesOf(2);
  assert.equal((await doubtful.payin.observe([watched])).length, 5);
  proxy.lie = () => undefined;
});

test('refuses a node that is behind, of another network, or silent', async () => {
  await doubtful.payin.tip();
  const status = async () => [(await doubtful.health()).isUp, (await doubtful.health()).isSilent];
  const old = world.chain.chain.block(world.chain.chain.height - 5);
  proxy.lie = (path) =>
    path === '/wallet/getblock'
      ? { blockID: old?.id, block_header: { raw_data: { number: old?.number, timestamp: old?.time } } }
      : undefined;
  await assert.rejects(doubtful.payin.tip(), Unreachable);
  assert.deepEqual(await status(), [false, true]);
  proxy.lie = (path) =>
    path.includes('triggerconstantcontract') ? { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '6e6f' } } : undefined;
  assert.deepEqual(await status(), [false, false], 'a node of another network doesn’t know the contract');
  proxy.lie = () => undefined;
  assert.equal((await doubtful.health()).isUp, true);
  world.chain.faults.set({ errors: 1 });
  await assert.rejects(observe(await address().catch(() => ({ currency: 'TRX', to: world.hot, sinceHeight: 0 }))), Unreachable);
  world.chain.faults.set({});
});

test('accepts the older block of a slower concurrent call', async () => {
  let held: (() => void) | undefined;
  const slow = world.chain.chain.block(world.chain.chain.height);
  const late = new Promise<void>((done) => (held = done));
  let answered: (() => void) | undefined;
  const isAnswered = new Promise<void>((done) => (answered = done));
  const original = globalThis.fetch;
  let first = true;
  globalThis.fetch = async (...given) => {
    if (first && String(given[0]).endsWith('/wallet/getblock')) {
      first = false;
      const answer = await original(...given);
      answered?.();
      await late;
      return answer;
    }
    return original(...given);
  };
  try {
    const rail = railAt(world.config.api);
    const early = rail.payin.tip();
    await isAnswered;
    await world.blocks(3);
    const { height } = await rail.payin.tip();
    held?.();
    assert.equal((await early).height, slow?.number);
    assert.equal(height, (slow?.number ?? 0) + 3);
    assert.equal((await rail.payin.tip()).height, height);
  } finally {
    held?.();
    globalThis.fetch = original;
  }
});

test('writes a link with the address, the exact amount and the token', () => {
  const { to } = world.rail.payin.instruct('TRX', 3);
  assert.equal(world.rail.payin.uri('TRX', to, money('TRX', 1_500_000n)), `tron:${to}?amount=1.500000`);
  const contract = world.config.tokens[0]?.contract;
  assert.equal(world.rail.payin.uri('USDT_TRC20', to, money('USDT', 1n)), `tron:${to}?amount=0.000001&token=${contract}`);
  assert.throws(() => world.rail.payin.uri('TRX', to, money('USDT', 1n)));
  assert.throws(() => world.rail.payin.instruct('BTC', 3));
});
