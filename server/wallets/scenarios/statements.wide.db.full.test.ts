// Statements over five million postings, of which one wallet has three million: cost of a page, a past balance and a file.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { accounts, verify } from '../../ledger/index.ts';
import { type History, writeHistory } from '../../ledger/testing.ts';
import { type Db, type Server, type Values, buildServer, newId, xlsx } from '../../platform/index.ts';
import { type TestDb, testDb, testSealer } from '../../platform/testing.ts';
import { operationRows } from '../views/operation-export.ts';
import { walletRoutes } from '../routes.ts';

const POSTINGS = 5_000_000;
const OTHERS = 20_000;
const START = new Date('2025-11-22T00:00:00Z');
/** Seconds between postings: five million cover most of a year. */
const STEP = 6;
const MIDDLE = '2026-05-20';
/** Maximum times, in ms. */
const AT_THE_API = 20;
const IN_THE_DATABASE = 2;

let world: TestDb;
let server: Server;
let ann: string;

const historyOf = (postings: number, others: number): History => ({
  custody: accounts.custody('USDT_ERC20', 'hot', 'USDT'),
  big: accounts.wallet(ann, 'USDT'),
  others: Array.from({ length: others }, () => accounts.wallet(newId(), 'USDT')),
  ...{ postings, start: START, step: STEP },
});

before(async () => {
  world = await testDb({ budget: 600_000 });
  ann = newId();
  await world.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'ann', 'ann', 'en', $2)`,
    [ann, START],
  );
  await writeHolderMacs(world.db);
  await world.db.run(`insert into wallet (holder_id, unit, opened_at) values ($1, 'USDT', $2)`, [ann, START]);
  await writeHistory(world.owner, historyOf(POSTINGS, OTHERS));
  server = serve(world.db);
});
after(async () => {
  await server?.close();
  await world?.drop();
});

/** Serves the calls over HTTP, without a port. */
function serve(db: Db): Server {
  const built = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    ...{ db, sealer: testSealer },
    authenticate: { user: async () => ({ id: ann, email: 'ann', isEmailVerified: true, sessionId: newId() }) },
  });
  const handlers = walletRoutes({ db, sealer: testSealer });
  built.mount(routes.walletTransactions, handlers.walletTransactions);
  built.mount(routes.walletBalance, handlers.walletBalance);
  built.mount(routes.userTransactions, handlers.userTransactions as never);
  built.mount(routes.userTransactionFigures, handlers.userTransactionFigures);
  return built;
}

const ask = async <T>(path: string, of = server): Promise<T> => {
  const headers = { 'client-id': 'web', authorization: 'Bearer any' };
  const { statusCode, body } = await of.app.inject({ url: `/api/v1${path}`, headers });
  assert.equal(statusCode, 200, body);
  return JSON.parse(body) as T;
};

/** Returns the median time of many runs, in ms. */
async function middleOf(action: () => Promise<unknown>, times = 101): Promise<number> {
  const took: number[] = [];
  for (let go = 0; go < times; go += 1) {
    const start = performance.now();
    await action();
    took.push(performance.now() - start);
  }
  return took.toSorted((a, b) => a - b)[times >> 1] as number;
}

/** Returns the median time that PostgreSQL reports for all statements of a call, in ms. */
async function inDatabase(path: string): Promise<number> {
  let took = 0;
  const explained = async (sql: string, values: Values = []): Promise<void> => {
    type Plan = { 'QUERY PLAN': [{ 'Execution Time': number }] };
    const plan = await world.db.row<Plan>(`explain (analyze, format json) ${sql}`, values);
    took += plan?.['QUERY PLAN'][0]['Execution Time'] ?? 0;
  };
  const watched: Db = {
    ...world.db,
    rows: async (sql, values, options) => (await explained(sql, values), world.db.rows(sql, values, options)),
    row: async (sql, values, options) => (await explained(sql, values), world.db.row(sql, values, options)),
  };
  const other = serve(watched);
  const all: number[] = [];
  for (let go = 0; go < 11; go += 1) {
    took = 0;
    await ask(path, other);
    all.push(took);
  }
  await other.close();
  return all.toSorted((a, b) => a - b)[5] as number;
}

test('the generated history is one that the ledger could have written', async () => {
  const small = await testDb();
  await writeHistory(small.owner, historyOf(50_000, 100));
  const { faults, postings } = await verify(small.db);
  await small.drop();
  // The history was written by SQL alone, so it has no MACs.
  const others = faults.filter(({ check }) => check !== 'mac');
  assert.deepEqual([others, postings], [[], 50_000]);
});

const deep = '1500001';
const PAGES = {
  'the newest page': '/wallet/transactions?currency=USDT&limit=20',
  'a page in the middle, by its key': `/wallet/transactions?currency=USDT&limit=20&before=${deep}`,
  'the first page of a month': '/wallet/transactions?currency=USDT&limit=20&from=2026-03-01&to=2026-03-31',
  'the balance at a past moment': `/wallet/balance?currency=USDT&at=${MIDDLE}T12:00:00Z`,
  'the list’s newest page': '/user/transaction/filter',
  'the list’s page 75 000': '/user/transaction/filter?page=75000',
  'the list of a month': '/user/transaction/filter?currency[]=USDT&from=2026-03-01&to=2026-03-31',
  'a look for a kind that there is none of': '/user/transaction/filter?kind[]=transfer',
  'a look for a sum': '/user/transaction/filter?min=999999999',
  'a look for a text, each looked up': '/user/transaction/filter?q=nothing',
  'a look for a status': '/user/transaction/filter?status[]=paying',
  'a look that goes on from the middle': `/user/transaction/filter?q=nothing&before=2026-05-01T00:00:00.000Z~~USDT.${deep}`,
  'figures of a month, with what stood before and after':
    '/user/transaction/figures?currency[]=USDT&from=2026-03-01&to=2026-03-31',
};

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name} is read at once`, async (context) => {
    await ask(path);
    const [api, database] = [await middleOf(() => ask(path)), await inDatabase(path)];
    context.diagnostic(`${name}: ${api.toFixed(2)} ms at the API, in the database ${database.toFixed(2)} ms`);
    assert.ok(api <= AT_THE_API, `${api} ms at the API`);
    assert.ok(database <= IN_THE_DATABASE, `${database} ms in the database`);
  });
}

