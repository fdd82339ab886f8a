// A desk with 300 000 completed orders, and an account holder with 20 000 of them. Lists, searches and figures must be as fast as
// on an empty desk, or at least scan no large table completely.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orderRows } from '../views/order-export.ts';
import { type Db, MAX_COUNTED, type Statements, type Values, csvOf, openDb, xlsx } from '../../platform/index.ts';
import { doneFigures, latestDone, timesTaken, usualMinutes } from '../views/figures.ts';
import { fillHistory } from './fill-history.testing.ts';
import { listOrders } from '../views/order-list.ts';
import { orderChangeTokens } from '../views/order-change-tokens.ts';
import { orderNotices } from '../views/order-notices.ts';
import { eventsOf, readOrder, relatedTo } from '../order/store/order-store.ts';
import type { Owner } from '../order/store/owner.ts';
import { hasOpenOrders, ownFigures, ownOrders } from '../views/own-orders.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';
import { completeBothWays } from './sample-orders.testing.ts';

const ORDERS = 300_000;
const OF_HOLDER = 20_000;
/** Maximum time of a list's query on a quiet machine; on a busy one its plan decides. */
const MAX_MS = 200;
/** Maximum number of rows that a counted list may read: all of one account holder's, and the counted part of all. */
const MAX_ROWS = OF_HOLDER + 2 * MAX_COUNTED;
/** Number of rows from which a table counts as large. */
const GROWN = 10_000;

let world: World;
let owner: Db;
let holder: Owner;
before(
  async () => {
    world = await openWorld();
    await completeBothWays(world);
    owner = openDb({ url: world.owner.url, name: 'filling', max: 1, budget: 1_800_000 });
    const { holderId } = await fillHistory(owner, { orders: ORDERS, ofHolder: OF_HOLDER });
    holder = { id: holderId, mailbox: 'history@example.org' };
  },
  { timeout: 2_400_000 },
);
after(async () => {
  await owner.close();
  await world.close();
});

interface LoggedQuery {
  readonly sql: string;
  readonly values: Values;
}

/** Returns the database with a record of all statements, and no time limit. */
function noting(requests: LoggedQuery[]): Db {
  const note = (sql: string, values: Values = []): void => void requests.push({ sql, values });
  const statements: Statements = {
    rows: (sql: string, values?: Values) => (note(sql, values), owner.rows(sql, values)),
    row: (sql: string, values?: Values) => (note(sql, values), owner.row(sql, values)),
    run: (sql: string, values?: Values) => (note(sql, values), owner.run(sql, values)),
  };
  return { ...owner, ...statements };
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Plan[];
}

