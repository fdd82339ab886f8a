// What runs for ever beside a growing history: with 300 000 orders no loop and no question of a page may read more than twice
// the pages of the database that it reads with a few.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { paymentsDeps, paymentsWork } from '../../payments/index.ts';
import { type Db, openDb } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { watchPricing } from '../../pricing/index.ts';
import { countTimes } from '../views/count-times.ts';
import { doneFigures, latestDone, timesTaken } from '../views/figures.ts';
import { ordersMayLeave } from '../apply/what-stops.ts';
import { sweepDue } from '../apply/sweep-due.ts';
import { fillHistory } from './fill-history.testing.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';
import { completeBothWays } from './sample-orders.testing.ts';

const ORDERS = 300_000;
/** Attempts that sent gas to places. */
const FUELLED = 20_000;
/** Pages that are read anyway: what a plan looks up, and a leaf more here and there. */
const ANYWAY = 40;

let world: World;
let url: string;
before(async () => {
  world = await openWorld();
  const found = await world.db.row<{ url: string }>(`select current_database() as url`);
  const address = new URL(process.env['KURS_TEST_DATABASE_URL'] as string);
  address.pathname = `/${found?.url}`;
  url = address.href;
  await completeBothWays(world);
});
after(() => world.close());

/** What sweeps of many deposits leave behind: gas that was sent to their places, and nonces that were refused and used after all. */
async function sweepMany(db: Db): Promise<void> {
  await db.run(
    `insert into payment_attempt select copy.* from
       (select * from payment_attempt where rail = 'evm' and purpose = 'payout' and number is null limit 1) sample, generate_series(1, $1::int) n,
       jsonb_populate_record(null::payment_attempt, to_jsonb(sample) || jsonb_build_object('id', md5('fuel ' || n)::uuid,
         'reference', 'fuel ' || n, 'purpose', 'fuel', 'items', '[]'::jsonb, 'number', 1000000 + n / 2, 'due_at', null,
         'status', case when n % 10 = 0 then 'refused' else 'final' end, 'nonce', -1000000 + n / 2,
         'accepted_at', clock_now() - interval '2 days', 'stored_at', clock_now() - interval '2 days')) as copy`,
    [FUELLED],
  );
  await db.run('vacuum (analyze) payment_attempt');
}

/** Pages of tables and indexes that a piece of work reads, over connections of its own. */
async function pagesOf(work: (db: Db) => Promise<unknown>): Promise<Map<string, number>> {
  const read = async (): Promise<Map<string, number>> => {
    const rows = await world.db.rows<{ name: string; pages: string }>(
      `select relname as name, coalesce(heap_blks_read + heap_blks_hit, 0) + coalesce(idx_blks_read + idx_blks_hit, 0) as pages
       from pg_statio_user_tables`,
    );
    return new Map(rows.map(({ name, pages }) => [name, Number.parseInt(pages, 10)]));
  };
  const run = async (): Promise<void> => {
    const db = openDb({ url, name: 'history', max: 4, budget: 60_000 });
    await work(db);
    await db.close();
    // A connection tells what it has read as it ends.
    while ((await world.db.rows(`select from pg_stat_activity where application_name = 'history'`)).length > 0) await sleep(20);
  };
  await run();
  const before = await read();
  await run();
  const now = await read();
  return new Map([...now].map(([name, pages]) => [name, pages - (before.get(name) ?? 0)]));
}

const sum = (pages: ReadonlyMap<string, number>): number => [...pages.values()].reduce((all, each) => all + each, 0);

test('no loop and no page reads more for a longer history', { timeout: 3_600_000 }, async (t) => {
  const works = new Map<string, (db: Db) => Promise<unknown>>([
    ['how long orders take', (db) => timesTaken(db, (from, to) => `${from} ${to}`)],
    ['figures of the home page', doneFigures],
    ['the newest orders', (db) => latestDone(db, 5)],
    ['counting times', countTimes],
    ['orders that are due', (db) => sweepDue(db, world.deps.sender)],
    ['what prices are made of', async (db) => (await watchPricing(db)).stop()],
  ]);
  const names = paymentsWork(paymentsDeps(world.db, { gates: { order: ordersMayLeave }, sealer: testSealer })).map(
    ({ name }) => name,
  );
  for (const name of names) {
    if (name === 'payments:close') continue;
    works.set(name, async (db) => {
      const all = paymentsWork(paymentsDeps(db, { gates: { order: ordersMayLeave }, jitter: () => 0, sealer: testSealer }));
      await all.find((one) => one.name === name)?.turn();
    });
  }
  const owner = openDb({ url, name: 'filling', max: 1, budget: 1_800_000 });
  const measure = async (): Promise<Map<string, Map<string, number>>> => {
    const found = new Map<string, Map<string, number>>();
    for (const [name, work] of works) found.set(name, await pagesOf(work));
    return found;
  };
  await owner.run('vacuum (analyze)');
  await countTimes(world.db);
  const few = await measure();
  await fillHistory(owner, { orders: ORDERS });
  await sweepMany(owner);
  await countTimes(world.db);
  const many = await measure();
  await owner.close();
  for (const [name, pages] of many) {
    const [before, now] = [few.get(name) ?? new Map<string, number>(), pages];
    t.diagnostic(`${name}: ${sum(before)} pages, of ${ORDERS} orders ${sum(now)}`);
    const grown = [...now]
      .filter(([table, each]) => each > 2 * (before.get(table) ?? 0) + ANYWAY)
      .map(([table, each]) => `${table} ${before.get(table)} → ${each}`);
    await t.test(name, () => assert.deepEqual(grown, []));
  }
});
