import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';
import { type Answer, type Call, type NodeProxy, openProxy, withoutOldStates } from './node-proxy.testing.ts';
import { hex } from './client.ts';
import { evmPublicKeys, evmRail } from './index.ts';
import { type EvmWorld, SEED, evmWorld } from './world.testing.ts';

const ETHER = 10n ** 18n;
const SCAN = 70;
const noSigner = { sign: async () => ({ ok: false as const, reason: 'no signer' }) };

let world: EvmWorld;
let proxy: NodeProxy;
before(async () => {
  world = await evmWorld({ about: 'coin', funds: '0', fuel: '0', config: { scanBlocks: SCAN, logBlocks: 4, logAddresses: 3 } });
});
beforeEach(async () => {
  proxy = await openProxy(world.config.rpc);
});
afterEach(() => proxy.close());
after(() => world.close());

async function address(currency = 'ETH'): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency, to: world.rail.payin.instruct(currency, world.nextIndex()).to, sinceHeight: height };
}

const addresses = (count: number, currency = 'ETH'): Promise<ReceivingAddress[]> =>
  Promise.all(Array.from({ length: count }, () => address(currency)));
const payCoin = ({ to }: ReceivingAddress, sum = ETHER) => world.chain.customer.payCoin(to as `0x${string}`, sum);
const payTokens = ({ to }: ReceivingAddress, sum = 3_000_000n) => world.chain.customer.payTokens(to as `0x${string}`, sum);

/** Returns a rail without any memory, as after a restart of its process. */
const worker = () => evmRail({ ...world.config, rpc: proxy.url }, evmPublicKeys(SEED), noSigner);

/** Polls once. Returns the payments, and the addresses that were not read completely. */
async function poll(rail: ReturnType<typeof worker>, ...watched: ReceivingAddress[]) {
  const left = new Map<string, Unread>();
  const seen = (await rail.payin?.observe(watched, (unread) => left.set(unread.to, unread))) ?? [];
  return { seen, left };
}

const isPaid = (seen: readonly ObservedPayment[], { to }: ReceivingAddress): boolean =>
  seen.some((observedPayment) => observedPayment.to === to);

/** Pays addresses one after the other while nobody polls, and mines `apart` blocks after each. */
async function outage(
  count: number,
  apart: number,
  pay: (address: ReceivingAddress) => Promise<unknown>,
): Promise<ReceivingAddress[]> {
  const watched = await addresses(count);
  for (const one of watched) {
    await pay(one);
    await world.blocks(apart);
  }
  return watched;
}

test('finds coin paid during a long outage: each poll continues where the last one stopped', async () => {
  const watched = await outage(9, 30, (one) => payCoin(one));
  const fresh = await address();
  await payCoin(fresh);
  await world.blocks(1);
  proxy.change = withoutOldStates;
  const rail = worker();
  const found = new Set<string>();
  let polls = 0;
  for (let open = true; open; polls += 1) {
    proxy.blocks = 0;
    const { seen, left } = await poll(rail, ...watched, fresh);
    assert.ok(isPaid(seen, fresh), 'a fresh payment is shown meanwhile');
    assert.ok(proxy.blocks <= SCAN + 65 || polls === 0, `${proxy.blocks} blocks in one poll`);
    for (const { to } of seen) found.add(to);
    open = left.size > 0;
    assert.ok(polls < 12, 'the polls end');
  }
  assert.ok(polls > 1, 'one poll was not enough');
  assert.equal(found.size, watched.length + 1);
  assert.equal((await poll(rail, ...watched)).seen.length, watched.length, 'the payments are remembered');
});

test('a restarted process continues where the last one stopped, and misses no payment', async () => {
  const watched = await outage(6, 30, (one) => payCoin(one));
  proxy.change = withoutOldStates;
  const found = new Set<string>();
  let handed = watched;
  for (let polls = 0; handed.length > 0; polls += 1) {
    assert.ok(polls < 12, 'the polls end');
    const { seen, left } = await poll(worker(), ...handed);
    for (const { to } of seen) found.add(to);
    handed = handed.flatMap((one) => {
      const readOn = left.get(one.to)?.readOn;
      return left.has(one.to) ? [{ ...one, ...(readOn !== undefined && { readOn }) }] : [];
    });
  }
  assert.deepEqual([...found].toSorted(), watched.map(({ to }) => to).toSorted());
});

