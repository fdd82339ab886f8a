// The api starts even if its first reads are slow, and figures beside pages never take a page down.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Routes } from '@kurs/contract';
import { contentRoutes } from '../../content/index.ts';
import { doneFigures, latestDone, timesTaken, usualMinutes } from '../../exchange/index.ts';
import type { Context, Db, Work } from '../../platform/index.ts';
import { openDb } from '../../platform/index.ts';
import { directionOf, pricingRoutes } from '../../pricing/index.ts';
import { type PricedWorld, openPricedWorld } from '../../pricing/testing.ts';
import { supportRoutes } from '../../support/index.ts';
import { answerWhileBeginning, beginReading } from './beginning.ts';
import { ORDER_OWNER } from '../../exchange/index.ts';

/** Longest start, in ms. It leaves a margin, since a busy machine is slow. */
const SOON_MS = 4_000;
/** Budget of the api's database, in ms. */
const BUDGET_MS = 2_200;

let world: PricedWorld;
let db: Db;
let other: Db;
before(async () => {
  world = await openPricedWorld();
  db = openDb({ url: world.db.url, name: 'api', budget: BUDGET_MS });
  other = openDb({ url: world.owner.url, name: 'locking', budget: 60_000 });
});
after(async () => {
  await Promise.all([db.close(), other.close()]);
  await world.close();
});

/** Runs `work` while these tables are locked. */
async function whileLocked<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
  return other.tx(
    async (tx) => {
      await tx.run(`lock table ${tables.join(', ')} in access exclusive mode`);
      return work();
    },
    { budget: 60_000 },
  );
}

const usual = { usualMinutes: (on: Db) => usualMinutes(on, (from, to) => directionOf(from, to).slug) };
/** Starts the reads, and waits until the api would serve. */
async function begins(): Promise<{ ms: number; hasSettings: boolean; isWhole: boolean }> {
  const beginning = beginReading(db, usual);
  const begin = performance.now();
  const isWhole = await beginning.soon;
  const found = { ms: performance.now() - begin, hasSettings: beginning.hasSettings(), isWhole };
  await beginning.stop();
  return found;
}

test('the api starts with all other data while the statistic of usual times can’t be read', async () => {
  const { ms, hasSettings, isWhole } = await whileLocked(['order_time'], begins);
  assert.ok(ms < SOON_MS, `${ms} ms`);
  assert.ok(hasSettings);
  assert.ok(isWhole, 'nothing else waits for it');
});

for (const [what, tables] of [
  ['rates', ['rate_snapshot']],
  ['prices', ['direction', 'currency', 'network_cost']],
  ['what rails hold', ['rail_state', 'rail_balance', 'account']],
  ['what is on its way', ['receiving_address', 'payin', 'payout', 'payment_attempt', 'reconciliation']],
] as const)
  test(`the api starts while ${what} can’t be read`, async () => {
    const { ms, hasSettings } = await whileLocked(tables, begins);
    assert.ok(ms < SOON_MS, `${ms} ms`);
    assert.ok(hasSettings, 'what is decided is decided by the rules');
  });

test('answers 503 until the settings are read', async () => {
  const beginning = beginReading(db, usual);
  const answers: ((request: unknown, response: unknown) => boolean)[] = [];
  answerWhileBeginning({ answerFirst: (answer) => void answers.push(answer as never) }, beginning);
  const said: { status?: number; head?: Record<string, unknown> } = {};
  const response = {
    writeHead: (status: number, head: object) => (Object.assign(said, { status, head }), { end: () => undefined }),
  };
  await whileLocked(['setting'], async () => {
    const again = beginReading(db, usual);
    const begin = performance.now();
    await again.soon;
    assert.ok(performance.now() - begin < SOON_MS);
    answerWhileBeginning({ answerFirst: (answer) => void answers.push(answer as never) }, again);
    assert.equal(answers[1]?.({ url: '/En', method: 'GET' }, response), true);
    assert.deepEqual([said.status, said.head?.['retry-after']], [503, '1']);
    assert.equal(answers[1]?.({ url: '/health/live', method: 'GET' }, response), false);
    setTimeout(() => void again.stop(), 0);
  });
  for (let tries = 0; !beginning.hasSettings() && tries < 100; tries += 1) await sleep(50);
  assert.equal(answers[0]?.({ url: '/En', method: 'GET' }, response), false);
  await beginning.stop();
});

/** Figures beside pages, and the tables that they are read from. */
const BESIDE: readonly [what: keyof Routes, tables: readonly string[]][] = [
  ['landing', ['customer_order', 'order_time', 'order_counted']],
  ['status', ['rail_state', 'order_time']],
  ['rateHistory', ['rate_hour', 'rate_snapshot']],
  ['supportDetails', ['support_thread']],
];

test('figures beside pages are the last known ones, or missing, and no page waits for them', async (t) => {
  // The starts above have dropped this process's rates: they are read again.
  await world.rates();
  const fresh = () => ({
    ...contentRoutes({
      latestOrders: latestDone,
      figures: doneFigures,
      times: (on) => timesTaken(on, (from, to) => directionOf(from, to).slug),
      quoteMinutes: () => 3,
    }),
    ...pricingRoutes,
    ...supportRoutes({ db, owners: [ORDER_OWNER] } as unknown as Parameters<typeof supportRoutes>[0]),
  });
  const input = { rateHistory: { from: 'BTC', to: 'USDT_ERC20' } } as Record<string, object>;
  for (const [what, tables] of BESIDE)
    await t.test(what, async () => {
      const handlers = fresh();
      const ask = async (from: Partial<Record<keyof Routes, unknown>>): Promise<{ ms: number; said: unknown }> => {
        const begin = performance.now();
        const said = await Promise.resolve(
          (from[what] as Work<never>)((input[what] ?? {}) as never, { db, locale: 'en' } as Context),
        ).catch((error: unknown) => (error as { code?: string }).code ?? String(error));
        return { ms: performance.now() - begin, said };
      };
      await whileLocked(tables, async () => {
        const { ms, said } = await ask(fresh());
        assert.ok(ms < 2_000, `${ms} ms with nothing known`);
        if (what === 'status') assert.equal(said, 'unavailable');
        else assert.equal(typeof said, 'object', String(said));
      });
      await ask(handlers);
      await sleep(1_100);
      await whileLocked(tables, async () => {
        const { ms, said } = await ask(handlers);
        assert.ok(ms < 500, `${ms} ms with what was known`);
        assert.equal(typeof said, 'object', String(said));
      });
    });
});