test('pages have the right numbers, days and sums', async () => {
  const newest = await ask<{ data: { id: string }[] }>(PAGES['the newest page']);
  assert.equal(newest.data[0]?.id, '3000000');
  const { data } = await ask<{ data: { id: string; at: string }[] }>(PAGES['the first page of a month']);
  assert.match(data[0]?.at ?? '', /^2026-03-31T23:59/);
  const list = await ask<{ meta: { total: number; last_page: number } }>(PAGES['the list’s newest page']);
  assert.deepEqual([list.meta.total, list.meta.last_page], [3_000_000, 150_000]);
});

test('exports 100 000 rows as a stream, never the whole file in memory', async (context) => {
  for (const format of ['csv', 'xlsx'] as const) {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const [start, deps] = [performance.now(), { db: world.db, sources: [] }];
    // These days contain about a hundred thousand entries.
    const rows = operationRows(deps, ann, { currency: ['USDT'], from: '2026-03-01', to: '2026-03-12' });
    let [count, bytes, max] = [0, 0, 0];
    const counted = async function* () {
      for await (const group of rows) {
        count += group.length;
        max = Math.max(max, process.memoryUsage().rss - before);
        yield group;
      }
    };
    if (format === 'xlsx') for await (const piece of xlsx('transactions', counted())) bytes += piece.length;
    else for await (const group of counted()) bytes += JSON.stringify(group).length;
    const seconds = (performance.now() - start) / 1_000;
    context.diagnostic(
      `${format}: ${count} rows in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second, ${(bytes / 1e6).toFixed(1)} MB, memory +${(max / 1e6).toFixed(0)} MB`,
    );
    assert.ok(count > 100_000, String(count));
    assert.ok(max <= 64e6, `memory +${max}`);
  }
});