test('finds tokens paid long ago span by span, without a delay for addresses near the head', async () => {
  const old = await address('USDT_ERC20');
  await payTokens(old);
  await world.blocks(340);
  await payTokens(old, 5_000_000n);
  const fresh = await address('USDT_ERC20');
  await payTokens(fresh);
  await world.blocks(1);
  const rail = worker();
  const first = await poll(rail, old, fresh);
  assert.ok(isPaid(first.seen, fresh) && !first.left.has(fresh.to));
  assert.ok(first.left.has(old.to), 'the old one is reported as unread');
  let last = first;
  for (let polls = 0; last.left.size > 0; polls += 1) {
    assert.ok(polls < 4, 'the polls end');
    last = await poll(rail, old, fresh);
  }
  assert.deepEqual(
    last.seen.filter(({ to }) => to === old.to).map(({ parts }) => parts),
    [3_000_000n, 5_000_000n],
  );
});

/** Changes the answers to calls of a method whose parameters contain a word. */
const about =
  (method: string, word: string, otherwise: (answer: Answer) => Answer) =>
  (call: Call, answer: Answer): Answer =>
    call.method === method && JSON.stringify(call.params).toLowerCase().includes(word.toLowerCase()) ? otherwise(answer) : answer;

const refused = ({ id }: Answer): Answer => ({ id, error: { code: -32_005, message: 'query returned more than 10000 results' } });

test('leaves only that address unread whose transfers the node can’t list, and reads it later', async () => {
  const [dusty, ...others] = (await addresses(4, 'USDT_ERC20')) as [ReceivingAddress, ...ReceivingAddress[]];
  for (const one of [dusty, ...others]) await payTokens(one);
  await world.blocks(2);
  proxy.change = about('eth_getLogs', dusty.to.slice(2), refused);
  const rail = worker();
  const { seen, left } = await poll(rail, dusty, ...others);
  assert.deepEqual([...left.keys()], [dusty.to]);
  assert.match(left.get(dusty.to)?.detail ?? '', /10000 results/);
  for (const one of others) assert.ok(isPaid(seen, one));
  proxy.change = (_call, answer) => answer;
  const again = await poll(rail, dusty, ...others);
  assert.ok(isPaid(again.seen, dusty) && again.left.size === 0);
});

test('requests a list that is too long in parts', async () => {
  const watched = await addresses(3, 'USDT_ERC20');
  for (const one of watched) await payTokens(one);
  await world.blocks(1);
  proxy.change = (call, answer) => {
    if (call.method !== 'eth_getLogs') return answer;
    const [{ fromBlock, toBlock, topics }] = call.params as [{ fromBlock: string; toBlock: string; topics: string[][] }];
    return fromBlock === toBlock && topics[2]?.length === 1 ? answer : refused(answer);
  };
  const { seen, left } = await poll(worker(), ...watched);
  assert.deepEqual([seen.length, left.size], [3, 0]);
});

for (const [what, otherwise] of [
  ['is missing', ({ id }: Answer): Answer => ({ id, result: null })],
  ['is of another block', (answer: Answer) => withField(answer, 'blockHash', `0x${'7'.repeat(64)}`)],
  ['has an unknown status', (answer: Answer) => withField(answer, 'status', '0x5')],
  ['is refused by the node', refused],
] as const) {
  test(`leaves only that address unread whose payment’s receipt ${what}, and reads it later`, async () => {
    const [odd, good] = (await addresses(2)) as [ReceivingAddress, ReceivingAddress];
    const [{ txid }] = [await payCoin(odd), await payCoin(good)];
    const tokens = await payTokens(odd);
    await world.blocks(1);
    const rail = worker();
    for (const hash of [txid, tokens.txid]) {
      proxy.change = about('eth_getTransactionReceipt', hash, otherwise);
      const { seen, left } = await poll(rail, odd, good);
      assert.deepEqual([...left.keys()], [odd.to]);
      assert.ok(isPaid(seen, good));
      assert.ok(!seen.some((one) => one.txid === hash));
      await world.blocks(70);
    }
    proxy.change = (_call, answer) => answer;
    const { seen, left } = await poll(rail, odd, good);
    assert.deepEqual([seen.length, left.size], [3, 0], 'shown once it can be proved, also much later');
  });
}

