// An API in another dialect beside ours: it has its own methods, headers, and forms of queries, lists and errors; access works as
// in ours.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, route } from '@kurs/contract';
import { z } from 'zod';
import { testDb, testSealer } from '../testing.ts';
import type { Dialect } from './dialect.ts';
import { type Server, buildServer } from './http.ts';

const common = { tag: 'Test', summary: 'test', problems: [] } as const;
const keyed = { ...common, allows: 'key: orders.read' } as const;
const id = z.object({ id: z.string() });
/** One or several values of a name: `?status=new&status=paid`. */
const repeated = z.preprocess((given) => (given === undefined ? [] : [given].flat()), z.array(z.string()));

/** Calls of a shop system that uses tokens and bare lists. */
const table = {
  read: route({ ...keyed, method: 'GET', path: '/invoices', input: z.object({ status: repeated }), output: z.array(z.string()) }),
  put: route({ ...keyed, method: 'PUT', path: '/invoices/:id', input: id.extend({ note: z.string() }), output: id }),
  make: route({
    ...keyed,
    method: 'POST',
    path: '/invoices',
    isIdempotent: true,
    input: z.object({ note: z.string() }),
    output: z.array(z.string()),
  }),
  remove: route({
    ...keyed,
    method: 'DELETE',
    path: '/invoices/:id',
    input: id.extend({ hard: z.string().optional() }),
    output: id,
  }),
  shown: route({
    ...{ ...common, allows: 'public', method: 'GET', path: '/button', input: z.object({}), output: z.object({}) },
    ...{ framing: 'anyone', referrer: 'strict-origin-when-cross-origin' },
  } as const),
};
const shop: Dialect = {
  prefix: '/shop/v1',
  bearerOf(authorization) {
    const [, scheme, shown = ''] = /^(token|basic) +(\S+)$/i.exec(authorization) ?? [];
    if (scheme?.toLowerCase() !== 'basic') return shown || undefined;
    return Buffer.from(shown, 'base64').toString().split(':')[1];
  },
  challenge: 'token',
  bodyOf: ({ data }) => data,
  errorOf: ({ code, detail, errors }) => ({
    type: 'application/json; charset=utf-8',
    body: errors ? Object.entries(errors).map(([path, [message]]) => ({ path, message })) : { code, message: detail },
  }),
};
const KEY = 'kurs_test_abc';

let server: Server;
let drop: () => Promise<void>;
before(async () => {
  const own = await testDb();
  drop = own.drop;
  server = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: own.db,
    sealer: testSealer,
    authenticate: {
      key: async (bearer) =>
        bearer === KEY
          ? { id: 'k1', holder: { id: 'h1', email: 'a@example.org', isEmailVerified: true }, permissions: ['orders.read'] }
          : undefined,
    },
  });
  server.mount(table.read, async ({ status }) => status, { dialect: shop });
  server.mount(table.put, async ({ id: one, note }) => ({ id: `${one} ${note}` }), { dialect: shop });
  server.mount(table.shown, async () => ({}), { dialect: shop });
  server.mount(
    table.remove,
    async ({ id: one }) => {
      if (one === 'gone') throw new Problem('not_found');
      return { id: one };
    },
    { dialect: shop },
  );
  server.mount(table.make, async ({ note }) => [note], { dialect: shop });
  // The same calls in our own dialect.
  server.mount(table.read, async ({ status }) => status);
  server.mount(table.make, async ({ note }) => [note]);
  server.fallBackTo((_request, reply) => reply.send('a page'));
});
after(async () => {
  await server.close();
  await drop();
});

type TestRequest = { readonly method?: 'GET' | 'PUT' | 'DELETE'; readonly authorization?: string; readonly payload?: object };
async function ask(url: string, { method = 'GET', authorization = `token ${KEY}`, payload }: TestRequest = {}) {
  const headers = authorization === '' ? {} : { authorization };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<unknown>() };
}

