import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { percent } from '@kurs/money';
import { type Db, advanceClock, carryWakes } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { closedReason } from './snapshot.ts';
import { seedRates } from './seed.ts';
import { clockMoved, pegOf, readLatest, returnLease, setPeg, takeLease } from './store.ts';
import { type Memory, freshMemory, poll, runRates } from './take-snapshot.ts';
import { latest, now, untilFresh, watchRates } from './watch.ts';

type Name = 'kraken' | 'coinbase' | 'bitstamp';

/** The three markets: a price per source and asset, and their faults. */
const market = {
  prices: {} as Record<Name, Record<'BTC' | 'USDT' | 'ETH', number>>,
  down: new Set<Name>(),
  garbage: new Set<Name>(),
  /** Pairs that Kraken doesn't list. */
  unlisted: new Set<string>(),
  /** The pairs of each call that Kraken got. */
  requested: [] as string[],
};

let db: Db;
let drop: () => Promise<void>;
let server: Server;
let memory: Memory;
const bases: Record<string, string> = {};

const book = (name: Name, asset: string): { bid: string; ask: string } => {
  const price = market.prices[name][asset as 'BTC'];
  return { bid: (price * 0.9999).toFixed(6), ask: (price * 1.0001).toFixed(6) };
};

function answer(name: Name, path: string): unknown {
  if (market.garbage.has(name)) return { price: 'high' };
  if (name === 'kraken') {
    const pairs = new URL(path, 'http://market').searchParams.get('pair')?.split(',') ?? [];
    market.requested.push(pairs.join(','));
    if (pairs.some((pair) => market.unlisted.has(pair))) return { error: ['EQuery:Unknown asset pair'] };
    const result = pairs.map((pair) => {
      const { bid, ask } = book('kraken', { XXBTZUSD: 'BTC', USDTZUSD: 'USDT', XETHZUSD: 'ETH' }[pair] as string);
      return [pair, { a: [ask, '1', '1.0'], b: [bid, '1', '1.0'] }];
    });
    return { error: [], result: Object.fromEntries(result) };
  }
  const asset = (/(btc|usdt|eth)-?usd/i.exec(path) as RegExpExecArray)[1]!.toUpperCase();
  return name === 'coinbase'
    ? { ...book(name, asset), trade_id: 1, time: '2026-01-01T00:00:00Z' }
    : { ...book(name, asset), timestamp: '1767225600' };
}

