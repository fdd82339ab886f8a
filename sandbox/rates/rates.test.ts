import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { mountRates } from './index.ts';
import { walk } from './walk.ts';

const BTC = { base: 9_000_000_000_000n, share: 100n };
const START = Date.UTC(2026, 0, 1);
const float = (parts: bigint): number => Number(parts) / 1e8;

/** Returns a year's volatility from the moves over `seconds`, measured over `days`. */
function volatility(seed: string, seconds: number, days: number): number {
  const count = Math.floor((days * 86_400) / seconds);
  let [sum, before] = [0, float(walk(seed, 'BTC', BTC, START))];
  for (let step = 1; step <= count; step += 1) {
    const price = float(walk(seed, 'BTC', BTC, START + step * seconds * 1_000));
    sum += Math.log(price / before) ** 2;
    before = price;
  }
  return Math.sqrt((sum / count) * ((365 * 86_400) / seconds));
}

test('the walk stays within 5 % of its base, and moves', () => {
  let [low, high] = [Infinity, -Infinity];
  for (let hour = 0; hour < 24 * 365; hour += 1) {
    const price = float(walk('kurs', 'BTC', BTC, START + hour * 3_600_000));
    [low, high] = [Math.min(low, price), Math.max(high, price)];
  }
  assert.ok(low >= 90_000 * 0.95 && high <= 90_000 * 1.05, `${low} to ${high}`);
  assert.ok(high - low > 900, `only ${low} to ${high}`);
});

test('a year’s volatility is at most 20 %, at whatever step it is measured', () => {
  for (const [seconds, days] of [
    [10, 0.5],
    [60, 2],
    [900, 30],
    [14_400, 200],
    [86_400, 365],
  ] as const) {
    const measured = volatility('kurs', seconds, days);
    assert.ok(measured < 0.2 && measured > 0.005, `${measured} by moves of ${seconds} s`);
  }
});

test('the walk is a function of seed and time alone', () => {
  assert.equal(walk('a', 'BTC', BTC, START + 1_234_567), walk('a', 'BTC', BTC, START + 1_234_567));
  assert.notEqual(walk('a', 'BTC', BTC, START), walk('b', 'BTC', BTC, START));
});

test('the three markets answer in their providers’ formats, with similar prices', async (t) => {
  const app = Fastify();
  await app.register(async (scope) => mountRates(scope, { now: () => START }), { prefix: '/sandbox/rates' });
  t.after(() => app.close());
  const get = async (path: string) => (await app.inject(`/sandbox/rates/${path}`)).json();
  const kraken = (await get('kraken/0/public/Ticker?pair=XXBTZUSD,USDTZUSD')).result.XXBTZUSD;
  const coinbase = await get('coinbase/products/BTC-USD/ticker');
  const bitstamp = await get('bitstamp/api/v2/ticker/btcusd/');
  const bids = [kraken.b[0], coinbase.bid, bitstamp.bid].map(Number);
  assert.ok(Math.max(...bids) / Math.min(...bids) < 1.0003, String(bids));
  assert.ok(Number(kraken.a[0]) > Number(kraken.b[0]));
  assert.deepEqual((await get('kraken/0/public/Ticker?pair=NONE')).error, ['EQuery:Unknown asset pair']);
  assert.equal((await app.inject('/sandbox/rates/coinbase/products/NONE-USD/ticker')).statusCode, 404);
  assert.equal((await app.inject('/sandbox/rates/bitstamp/api/v2/ticker/noneusd/')).statusCode, 404);
});