test('a PUT takes a body and a DELETE a query, and both refuse unknown fields', async () => {
  const put = await ask('/shop/v1/invoices/i1', { method: 'PUT', payload: { note: 'hello' } });
  assert.deepEqual([put.status, put.body], [200, { id: 'i1 hello' }]);
  const unknown = await ask('/shop/v1/invoices/i1', { method: 'PUT', payload: { note: 'hello', more: 1 } });
  assert.equal(unknown.status, 422);
  const removed = await ask('/shop/v1/invoices/i1?hard=1', { method: 'DELETE' });
  assert.deepEqual([removed.status, removed.body], [200, { id: 'i1' }]);
  assert.equal((await ask('/shop/v1/invoices/i1?all=1', { method: 'DELETE' })).status, 422);
  const other = await server.app.inject({ method: 'POST', url: '/shop/v1/invoices/i1' });
  assert.deepEqual([other.statusCode, other.headers['allow']?.toString().split(', ').toSorted()], [405, ['DELETE', 'PUT']]);
});

test('a list is bare, and a query may repeat a name', async () => {
  assert.deepEqual((await ask('/shop/v1/invoices?status=new&status=paid')).body, ['new', 'paid']);
  assert.deepEqual((await ask('/shop/v1/invoices?status=new')).body, ['new']);
});

test('identifies callers by the dialect’s own header, with the usual access rules', async () => {
  const basic = `Basic ${Buffer.from(`shop:${KEY}`).toString('base64')}`;
  assert.equal((await ask('/shop/v1/invoices', { authorization: basic })).status, 200);
  for (const authorization of ['', 'token kurs_test_wrong', `Bearer ${KEY}`]) {
    const { status, headers, body } = await ask('/shop/v1/invoices', { authorization });
    assert.deepEqual([status, headers['www-authenticate']], [401, 'token'], authorization);
    assert.equal((body as { code: string }).code, 'unauthorised');
  }
  const ours = await ask('/api/v1/invoices?status=new', { authorization: `Bearer ${KEY}` });
  assert.deepEqual([ours.status, ours.body], [200, { data: ['new'] }]);
  const theirs = await ask('/api/v1/invoices');
  assert.deepEqual([theirs.status, theirs.headers['www-authenticate']], [401, 'Bearer']);
});

test('an Idempotency-Key belongs to one API: neither gets an answer in the other’s dialect', async () => {
  const post = async (url: string, scheme: string): Promise<unknown> => {
    const headers = { authorization: `${scheme} ${KEY}`, 'idempotency-key': 'the-same-key-for-both' };
    return (await server.app.inject({ method: 'POST', url, headers, payload: { note: 'x' } })).json();
  };
  const requested = async () => [await post('/shop/v1/invoices', 'token'), await post('/api/v1/invoices', 'Bearer')];
  const answers = [['x'], { data: ['x'] }];
  assert.deepEqual([await requested(), await requested()], [answers, answers]);
});

test('errors have the dialect’s form, also at addresses without a call', async () => {
  const gone = await ask('/shop/v1/invoices/gone', { method: 'DELETE' });
  assert.deepEqual([gone.status, gone.headers['content-type']], [404, 'application/json; charset=utf-8']);
  assert.equal((gone.body as { code: string }).code, 'not_found');
  const invalid = await ask('/shop/v1/invoices/i1', { method: 'PUT', payload: {} });
  assert.deepEqual(
    (invalid.body as { path: string }[]).map(({ path }) => path),
    ['note'],
  );
  const none = await ask('/shop/v1/nothing');
  assert.deepEqual([none.status, (none.body as { code: string }).code], [404, 'not_found'], 'no page of the site');
});

test('framing and referrer policy of an answer come from its route', async () => {
  const { headers } = await ask('/shop/v1/button', { authorization: '' });
  assert.match(String(headers['content-security-policy']), /frame-ancestors \*$/);
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
  const none = (await server.app.inject({ url: '/a-page-that-states-nothing' })).headers;
  assert.match(String(none['content-security-policy']), /frame-ancestors 'none'$/);
  const plain = (await ask('/shop/v1/invoices')).headers;
  assert.match(String(plain['content-security-policy']), /frame-ancestors 'none'$/);
  assert.equal(plain['referrer-policy'], 'no-referrer');
});