before(async () => {
  ({ db, drop } = await testDb());
  const seed = JSON.parse(readFileSync(new URL('../bin/seed/defaults.json', import.meta.url), 'utf8')) as {
    assets: { code: string }[];
  };
  // Assets that the markets of this test know.
  const known = seed.assets.filter(({ code }) => ['USD', 'USDT', 'BTC', 'ETH'].includes(code));
  await db.tx((tx) => seedRates(tx, known));
  server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    if (market.down.has(name as Name)) response.writeHead(503).end();
    else response.end(JSON.stringify(answer(name as Name, `/${rest.join('/')}`)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  for (const name of ['kraken', 'coinbase', 'bitstamp'])
    bases[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
});

after(async () => {
  server.close();
  server.closeAllConnections();
  await drop();
});

beforeEach(async () => {
  const each = { BTC: 90_000, USDT: 1, ETH: 3_000 };
  market.prices = { kraken: { ...each }, coinbase: { ...each }, bitstamp: { ...each } };
  market.down.clear();
  market.garbage.clear();
  market.unlisted.clear();
  market.requested = [];
  memory = freshMemory();
  await db.run('delete from rate_snapshot');
  await db.run('delete from rate_guard');
  await db.run('update rate_lease set holder = null, until = null');
});

const urls = () => ({ bases, isSeeded: true });
const take = async (options: Partial<Parameters<typeof poll>[2]> = {}) => {
  assert.ok(await takeLease(db, memory.holder));
  await poll(db, memory, { urls, ...options });
  const snapshot = await readLatest(db);
  assert.ok(snapshot);
  return snapshot;
};
/** Puts every trouble so many minutes into the past. */
const wait = (minutes: number) => db.run(`update rate_guard set troubled_at = troubled_at - $1 * interval '1 minute'`, [minutes]);

test('three sources make a numbered snapshot, open, with pegs', async () => {
  Object.assign(market.prices.kraken, { BTC: 90_010 });
  const snapshot = await take();
  const { assets, sources, isSeeded } = snapshot.body;
  assert.equal(assets['BTC']?.bid, '90000');
  assert.deepEqual([assets['BTC']?.ask, assets['BTC']?.live, assets['BTC']?.closed], ['90000', 3, undefined]);
  assert.deepEqual([assets['USD']?.bid, assets['USD']?.at], ['1', undefined]);
  assert.deepEqual(sources, { kraken: 'ok', coinbase: 'ok', bitstamp: 'ok' });
  assert.equal(isSeeded, true);
  assert.equal(closedReason(snapshot, await db.now(), ['BTC', 'USDT', 'ETH', 'USD']), undefined);
  assert.equal((await take()).version, snapshot.version + 1n);
});

test('two sources: what a customer gives counts at the lower, what they get at the higher', async () => {
  market.down.add('bitstamp');
  Object.assign(market.prices.kraken, { BTC: 90_010 });
  const { body } = await take();
  assert.deepEqual([body.assets['BTC']?.bid, body.assets['BTC']?.ask, body.assets['BTC']?.live], ['90000', '90010', 2]);
  assert.equal(body.sources['bitstamp'], 'failed');
});

test('an answer that is not the documented one is no answer', async () => {
  market.garbage.add('coinbase');
  assert.equal((await take()).body.assets['BTC']?.live, 2);
});

test('a pair that a source doesn’t list loses that source for that asset only, and isn’t asked for again at once', async () => {
  market.unlisted.add('XETHZUSD');
  const first = await take();
  const live = ({ body: { assets } }: typeof first) => ['BTC', 'USDT', 'ETH'].map((code) => assets[code]?.live);
  assert.deepEqual(live(first), [3, 3, 2]);
  assert.equal(first.body.sources['kraken'], 'failed', 'and is told');
  const [whole = '', ...apart] = market.requested;
  assert.deepEqual(apart.toSorted(), whole.split(',').toSorted());
  market.requested = [];
  const second = await take();
  assert.deepEqual([live(second), second.body.sources['kraken']], [[3, 3, 2], 'ok']);
  assert.deepEqual(
    market.requested,
    [
      whole
        .split(',')
        .filter((pair) => pair !== 'XETHZUSD')
        .join(','),
    ],
    'one call for what it has',
  );
  // Ten minutes later it is listed again.
  market.unlisted.clear();
  for (const name of memory.unlisted.keys()) memory.unlisted.set(name, 0);
  assert.deepEqual(live(await take()), [3, 3, 3]);
});

test('a missed answer is bridged for a while by the last one', async () => {
  await take();
  market.down.add('bitstamp').add('coinbase');
  assert.equal((await take()).body.assets['BTC']?.live, 3);
});

test('one source is none: the price stays as it was and grows old, then is closed and owes calm minutes', async () => {
  const open = await take();
  market.down.add('bitstamp').add('coinbase');
  memory = { ...freshMemory(), holder: memory.holder, startedAt: memory.startedAt - 60_000 };
  const silent = await take();
  assert.deepEqual([silent.body.assets['BTC']?.at, silent.body.assets['BTC']?.live], [open.body.assets['BTC']?.at, 0]);
  assert.equal(silent.body.assets['BTC']?.closed, undefined);
  await db.run(
    `update rate_snapshot set body = jsonb_set(body, '{assets,BTC,at}', to_jsonb((clock_now() - interval '31 seconds')::text))`,
  );
  assert.equal(closedReason(await readLatest(db), await db.now(), ['BTC']), 'rates_old');
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates');
  market.down.clear();
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates', 'calm minutes are owed');
  await wait(3);
  assert.equal((await take()).body.assets['BTC']?.closed, undefined);
});

test('a worker that has just started closes nothing by its own absence', async () => {
  await take();
  market.down.add('bitstamp').add('coinbase').add('kraken');
  await db.run(
    `update rate_snapshot set body = jsonb_set(body, '{assets,BTC,at}', to_jsonb((clock_now() - interval '1 hour')::text))`,
  );
  memory = { ...freshMemory(), holder: memory.holder };
  assert.equal((await take()).body.assets['BTC']?.closed, undefined);
  market.down.clear();
  const snapshot = await take();
  assert.equal(closedReason(snapshot, await db.now(), ['BTC']), undefined, 'open at once when it can ask');
});

test('sources apart close an asset until three calm minutes have passed', async () => {
  Object.assign(market.prices.kraken, { BTC: 90_300 });
  const apart = await take();
  assert.equal(apart.body.assets['BTC']?.closed, 'rates_apart');
  assert.equal(apart.body.assets['USDT']?.closed, undefined);
  Object.assign(market.prices.kraken, { BTC: 90_000 });
  await wait(2.9);
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates_apart');
  await wait(0.2);
  assert.equal((await take()).body.assets['BTC']?.closed, undefined);
});

test('sources may differ by half the smallest kept spread where that is more', async () => {
  Object.assign(market.prices.kraken, { BTC: 90_300 });
  assert.equal((await take({ retainedSpread: async () => percent('1') })).body.assets['BTC']?.closed, undefined);
});

test('a jump within a minute closes: 1 % of a stable asset, 3 % of any other', async () => {
  await take();
  for (const prices of Object.values(market.prices)) Object.assign(prices, { BTC: 92_000, USDT: 1.011 });
  const small = await take();
  assert.deepEqual([small.body.assets['BTC']?.closed, small.body.assets['USDT']?.closed], [undefined, 'rates_moving']);
  for (const prices of Object.values(market.prices)) Object.assign(prices, { BTC: 93_000 });
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates_moving', 'against any price of the minute, not the last one');
});

test('after the sandbox’s clock moved rates are asked for at once and no calm minutes are owed', async () => {
  Object.assign(market.prices.kraken, { BTC: 90_300 });
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates_apart');
  Object.assign(market.prices.kraken, { BTC: 90_000 });
  await advanceClock(db, 20_000);
  assert.equal(await clockMoved(db), true);
  for (const prices of Object.values(market.prices)) Object.assign(prices, { BTC: 95_000 });
  const snapshot = await take();
  assert.equal(snapshot.body.assets['BTC']?.closed, undefined);
  assert.equal(closedReason(snapshot, await db.now(), ['BTC']), undefined);
  assert.equal(await clockMoved(db), false);
});

test('a clock that was moved while the markets are silent closes nothing for longer than they are', async () => {
  memory = { ...memory, startedAt: memory.startedAt - 600_000 };
  await take();
  for (const name of ['kraken', 'coinbase', 'bitstamp'] as const) market.down.add(name);
  await advanceClock(db, 72 * 3_600_000);
  // The last answers are used for some seconds longer.
  const seconds = (past: number) => {
    for (const books of memory.heard.values())
      for (const [asset, heard] of books) books.set(asset, { ...heard, at: heard.at - past * 1_000 });
  };
  seconds(16);
  const silent = await take();
  assert.equal(silent.body.assets['BTC']?.closed, undefined);
  assert.equal(closedReason(silent, await db.now(), ['BTC']), 'rates_old', 'nobody deals at it meanwhile');
  market.down.clear();
  assert.equal(closedReason(await take(), await db.now(), ['BTC']), undefined, 'open at once when they answer');
  for (const name of ['kraken', 'coinbase', 'bitstamp'] as const) market.down.add(name);
  seconds(31);
  await advanceClock(db, 31_000);
  assert.equal((await take()).body.assets['BTC']?.closed, 'rates', 'silence of its own closes');
});

test('only the holder of the lease stores snapshots; another takes over when it falls silent', async () => {
  await take();
  const other = freshMemory();
  assert.equal(await takeLease(db, other.holder), false);
  const { version } = (await readLatest(db)) as { version: bigint };
  await poll(db, other, { urls });
  assert.equal((await readLatest(db))?.version, version, 'a worker without the lease stored a snapshot');
  await db.run(`update rate_lease set until = now() - interval '1 second'`);
  assert.equal(await takeLease(db, other.holder), true);
  assert.equal(await takeLease(db, memory.holder), false);
  await returnLease(db, other.holder);
  assert.equal(await takeLease(db, memory.holder), true);
});

test('the worker’s snapshots reach a process that watches, with the product’s clock', async (t) => {
  const wakes = carryWakes(db.url, 'test');
  const worker = runRates(db, { urls });
  const watch = await watchRates(db);
  // Stops everything, whatever the result of the test.
  t.after(() => Promise.all([worker, watch, wakes].map((one) => one.stop())));
  for (let tries = 0; !latest() && tries < 1000; tries += 1) {
    await sleep(50);
    await watch.refresh();
  }
  assert.equal(latest()?.body.assets['BTC']?.bid, '90000');
  assert.ok(Math.abs(now().getTime() - (await db.now()).getTime()) < 1_000);
  await advanceClock(db, 3_600_000);
  await watch.refresh();
  assert.ok(Math.abs(now().getTime() - (await db.now()).getTime()) < 1_000, 'the watch follows a moved clock');
  assert.equal(await untilFresh(await db.now(), 20_000), true, 'no snapshot after the clock was moved');
  await worker.stop();
  assert.equal(await untilFresh(new Date(8.64e15), 60), false);
  await watch.stop();
  await wakes.stop();
  assert.equal(latest(), undefined);
});

test('a person’s price holds until its moment, and no longer', async () => {
  await db.tx((tx) => seedRates(tx, [{ code: 'RUB', kind: 'other' }]));
  assert.equal((await take()).body.assets['RUB'], undefined, 'without one there is no price');
  const until = new Date((await db.now()).getTime() + 60_000);
  await db.tx(async (tx) => {
    assert.deepEqual(await pegOf(tx, 'RUB'), { usd: null });
    assert.equal(await pegOf(tx, 'USD'), undefined, 'is one by definition');
    assert.equal(await pegOf(tx, 'BTC'), undefined, 'has a market');
    await setPeg(tx, 'RUB', '0.0125', until);
  });
  const { bid, closed } = (await take()).body.assets['RUB'] ?? assert.fail('has no price');
  assert.deepEqual([bid, closed], ['0.0125', undefined]);
  await advanceClock(db, 61_000);
  assert.equal((await take()).body.assets['RUB']?.closed, 'rates_old');
});
