import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal, formatRate } from '@kurs/money';
import { type Db, advanceClock } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { readHistory } from './history.ts';
import { seedRates } from './seed.ts';
import type { Snapshot } from './snapshot.ts';
import { forgetOld, readHours, recordMinute } from './store.ts';

let db: Db;
let drop: () => Promise<void>;

const price = (usd: string) => ({ bid: usd, ask: usd, live: 3, deviation: '0.0000' });
const snapshot: Snapshot = {
  version: 1n,
  at: new Date(),
  body: { assets: { BTC: price('90000'), USDT: price('1'), USD: price('1') }, sources: {}, isSeeded: true },
};
const HOUR_MS = 3_600_000;
const record = (asset: string, usd: string) => db.tx((tx) => recordMinute(tx, asset, decimal(usd)));

before(async () => {
  ({ db, drop } = await testDb());
  await db.tx((tx) =>
    seedRates(tx, [
      { code: 'USD', kind: 'peg', peg: '1' },
      { code: 'USDT', kind: 'stable' },
      { code: 'BTC', kind: 'other' },
    ]),
  );
});
after(() => drop());

test('the first price of each hour is kept, and a pair’s rate is made of both, the larger asset first', async () => {
  const { rows } = await seen();
  // A second past the hour, whenever this runs.
  await advanceClock(db, HOUR_MS - ((await db.now()).getTime() % HOUR_MS) + 1_000);
  await record('BTC', '90000');
  await record('USDT', '0.999');
  await advanceClock(db, 60_000);
  await record('BTC', '1');
  await advanceClock(db, HOUR_MS);
  await record('BTC', '91000');
  await advanceClock(db, HOUR_MS);
  await record('BTC', '92000');
  await record('USDT', '1.001');
  const history = await readHistory(db, ['USDT', 'BTC'], snapshot, new Date(0));
  assert.equal(rows, 0);
  assert.deepEqual([history.base, history.quote], ['BTC', 'USDT']);
  // The hour without a price of USDT has no rate.
  assert.deepEqual(
    history.points.map(({ rate }) => formatRate(rate)),
    ['90090.09', '91908.091'],
  );
  const times = history.points.map(({ at }) => at.getTime());
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(
    times.map((time) => time % HOUR_MS),
    [0, 0],
  );
});

test('against a peg the other side alone decides; two sides of the same money have no history', async () => {
  const { points } = await readHistory(db, ['BTC', 'USD'], snapshot, new Date(0));
  assert.deepEqual(
    points.map(({ rate }) => formatRate(rate)),
    ['90000', '91000', '92000'],
  );
  assert.deepEqual((await readHistory(db, ['USD', 'USD'], snapshot, new Date(0))).points, []);
  assert.deepEqual((await readHistory(db, ['BTC', 'USD'], snapshot, new Date(8.64e15))).points, []);
});

test('hours outlive minutes, and are forgotten in their turn', async () => {
  await advanceClock(db, 20 * 24 * HOUR_MS);
  await forgetOld(db, 14, 400);
  assert.deepEqual(await seen(), { minutes: 0, rows: 5 });
  await forgetOld(db, 14, 10);
  assert.deepEqual(await seen(), { minutes: 0, rows: 0 });
});

async function seen(): Promise<{ minutes: number; rows: number }> {
  const minutes = await db.rows('select from rate_minute');
  return { minutes: minutes.length, rows: (await readHours(db, ['BTC', 'USDT'], new Date(0))).length };
}