const withField = (answer: Answer, name: string, value: unknown): Answer => ({
  ...answer,
  result: { ...(answer.result as object), [name]: value },
});

for (const [what, spoil] of [
  ['an impossible amount', { value: '5.5' }],
  ['an impossible hash', { hash: '0x1' }],
  ['no receiver', { to: undefined }],
  ['an impossible sender', { from: '0x12' }],
  ['no sender', { from: null }],
] as const) {
  test(`leaves out a transaction with ${what}, and reads the others`, async () => {
    const [good, other] = (await addresses(2)) as [ReceivingAddress, ReceivingAddress];
    await payCoin(good);
    const { txid } = await payCoin(other);
    await world.blocks(1);
    proxy.change = (call, answer) => {
      if (call.method !== 'eth_getBlockByNumber' || call.params[1] !== true) return answer;
      const { transactions } = answer.result as { transactions: { hash: string }[] };
      return withField(
        answer,
        'transactions',
        transactions.map((one) => (one.hash === txid ? { ...one, ...spoil } : one)),
      );
    };
    assert.ok(isPaid((await poll(worker(), good, other)).seen, good));
  });
}

for (const [name, value] of [
  ['data', '0x'],
  ['data', '-1'],
  ['blockNumber', '5.5'],
  ['transactionHash', null],
  ['topics', null],
  ['address', 7],
] as const) {
  test(`leaves out a log whose ${name} is ${value}, and reads the others`, async () => {
    const [good, other] = (await addresses(2, 'USDT_ERC20')) as [ReceivingAddress, ReceivingAddress];
    await payTokens(good);
    const { txid } = await payTokens(other);
    await world.blocks(1);
    proxy.change = (call, answer) => {
      if (call.method !== 'eth_getLogs') return answer;
      const logs = answer.result as { transactionHash: string }[];
      return { ...answer, result: logs.map((log) => (log.transactionHash === txid ? { ...log, [name]: value } : log)) };
    };
    assert.ok(isPaid((await poll(worker(), good, other)).seen, good));
  });
}

test('leaves an address unread if its log has another height than the log’s block', async () => {
  const [odd, good] = (await addresses(2, 'USDT_ERC20')) as [ReceivingAddress, ReceivingAddress];
  await world.blocks(8);
  await payTokens(good);
  const { txid } = await payTokens(odd);
  await world.blocks(1);
  proxy.change = (call, answer) => {
    if (call.method !== 'eth_getLogs') return answer;
    const logs = answer.result as { transactionHash: string }[];
    const low = hex(odd.sinceHeight + 1);
    return { ...answer, result: logs.map((log) => (log.transactionHash === txid ? { ...log, blockNumber: low } : log)) };
  };
  const { seen, left } = await poll(worker(), odd, good);
  assert.deepEqual([[...left.keys()], isPaid(seen, odd), isPaid(seen, good)], [[odd.to], false, true]);
});

test('refuses a newest block far above the node’s block number, and reads no address up to there', async () => {
  const [coin, tokens] = [await address(), await address('USDT_ERC20')];
  const rail = worker();
  await poll(rail, coin, tokens);
  proxy.change = ({ params }, answer) => (params[0] === 'latest' ? withField(answer, 'number', '0x7fffffff') : answer);
  await assert.rejects(poll(rail, coin, tokens));
  proxy.change = (_call, answer) => answer;
  await payCoin(coin);
  await payTokens(tokens);
  await world.blocks(1);
  assert.equal((await poll(rail, coin, tokens)).seen.length, 2);
});

