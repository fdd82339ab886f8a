// Measures how much a system writes to the database: while nobody uses it, and for one order from the calculator to its end.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BUY_BTC, type Exchange, SELL_BTC, look, pay, place } from '../customers/customer.ts';
import { type Cost, type CostMeter, beyond, costLine, costOf, openCostMeter } from '../harness/cost.ts';
import { type System, startSystem, until } from '../harness/system.ts';

/** Maximum values per second of an idle system. */
const MAX_IDLE = { transactions: 30, rows: 12 };
/** Maximum values for one order, the average of both directions, including all confirmations, letters and postings. */
const MAX_ORDER = { transactions: 200, wal: 160_000 };
const IDLE_MS = 8_000;
/**
 * Maximum number of measurements: the work of the start continues for a while, so a later measurement may be the first idle one.
 */
const IDLE_TRIES = 5;
const DONE_MS = 120_000;
/** Interval of the test's queries, in ms. Queries cost too, and a customer's page uses a stream instead. */
const LOOK_MS = 3_000;

let system: System;
let meter: CostMeter;
let idle: Cost;
before(async () => {
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '500' } });
  meter = await openCostMeter(system);
});
after(async () => {
  await meter?.close();
  await system?.stop();
});

const placeBoth = (): Promise<Exchange[]> => Promise.all([SELL_BTC, BUY_BTC].map((wish) => place(system.client(), wish)));

async function throughAll(exchanges: readonly Exchange[]): Promise<void> {
  const client = system.client();
  await Promise.all(
    exchanges.map(async ({ order }) => {
      await pay(client, order);
      await until('an order to be done', DONE_MS, async () => (await look(client, order)).status === 'done', LOOK_MS);
    }),
  );
}

test('an idle system makes few transactions, and writes little', { timeout: 120_000 }, async (t) => {
  await meter.reported();
  let before = await meter.counted();
  for (let tries = 0; tries < IDLE_TRIES; tries += 1) {
    await pause(IDLE_MS);
    const after = await meter.counted();
    idle = costOf(before, after);
    before = after;
    t.diagnostic(`idle, ${idle.seconds.toFixed(0)} s: ${costLine(idle)}`);
    if (idle.transactions / idle.seconds <= MAX_IDLE.transactions && !idle.tables.has('posting')) break;
  }
  const perSecond = { transactions: idle.transactions / idle.seconds, rows: idle.rows / idle.seconds };
  assert.ok(perSecond.transactions <= MAX_IDLE.transactions, `${perSecond.transactions.toFixed(1)} transactions a second`);
  assert.ok(perSecond.rows <= MAX_IDLE.rows, `${perSecond.rows.toFixed(1)} rows a second`);
});

test('one order stays within its bounds of transactions and WAL', { timeout: 300_000 }, async (t) => {
  // The first orders derive addresses and fill caches, so they aren't measured.
  await throughAll(await placeBoth());
  const begin = await meter.counted();
  const exchanges = await placeBoth();
  const placed = await meter.counted();
  await throughAll(exchanges);
  await meter.reported();
  const end = await meter.counted();
  const both = beyond(costOf(begin, end), idle);
  t.diagnostic(`two orders, typed to placed, as far as it was told then: ${costLine(costOf(begin, placed))}`);
  t.diagnostic(`two orders, all of it: ${costLine(both)}`);
  const [transactions, wal] = [both.transactions / exchanges.length, both.wal / exchanges.length];
  t.diagnostic(`one order: ${transactions.toFixed(0)} transactions, ${(wal / 1_000).toFixed(0)} kB of WAL`);
  assert.ok(transactions <= MAX_ORDER.transactions, `${transactions} transactions`);
  assert.ok(wal <= MAX_ORDER.wal, `${wal} bytes of WAL`);
});
