// What runs for ever beside a growing history: with ten times the rows, no loop and no question of a page may read more than
// twice the pages of the database.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { paymentsDeps, paymentsWork } from '../payments/index.ts';
import { type Db, openDb } from '../platform/index.ts';
import { testSealer } from '../platform/testing.ts';
import { watchPricing } from '../pricing/index.ts';
import { countTimes } from './count-times.ts';
import { doneFigures, latestDone, timesTaken } from './figures.ts';
import { ordersMayLeave } from './what-stops.ts';
import { sweepDue } from './sweep-due.ts';
import { type World, openWorld } from './world.testing.ts';

const FEW = 1_000;
const MANY = 10 * FEW;
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
  for (const [from, amount] of [
    ['BTC', '0.005'],
    ['USDT_ERC20', '500.00'],
  ] as const) {
    const order = await world.place({ from, amount });
    world.pay(order);
    for (const blocks of [1, 70, 70]) await world.mine(blocks);
    assert.equal((await world.order(order)).view.state, 'completed');
  }
});
after(() => world.close());

/** Adds so many of everything that an order leaves behind: each row a copy of one that the product has written. */
async function grow(db: Db, count: number, mark: string): Promise<void> {
  const copies = (table: string, where: string, change: string): Promise<unknown> =>
    db.run(
      `insert into ${table} select copy.* from (select * from ${table} where ${where} limit 1) sample, generate_series(1, $1::int) n,
         jsonb_populate_record(null::${table}, to_jsonb(sample) || jsonb_build_object(${change})) as copy`,
      [count],
    );
  const ago = `clock_now() - interval '1 day' - n * interval '1 minute'`;
  const id = (table: string, at = 'n') => `md5('${table} ${mark} ' || ${at})::uuid`;
  const number = `${mark === 'few' ? 1_000_000 : 2_000_000} + n`;
  for (const rail of ['bitcoin', 'evm']) {
    await copies(
      'place',
      `rail = '${rail}' and number > 0`,
      `'number', ${number}, 'may_hold', false, 'due_at', null, 'close_until', null, 'unfinished', false, 'settling', false, 'to_text', '${rail} ${mark} ' || n, 'owner_id', 'o' || n,
      'to_key', '${rail} ${mark} ' || n`,
    );
    await copies(
      'payin',
      `rail = '${rail}'`,
      `'id', ${id(`payin ${rail}`)}, 'number', ${number}, 'key', '${mark} ' || n, 'txid', '${mark} ' || n, 'owner_id', 'o' || n,
      'customer', 'c' || n, 'seen_at', ${ago}, 'final_at', ${ago}, 'deep', true, 'followed', false, 'finalised', true`,
    );
    await copies(
      'payout',
      `rail = '${rail}'`,
      `'id', ${id(`payout ${rail}`)}, 'attempt_id', ${id(`attempt ${rail}`)}, 'owner_id', 'o' || n,
      'status', 'final', 'created_at', ${ago}, 'status_at', ${ago}, 'due_at', null`,
    );
    await copies(
      'payment_attempt',
      `rail = '${rail}' and purpose = 'payout'`,
      `'id', ${id(`attempt ${rail}`)}, 'reference', '${mark} ' || n,
      'items', jsonb_build_array(${id(`payout ${rail}`)}), 'status', 'final', 'due_at', null, 'nonce', null, 'accepted_at', ${ago}, 'stored_at', ${ago}`,
    );
  }
  await copies(
    'payment_attempt',
    `rail = 'evm' and purpose = 'payout'`,
    `'id', ${id('fuel')}, 'reference', 'fuel ${mark} ' || n, 'purpose', 'fuel',
    'items', '[]'::jsonb, 'number', ${number}, 'status', 'final', 'due_at', null, 'nonce', null, 'accepted_at', ${ago}, 'stored_at', ${ago}`,
  );
  await copies(
    'customer_order',
    `state = 'completed'`,
    `'id', ${id('order')}, 'number', 'N${mark}-' || n, 'calculation_id', null,
    'created_at', ${ago}, 'finished_at', ${ago}, 'updated_at', ${ago}, 'due_at', null`,
  );
  for (const [seq, event] of ['placed', 'payin_final'].entries()) {
    await copies(
      'order_event',
      `event = '${event}'`,
      `'id', ${id(event)}, 'order_id', ${id('order')}, 'seq', ${seq}, 'at', ${ago}`,
    );
  }
  await db.run('vacuum analyze');
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

test('no loop and no page reads more for a longer history', { timeout: 900_000 }, async (t) => {
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
  const owner = openDb({ url, name: 'filling', max: 1, budget: 300_000 });
  const measure = async (): Promise<Map<string, Map<string, number>>> => {
    const found = new Map<string, Map<string, number>>();
    for (const [name, work] of works) found.set(name, await pagesOf(work));
    return found;
  };
  await grow(owner, FEW, 'few');
  await countTimes(world.db);
  const few = await measure();
  await grow(owner, MANY, 'many');
  await countTimes(world.db);
  const many = await measure();
  await owner.close();
  for (const [name, pages] of many) {
    const [before, now] = [few.get(name) ?? new Map<string, number>(), pages];
    t.diagnostic(`${name}: ${sum(before)} pages, of ten times the rows ${sum(now)}`);
    const grown = [...now]
      .filter(([table, each]) => each > 2 * (before.get(table) ?? 0) + ANYWAY)
      .map(([table, each]) => `${table} ${before.get(table)} → ${each}`);
    await t.test(name, () => assert.deepEqual(grown, []));
  }
});
