// A million invoices of one store: cost of a page of the list by each filter, and of a page of entries. A busy machine answers
// later than the time that is asked for. Then the blocks that PostgreSQL reads must be few.

import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { accounts } from '../../ledger/index.ts';
import { writeHistory } from '../../ledger/testing.ts';
import { type Db, type Server, type Values, buildServer, newId } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { gateRoutes } from '../routes.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

const INVOICES = 1_000_000;
/** Maximum median time of a call, in ms. */
const AT_THE_API = 20;
/** Maximum number of blocks of 8 kB that a call reads if it takes longer: the table has more than 100 000. */
const MAX_BLOCKS = 2_000;
const START = new Date('2025-12-01T00:00:00Z');

let world: InvoiceWorld;
let server: Server;
let one: StoredInvoice;

before(async () => {
  world = await openInvoiceWorld();
  one = await world.make();
  const { owner, store } = world;
  await owner.tx(
    async (tx) => {
      await tx.run('set local session_replication_role = replica');
      // Copies of one invoice: every 100 000th is short, every 1 000th of another amount.
      await tx.run(
        `insert into invoice (id, number, store_id, business_id, holder_id, state, version, created_at, updated_at, expires_at,
           due_at, currency, amount, credited, pending, settlement_unit, reserved, holds_money, order_id, email, locale, details,
           metadata, terms, body, mac)
         select gen_random_uuid(), 'KI-' || lpad(to_hex(n), 8, '0'), store_id, business_id, holder_id,
           case when n % 100000 = 0 then 'short' when n % 10 = 0 then 'expired' else 'settled' end, version,
           created_at - n * interval '30 seconds', updated_at, expires_at, null, currency,
           case when n % 1000 = 0 then 12345 else amount end, 0, 0, settlement_unit, 0, false, 'order-' || n,
           'buyer' || n || '@example.org', locale, details, metadata, terms, body, mac
         from invoice, generate_series(1, $1::int) as n where id = $2`,
        [INVOICES, one.view.id],
      );
      await tx.run(
        `insert into invoice_payment (id, invoice_id, store_id, txid, seen_at)
         select gen_random_uuid(), id, store_id, md5(id::text), created_at from invoice`,
      );
    },
    { budget: 600_000 },
  );
  await owner.run('vacuum analyze invoice');
  await owner.run('vacuum analyze invoice_payment');
  await writeHistory(owner, {
    custody: accounts.custody('LTC', 'hot', 'LTC'),
    big: accounts.merchant(store.id, 'LTC'),
    others: Array.from({ length: 100 }, () => accounts.wallet(newId(), 'LTC')),
    ...{ postings: INVOICES, start: START, step: 30 },
  });
  server = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    ...{ db: world.db, sealer: testSealer },
    authenticate: {
      user: async () => ({ id: store.holderId, email: 'ann', isEmailVerified: true, sessionId: newId() }),
      grants: async () => [{ permissions: ['invoices.read', 'reports.read'], on: { kind: 'store', id: store.id } }],
    },
  });
  const handlers = gateRoutes({ db: explaining(world.db), sender: SENDER, mode: 'sandbox', sealer: testSealer } as never);
  for (const name of ['invoices', 'storeEntries', 'storeReport'] as const) server.mount(routes[name], handlers[name] as never);
});
after(async () => {
  await server?.close();
  await world?.close();
});

async function ask<T>(path: string): Promise<T> {
  const headers = { authorization: 'Bearer kurs_s_any' };
  const { statusCode, body } = await server.app.inject({ url: `/api/v1/store/${world.store.id}/${path}`, headers });
  assert.equal(statusCode, 200, body);
  return JSON.parse(body) as T;
}

/** Returns the median time of a call, in ms. */
async function middleOf(path: string, times = 31): Promise<number> {
  const took: number[] = [];
  for (let go = 0; go < times; go += 1) {
    const start = performance.now();
    await ask(path);
    took.push(performance.now() - start);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

/** Number of blocks that the statements of the last call have read. */
let blocks = 0;

/** Returns the database, which explains each query that it is given. */
function explaining(db: Db): Db {
  const explain = async (sql: string, values: Values = []): Promise<void> => {
    const [row] = await world.owner.rows<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      values,
    );
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    blocks += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  return {
    ...db,
    async rows(sql, values, options) {
      if (isExplaining) await explain(sql, values);
      return db.rows(sql, values, options);
    },
    async row(sql, values, options) {
      if (isExplaining) await explain(sql, values);
      return db.row(sql, values, options);
    },
  };
}
let isExplaining = false;

/** Asserts that a call is answered in time, or reads few blocks. */
async function isCheap(t: TestContext, path: string): Promise<void> {
  const took = await middleOf(path);
  isExplaining = true;
  blocks = 0;
  await ask(path);
  isExplaining = false;
  t.diagnostic(`${path}: ${took.toFixed(1)} ms, ${blocks} blocks`);
  assert.ok(took <= AT_THE_API || blocks <= MAX_BLOCKS, `${took} ms, ${blocks} blocks`);
}

interface Listed {
  readonly data: readonly { readonly number: string }[];
  readonly meta: { readonly next?: string };
}

const QUERIES: Readonly<Record<string, number>> = {
  'invoices?per_page=20': 20,
  'invoices?per_page=100': 100,
  'invoices?state[]=settled': 20,
  'invoices?state[]=short': 10,
  'invoices?state[]=cancelled&state[]=invalid': 0,
  'invoices?from=2026-06-01&to=2026-06-01': 20,
  'invoices?from=2000-06-01&to=2000-06-02': 0,
  'invoices?q=order-777': 1,
  'invoices?q=BUYER777@example.org': 1,
  'invoices?q=nobody@example.org': 0,
  'invoices?min=123.45&max=123.45': 20,
  'invoices?min=100&max=100': 20,
  'invoices?min=5000': 0,
  'invoices?min=123.45&max=123.45&state[]=short': 10,
};

for (const [query, count] of Object.entries(QUERIES))
  test(`${query} is answered in time`, async (t) => {
    assert.equal((await ask<Listed>(query)).data.length, count);
    await isCheap(t, query);
  });

test('the last pages cost as much as the first, and a transaction is found', async (t) => {
  const deep = Buffer.from(`2025-12-20 00:00:00+00 ${one.view.id}`).toString('base64url');
  await isCheap(t, `invoices?after=${deep}`);
  const row = await world.db.row<{ txid: string }>('select txid from invoice_payment limit 1 offset 5000');
  assert.equal((await ask<Listed>(`invoices?q=${row?.txid}`)).data.length, 1);
  await isCheap(t, `invoices?q=${row?.txid}`);
});

test('a month of entries is answered in time, whichever it is', async (t) => {
  for (const path of ['entries?month=2025-12', 'entries?month=2026-06', 'report?month=2026-06']) await isCheap(t, path);
  const page = await ask<{ data: { entries: readonly object[]; next?: string } }>('entries?month=2026-06&per_page=100');
  assert.equal(page.data.entries.length, 100);
  assert.ok(page.data.next !== undefined);
});
