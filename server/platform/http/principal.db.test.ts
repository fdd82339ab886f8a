// Permissions that are bound to a resource: valid for calls about it, and for nothing else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { route } from '@kurs/contract';
import { z } from 'zod';
import { refusal, testDb, testSealer } from '../testing.ts';
import type { ApiKey, Grant } from './calls.ts';
import { type Server, buildServer } from './http.ts';
import { requirePermission } from './principal.ts';

const common = { tag: 'Test', summary: 'test', problems: [], allows: 'key: orders.read', method: 'GET' } as const;
const table = {
  ofStore: route({
    ...{ ...common, path: '/store/:store/invoices', about: { kind: 'store', field: 'store' } },
    ...{ input: z.object({ store: z.string() }), output: z.object({ store: z.string() }) },
  }),
  ofBusiness: route({
    ...{ ...common, path: '/business/:id', about: { kind: 'business', field: 'id' } },
    ...{ input: z.object({ id: z.string() }), output: z.object({}) },
  }),
  ofMembers: route({
    ...{
      ...common,
      allows: ['user: orders.read', 'key: orders.read'],
      path: '/shop/:store',
      about: { kind: 'store', field: 'store' },
    },
    ...{ input: z.object({ store: z.string() }), output: z.object({}) },
  } as const),
  ofHolder: route({ ...common, path: '/orders', input: z.object({}), output: z.object({}) }),
};
const keyed = (on?: ApiKey['on']): ApiKey => ({
  ...{ id: 'k', holder: { id: 'h', email: 'a@example.org', isEmailVerified: true }, permissions: ['orders.read'] },
  ...(on && { on }),
});
const KEYS: Readonly<Record<string, ApiKey>> = {
  kurs_test_whole: keyed(),
  kurs_test_store: keyed({ kind: 'store', id: 's1' }),
  kurs_test_business: keyed({ kind: 'business', id: 's1' }),
};

const of = (kind: string, id: string, ...permissions: string[]): Grant => ({ permissions, on: { kind, id } });
const MEMBERS: Readonly<Record<string, readonly Grant[]>> = {
  of_two_stores: [of('store', 's1', 'orders.read'), of('store', 's2', 'orders.read', 'wallets.read')],
  of_one_for_something_else: [of('store', 's1', 'wallets.read'), of('store', 's2', 'orders.read')],
  of_a_business: [of('business', 's1', 'orders.read')],
};

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
      key: async (bearer) => KEYS[bearer],
      user: async (bearer) => ({ id: bearer, email: 'a@example.org', isEmailVerified: true, sessionId: 's' }),
      grants: async (holderId, kind) => (MEMBERS[holderId] ?? []).filter(({ on }) => on?.kind === kind),
    },
  });
  server.mount(table.ofStore, async ({ store }) => ({ store }));
  server.mount(table.ofBusiness, async () => ({}));
  server.mount(table.ofMembers, async () => ({}));
  server.mount(table.ofHolder, async () => ({}));
});
after(async () => {
  await server.close();
  await drop();
});

test('a key of one store reads that store only: no other, none of another kind, and nothing else of its holder', async () => {
  const status = async (key: string, path: string): Promise<number> =>
    (await server.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })).statusCode;
  const met = async (key: string): Promise<number[]> => [
    await status(key, '/store/s1/invoices'),
    await status(key, '/store/s2/invoices'),
    await status(key, '/business/s1'),
    await status(key, '/orders'),
  ];
  assert.deepEqual(await met('kurs_test_whole'), [200, 200, 200, 200]);
  assert.deepEqual(await met('kurs_test_store'), [200, 403, 403, 403]);
  assert.deepEqual(await met('kurs_test_business'), [403, 403, 200, 403]);
});

test('an account holder may use each resource as granted there, and no other', async () => {
  const met = async (bearer: string): Promise<number[]> => {
    const status = async (path: string): Promise<number> =>
      (await server.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${bearer}` } })).statusCode;
    return [await status('/shop/s1'), await status('/shop/s2'), await status('/shop/s3'), await status('/store/s1/invoices')];
  };
  assert.deepEqual(await met('of_two_stores'), [200, 200, 403, 401]);
  assert.deepEqual(await met('of_one_for_something_else'), [403, 200, 403, 401]);
  assert.deepEqual(await met('of_a_business'), [403, 403, 403, 401]);
  assert.deepEqual(await met('of_nothing'), [403, 403, 403, 401]);
  assert.deepEqual(await met('kurs_test_store'), [200, 403, 403, 200], 'a key of one is as before');
});

test('an action within a call requires the permission on its resource', async () => {
  const holds = { permissions: ['orders.run'], on: { kind: 'store', id: 's1' } };
  const requested = (resource?: { kind: string; id: string }) =>
    refusal(async () => requirePermission(holds, 'orders.run', resource));
  assert.equal(await requested({ kind: 'store', id: 's1' }), 'done');
  for (const resource of [{ kind: 'store', id: 's2' }, { kind: 'business', id: 's1' }, undefined])
    assert.equal(await requested(resource), 'forbidden');
  const several = [holds, { permissions: ['orders.judge'], on: { kind: 'store', id: 's2' } }];
  assert.equal(await refusal(async () => requirePermission(several, 'orders.judge', { kind: 'store', id: 's2' })), 'done');
  assert.equal(await refusal(async () => requirePermission(several, 'orders.judge', holds.on)), 'forbidden');
  assert.equal(await refusal(async () => requirePermission(holds, 'orders.judge', holds.on)), 'forbidden');
  assert.equal(await refusal(async () => requirePermission({ permissions: ['orders.run'] }, 'orders.run', holds.on)), 'done');
});