test('leaves only its own address unread if one call of a batch has no result', async () => {
  const [odd, good] = (await addresses(2)) as [ReceivingAddress, ReceivingAddress];
  await payCoin(odd);
  await payCoin(good);
  await world.blocks(1);
  for (const otherwise of [({ id }: Answer): Answer => ({ id }), ({ id }: Answer): Answer => ({ id: id + 1_000 })]) {
    proxy.change = about('eth_getBalance', odd.to, otherwise);
    const { seen, left } = await poll(worker(), odd, good);
    assert.deepEqual([[...left.keys()], isPaid(seen, good)], [[odd.to], true]);
  }
});

test('leaves only that address unread whose balance is impossible', async () => {
  const [odd, good] = (await addresses(2)) as [ReceivingAddress, ReceivingAddress];
  await payCoin(odd);
  await payCoin(good);
  await world.blocks(1);
  proxy.change = about('eth_getBalance', odd.to, ({ id }) => ({ id, result: '-1' }));
  const { seen, left } = await poll(worker(), odd, good);
  assert.deepEqual([[...left.keys()], isPaid(seen, good)], [[odd.to], true]);
});

test('a settled block that the node lacks stops only addresses that changed from there on', async () => {
  const [early] = (await outage(1, 70, (one) => payCoin(one))) as [ReceivingAddress];
  const [hidden] = (await outage(1, 1, (one) => payCoin(one))) as [ReceivingAddress];
  const { height } = await world.rail.payin.tip();
  const lacking: string[] = [hex(height - 1), hex(height)];
  await world.blocks(80);
  proxy.change = (call, answer) => {
    if (call.method !== 'eth_getBlockByNumber' || call.params[1] !== true) return answer;
    return lacking.includes(call.params[0] as string) ? { id: answer.id, result: { number: '0x0' } } : answer;
  };
  const rail = worker();
  const { seen, left } = await poll(rail, early, hidden);
  assert.ok(isPaid(seen, early) && !left.has(early.to));
  assert.ok(!isPaid(seen, hidden) && left.has(hidden.to));
  proxy.change = (_call, answer) => answer;
  assert.ok(isPaid((await poll(rail, early, hidden)).seen, hidden));
});

test('reads by a head with an impossible gas price or finalised block, and makes nothing final by it', async () => {
  const watched = await address();
  await payCoin(watched);
  await world.blocks(1);
  for (const [at, name, value] of [
    ['latest', 'baseFeePerGas', '-1'],
    ['finalized', 'number', '0x7fffffff'],
    ['finalized', 'number', '5.5'],
    ['finalized', 'number', null],
  ] as const) {
    proxy.change = ({ params }, answer) => (params[0] === at ? withField(answer, name, value) : answer);
    const [seen] = (await poll(worker(), watched)).seen;
    assert.ok(seen?.status.at === 'block' && !seen.status.isFinalised, `${name} ${value}`);
  }
});

test('shows the balances of other addresses if one balance is impossible', async () => {
  const [odd, good] = [world.nextIndex(), world.nextIndex()];
  const rail = worker();
  for (const index of [odd, good])
    await payTokens({ currency: 'ETH', to: world.rail.payin.instruct('ETH', index).to, sinceHeight: 0 });
  await world.blocks(1);
  proxy.change = about('eth_call', world.rail.payin.instruct('ETH', odd).to.slice(2), ({ id }) => ({ id, result: '0x' }));
  assert.deepEqual(
    (await rail.sweep?.holdings([odd, good]))?.map(({ index }) => index),
    [good],
  );
  const state = { ...world.state(), indexes: [odd, good] };
  const there = (await rail.reserve(state)).find(({ currency, place: at }) => currency === 'USDT_ERC20' && at === 'deposit');
  assert.equal(there?.parts, 3_000_000n);
});

test('shows tokens if the coin can’t be read, and the coin if tokens can’t', async () => {
  const watched = await address();
  await payTokens(watched);
  await payCoin(watched);
  await world.blocks(1);
  for (const [broken, shown] of [
    ['eth_getBalance', 'USDT_ERC20'],
    ['eth_getLogs', 'ETH'],
  ] as const) {
    proxy.change = (call, answer) => (call.method === broken ? refused(answer) : answer);
    const { seen, left } = await poll(worker(), watched);
    assert.deepEqual([seen.map(({ currency }) => currency), left.has(watched.to)], [[shown], true]);
  }
});
