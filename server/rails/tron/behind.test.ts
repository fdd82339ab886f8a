import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Missing, ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';
import { type NodeProxy, type Json, type Lie, inPagesOf, openProxy } from './node-proxy.testing.ts';
import { tronPublicKeys, tronRail } from './index.ts';
import { SEED, type TronWorld, tronWorld } from './world.testing.ts';

let world: TronWorld;
let proxy: NodeProxy;
before(async () => {
  world = await tronWorld({ funds: '0', fuel: '0' });
});
beforeEach(async () => {
  proxy = await openProxy(world);
});
afterEach(() => proxy.close());
after(() => world.close());

async function address(): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency: 'USDT_TRC20', to: world.rail.payin.instruct('USDT_TRC20', world.nextIndex()).to, sinceHeight: height };
}

const pay = (currency: 'USDT_TRC20' | 'TRX', { to }: ReceivingAddress, amount = '3') =>
  world.chain.pay({ currency, to, amount, fee: 'normal', isReplaceable: false });

async function poll(rail: TronWorld['rail'], ...watched: ReceivingAddress[]) {
  const left = new Map<string, Unread>();
  const seen = await rail.payin.observe(watched, (unread) => left.set(unread.to, unread));
  return { seen, left };
}

const isPaid = (seen: readonly ObservedPayment[], { to }: ReceivingAddress): boolean =>
  seen.some((observedPayment) => observedPayment.to === to);

for (const currency of ['USDT_TRC20', 'TRX'] as const) {
  test(`${currency}: the next poll continues an address with more payments than one poll reads, and delays no other`, async () => {
    const [dusty, other] = [await address(), await address()];
    await pay(currency, other);
    for (let count = 0; count < 23; count += 1) await pay(currency, dusty);
    await world.blocks(20);
    proxy.lie = inPagesOf(2);
    const rail = proxy.rail();
    const first = await poll(rail, dusty, other);
    assert.ok(isPaid(first.seen, other) && !first.left.has(other.to));
    assert.ok(first.left.has(dusty.to), 'reports that there is more');
    let { seen, left } = first;
    for (let polls = 0; left.size > 0; polls += 1) {
      assert.ok(polls < 10, 'the polls end');
      ({ seen, left } = await poll(rail, dusty, other));
    }
    assert.equal(seen.filter(({ to }) => to === dusty.to).length, 23);
  });

  test(`${currency}: a restarted worker continues from the stored position and loses nothing`, async () => {
    const dusty = await address();
    for (let count = 0; count < 23; count += 1) await pay(currency, dusty);
    await world.blocks(20);
    proxy.lie = inPagesOf(2);
    const found = new Set<string>();
    let handed: ReceivingAddress | undefined = dusty;
    for (let polls = 0; handed; polls += 1) {
      assert.ok(polls < 10, 'the polls end');
      const { seen, left } = await poll(proxy.rail(), handed);
      for (const { key } of seen) found.add(key);
      const readOn: string | undefined = left.get(dusty.to)?.readOn;
      handed = readOn === undefined ? undefined : { ...dusty, readOn };
    }
    assert.equal(found.size, 23);
  });
}

test('reads each address in turn when there is no time for all', async () => {
  const watched = [await address(), await address(), await address()];
  // A poll reads eight addresses at the same time, and begins no more once its time is over.
  const others = await Promise.all(Array.from({ length: 8 }, address));
  const hurried = { ...world.config, pollMs: 0 };
  const rail = tronRail(hurried, tronPublicKeys(SEED), {
    sign: async () => ({ ok: false, reason: 'no signer' }),
  }) as TronWorld['rail'];
  const withoutTurn = async (): Promise<string[]> =>
    [...(await poll(rail, ...others, ...watched)).left.values()]
      .filter(({ detail }) => /no time/.test(detail))
      .map(({ to }) => to);
  assert.deepEqual(
    await withoutTurn(),
    watched.map(({ to }) => to),
  );
  const again = await withoutTurn();
  assert.equal(again.length, 3);
  for (const { to } of watched) assert.ok(!again.includes(to), 'the skipped addresses come first now');
});

test('reads all rows of one moment, even more than the usual pages hold', async () => {
  const watched = await address();
  for (let count = 0; count < 15; count += 1) await pay('TRX', watched);
  await world.blocks(20);
  const pages = inPagesOf(2);
  proxy.lie = (path, request, answer) => {
    if (!path.startsWith('/v1')) return undefined;
    const data = (answer['data'] as Json[]).map((row) => ({ ...row, block_timestamp: 1_767_225_700_000 }));
    return pages(path, request, { ...answer, data });
  };
  const rail = proxy.rail();
  assert.equal((await poll(rail, watched)).left.size, 1);
  const { seen, left } = await poll(rail, watched);
  assert.deepEqual([seen.length, left.size], [15, 0]);
});

/** Changes the node's answer to one call about one transaction. */
const about =
  (txid: string, name: string, otherwise: (answer: Json) => Json): Lie =>
  (path, request, answer) =>
    path.includes(name) && request['value'] === txid ? otherwise(answer) : undefined;