/** Returns the large tables that a plan scans completely. */
async function scansOf({ sql, values }: LoggedQuery, grown: ReadonlySet<string>): Promise<string[]> {
  const found = await owner.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${sql}`, values);
  const scans: string[] = [];
  const walk = (plan: Plan): void => {
    const table = plan['Relation Name'];
    const read = ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * (plan['Actual Loops'] ?? 1);
    if (table !== undefined && grown.has(table)) {
      if (plan['Node Type'] === 'Seq Scan') scans.push(`${table} from end to end`);
      else if (read > MAX_ROWS) scans.push(`${read} rows of ${table}`);
    }
    plan.Plans?.forEach(walk);
  };
  for (const row of found) walk(row['QUERY PLAN'][0].Plan);
  return scans;
}

const deps = (db: Db) => ({ db, sender: world.deps.sender });
const page = { page: 1, per_page: 20 };
const desk = { isWaiting: false, ...page };

test('no list, search or figure scans a growing table', { timeout: 1_200_000 }, async (t) => {
  const some = await owner.row<{ number: string; email: string; pay_to: string; txid: string; paid: string; give: string }>(
    `select number, email, pay_to, body->'payments'->0->>'txid' as txid, body->'facts'->'sent'->>'txid' as paid, id::text as give
     from customer_order where holder_id = $1 order by created_at limit 1 offset 7000`,
    [holder.id],
  );
  assert.ok(some);
  const first = await listOrders(owner, { ...desk, per_page: 100 });
  const tasks: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    'desk: orders': (db) => listOrders(db, desk),
    'desk: orders, page 500': (db) => listOrders(db, { ...desk, page: 500 }),
    'desk: orders, page 14 000': (db) => listOrders(db, { ...desk, page: 14_000 }),
    'desk: orders, behind a row': (db) => listOrders(db, { ...desk, after: first.next }),
    'desk: orders, completed': (db) => listOrders(db, { ...desk, states: ['completed'] }),
    'desk: orders, cancelled': (db) => listOrders(db, { ...desk, states: ['cancelled', 'expired'] }),
    'desk: orders that wait': (db) => listOrders(db, { ...desk, isWaiting: true }),
    'desk: a number': (db) => listOrders(db, { ...desk, text: some.number }),
    'desk: a part of a number': (db) => listOrders(db, { ...desk, text: some.number.slice(4, 9) }),
    'desk: what every number begins with': (db) => listOrders(db, { ...desk, text: 'KX' }),
    'desk: an address of one': (db) => listOrders(db, { ...desk, text: 'customer4711@example.org' }),
    'desk: an address of 20 000': (db) => listOrders(db, { ...desk, text: some.email }),
    'desk: an address of nobody': (db) => listOrders(db, { ...desk, text: 'nobody@nowhere.example' }),
    'desk: an account': (db) => listOrders(db, { ...desk, text: some.pay_to }),
    'desk: a transaction that came': (db) => listOrders(db, { ...desk, text: some.txid }),
    'desk: a transaction that was sent': (db) => listOrders(db, { ...desk, text: some.paid.slice(0, 20) }),
    'own: orders': (db) => ownOrders(deps(db), holder, page),
    'own: orders, page 900': (db) => ownOrders(deps(db), holder, { ...page, page: 900 }),
    'own: orders of a state': (db) => ownOrders(deps(db), holder, { ...page, status: ['refunded'] }),
    'own: orders of a month': (db) => ownOrders(deps(db), holder, { ...page, from: '2026-10-01', to: '2026-10-31' }),
    'own: a number': (db) => ownOrders(deps(db), holder, { ...page, q: some.number }),
    'own: a whole amount': (db) => ownOrders(deps(db), holder, { ...page, q: '500' }),
    'own: a transaction': (db) => ownOrders(deps(db), holder, { ...page, q: some.txid }),
    'own: figures of 90 days': (db) => ownFigures(db, holder, { days: 90 }),
    'own: whether any goes on': (db) => hasOpenOrders(db, holder),
    'own: what happened': (db) => orderNotices(db, holder, 20),
    'own: marks': (db) => orderChangeTokens(db, [holder]),
    'an order’s page': async (db) => {
      const order = await readOrder(db, some.number);
      assert.ok(order);
      await Promise.all([eventsOf(db, order.view.id), relatedTo(db, order)]);
    },
    'home: newest orders': (db) => latestDone(db, 6),
    'home: figures': doneFigures,
    'status: times': (db) => timesTaken(db, (from, to) => `${from} ${to}`),
    'start: usual times': (db) => usualMinutes(db, (from, to) => `${from} ${to}`),
  };
  const rows = await owner.rows<{ name: string }>('select relname as name from pg_class where relkind = $1 and reltuples > $2', [
    'r',
    GROWN,
  ]);
  const grown = new Set(rows.map(({ name }) => name));
  assert.ok(grown.has('customer_order') && grown.has('order_event') && grown.has('order_term'), [...grown].join());
  for (const [name, work] of Object.entries(tasks))
    await t.test(name, async (one) => {
      const requests: LoggedQuery[] = [];
      await work(noting(requests));
      const times: number[] = [];
      for (let at = 0; at < 5; at += 1) {
        const begin = performance.now();
        await work(owner);
        times.push(performance.now() - begin);
      }
      const median = times.toSorted((a, b) => a - b)[2] ?? 0;
      one.diagnostic(`${name}: ${median.toFixed(1)} ms`);
      const scans: string[] = [];
      for (const each of requests) scans.push(...(await scansOf(each, grown)));
      // A small scan stays fast even on a slow machine.
      assert.ok(scans.length === 0 || median < MAX_MS, `${median.toFixed(0)} ms: ${scans.join(', ')}`);
      assert.ok(!scans.some((scan) => scan.startsWith('customer_order from')), scans.join());
    });
});

test('lists and searches find the right rows', { timeout: 600_000 }, async () => {
  const all = await listOrders(owner, desk);
  assert.equal(all.total, MAX_COUNTED + 1, 'more than is counted');
  const own = await ownOrders(deps(owner), holder, { ...page, page: 1_000 });
  assert.deepEqual([own.data.length, own.meta.total, own.meta.is_more], [20, MAX_COUNTED, true]);
  const behind = await ownOrders(deps(owner), holder, { ...page, page: 1_001 });
  assert.equal(behind.data.length, 0);
  const figures = await ownFigures(owner, holder, { days: 90 });
  assert.equal(figures.total, OF_HOLDER);
});

test('a file of 20 000 orders is streamed while it is made', { timeout: 600_000 }, async (t) => {
  for (const [name, file] of [
    ['CSV', csvOf],
    ['XLSX', (rows: ReturnType<typeof orderRows>) => xlsx('orders', rows, [])],
  ] as const) {
    const begin = performance.now();
    let [first, bytes] = [0, 0];
    for await (const piece of file(orderRows(owner, holder, {}))) {
      if (bytes === 0) first = performance.now() - begin;
      bytes += piece.length;
    }
    t.diagnostic(
      `${name}: begins after ${first.toFixed(0)} ms, ${bytes} bytes after ${(performance.now() - begin).toFixed(0)} ms`,
    );
    assert.ok(bytes > OF_HOLDER * 10);
  }
});
