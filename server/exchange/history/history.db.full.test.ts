// Cost of loops and pages as the history grows: with 300 000 orders, none may read more than twice the database pages that it
// reads with a few.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verify } from '../../ledger/index.ts';
import { paymentsDeps, paymentsCheck, paymentsWork } from '../../payments/index.ts';
import { type Db, openDb } from '../../platform/index.ts';
import { grownPages, pagesOf, testSealer } from '../../platform/testing.ts';
import { watchPricing } from '../../pricing/index.ts';
import { countTimes } from '../views/count-times.ts';
import { doneFigures, latestDone, timesTaken } from '../views/figures.ts';
import { ordersMayLeave } from '../apply/payout-obstacles.ts';
import { sweepDue } from '../apply/sweep-due.ts';
import { orderCheck } from '../proof/check-books.ts';
import { fillHistory } from './fill-history.testing.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';
import { completeBothWays } from './sample-orders.testing.ts';

const ORDERS = 300_000;
/** Attempts that sent gas to addresses. */
const FUELLED = 20_000;

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

/** Adds the traces of many swept deposits: gas sent to their addresses, and nonces that were refused and used after all. */
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

const sum = (pages: ReadonlyMap<string, number>): number => [...pages.values()].reduce((all, each) => all + each, 0);

test('no loop and no page reads more for a longer history', { timeout: 3_600_000 }, async (t) => {
  const tasks = new Map<string, (db: Db) => Promise<unknown>>([
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
    tasks.set(name, async (db) => {
      const all = paymentsWork(paymentsDeps(db, { gates: { order: ordersMayLeave }, jitter: () => 0, sealer: testSealer }));
      await all.find((one) => one.name === name)?.turn();
    });
  }
  const checks = [paymentsCheck, orderCheck];
  const since = await verify(world.db, { checks });
  tasks.set('the night’s proof', (db) => verify(db, { checks, since }));
  const owner = openDb({ url, name: 'filling', max: 1, budget: 1_800_000 });
  const measure = async (): Promise<Map<string, Map<string, number>>> => {
    const found = new Map<string, Map<string, number>>();
    for (const [name, work] of tasks) found.set(name, await pagesOf(world.db, url, work));
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
    await t.test(name, () => assert.deepEqual(grownPages(before, now), []));
  }
});