for (const [what, name, otherwise] of [
  ['a missing report', 'gettransactioninfobyid', () => ({})],
  ['a report with an invalid height', 'gettransactioninfobyid', (answer: Json) => ({ ...answer, blockNumber: '5.5' })],
  ['a report with an invalid time', 'gettransactioninfobyid', (answer: Json) => ({ ...answer, blockTimeStamp: -1 })],
  ['a report without a result', 'gettransactioninfobyid', ({ receipt: _receipt, ...answer }: Json) => answer],
  ['missing bytes', 'gettransactionbyid', () => ({})],
  ['a node’s own error', 'gettransactioninfobyid', () => ({ Error: 'class java.lang.X : no' })],
] as const) {
  test(`a payment with ${what} is unknown, not gone; other payments and a later proof are seen`, async () => {
    const [odd, good] = [await address(), await address()];
    const { txid } = await pay('USDT_TRC20', odd);
    await pay('TRX', good);
    await world.blocks(20);
    proxy.lie = about(txid, name, otherwise);
    const rail = proxy.rail();
    const { seen, left } = await poll(rail, odd, good);
    assert.deepEqual([[...left.keys()], isPaid(seen, good), isPaid(seen, odd)], [[odd.to], true, false]);
    proxy.lie = () => undefined;
    const again = await poll(rail, odd, good);
    assert.deepEqual([again.left.size, isPaid(again.seen, odd)], [0, true]);
  });
}

for (const [what, spoil] of [
  ['no transaction', { transaction_id: null, txID: null }],
  ['an invalid time', { block_timestamp: '5.5' }],
  ['an invalid sum', { value: -1 }],
  ['no fields', undefined],
] as const) {
  test(`a row of the index with ${what} hides no payment in other rows`, async () => {
    const [good, other] = [await address(), await address()];
    await pay('USDT_TRC20', good);
    await pay('USDT_TRC20', other);
    await world.blocks(20);
    proxy.lie = (path, _asked, answer) =>
      path.startsWith('/v1') && path.includes(other.to)
        ? { ...answer, data: (answer['data'] as Json[]).map((row) => spoil && { ...row, ...spoil }) }
        : undefined;
    assert.ok(isPaid((await poll(proxy.rail(), good, other)).seen, good));
  });
}

test('a list with rows from the future is read again from its beginning', async () => {
  const watched = await address();
  for (let count = 0; count < 15; count += 1) await pay('TRX', watched);
  await world.blocks(20);
  const pages = inPagesOf(2);
  proxy.lie = (path, request, answer) => {
    const shown = pages(path, request, answer);
    const data = shown?.['data'] as Json[] | undefined;
    return data && { ...shown, data: data.map((row) => ({ ...row, block_timestamp: 4_000_000_000_000 })) };
  };
  const { left } = await poll(proxy.rail(), watched);
  assert.equal(left.get(watched.to)?.readOn?.split('/').at(-1), '0');
});

test('rejects a head whose height contradicts its id, and makes nothing final by it', async () => {
  const watched = await address();
  await pay('TRX', watched);
  await world.blocks(1);
  const rail = proxy.rail();
  const higher = (answer: Json, by: number): Json => {
    const header = answer['block_header'] as { raw_data: { number: number } };
    return { ...answer, block_header: { raw_data: { ...header.raw_data, number: header.raw_data.number + by } } };
  };
  for (const view of ['/wallet/getblock', '/walletsolidity/getblock']) {
    proxy.lie = (path, request, answer) => (path === view && request['id_or_num'] === undefined ? higher(answer, 50) : undefined);
    await assert.rejects(poll(rail, watched), view);
  }
  proxy.lie = () => undefined;
  const [seen] = (await poll(rail, watched)).seen;
  assert.ok(seen?.status.at === 'block' && !seen.status.isFinalised);
});

test('leaves out an event with malformed data and counts the others of its transaction', async () => {
  const watched = await address();
  const { txid } = await pay('USDT_TRC20', watched);
  await world.blocks(20);
  proxy.lie = about(txid, 'gettransactioninfobyid', (answer) => {
    const [log] = answer['log'] as Json[];
    return { ...answer, log: [{ ...log, data: 'xyz' }, null, log] };
  });
  const { seen } = await poll(proxy.rail(), watched);
  assert.deepEqual(
    seen.map(({ key }) => key),
    [`${txid}:2`],
  );
});

test('a failed list leaves its address unread, and payments of its other list are still shown', async () => {
  const [odd, good] = [await address(), await address()];
  await pay('USDT_TRC20', odd);
  await pay('TRX', odd);
  await pay('TRX', good);
  await world.blocks(20);
  proxy.lie = (path) => (path.includes(`${odd.to}/transactions/trc20`) ? { success: false } : undefined);
  const { seen, left } = await poll(proxy.rail(), odd, good);
  assert.deepEqual([...left.keys()], [odd.to]);
  assert.deepEqual(
    seen.map(({ to, currency }) => `${to} ${currency}`).toSorted(),
    [`${odd.to} TRX`, `${good.to} TRX`].toSorted(),
  );
});

test('finds a missing payment, proves that another block replaced its block, or reports it unknown', async () => {
  const watched = await address();
  await pay('USDT_TRC20', watched);
  await world.blocks(3);
  const [seen] = await world.rail.payin.observe([watched]);
  assert.ok(seen?.status.at === 'block');
  const { status, ...payment } = seen;
  const missing: Missing = { ...payment, inputs: [], block: { height: status.height, hash: status.hash } };
  const rail = proxy.rail();
  const seek = async () => (await rail.payin.seek?.([missing]))?.[0];
  assert.deepEqual(await seek(), { is: 'there', sighting: seen });
  proxy.lie = (path) => (path.includes('gettransactioninfobyid') ? {} : undefined);
  assert.equal((await seek())?.is, 'unknown', 'a payment that isn’t found proves nothing');
  proxy.lie = (path, request) =>
    path.includes('gettransactioninfobyid') || (path.includes('getblock') && request['id_or_num'] !== undefined) ? {} : undefined;
  assert.equal((await seek())?.is, 'unknown', 'a block that the node lacks is not another block');
  proxy.lie = () => undefined;
  await world.reorg(3, true);
  await world.blocks(1);
  const fate = await seek();
  assert.ok(fate?.is === 'gone' && fate.by.kind === 'block');
  assert.deepEqual([fate.by.height, fate.by.hash === status.hash], [status.height, false]);
});
