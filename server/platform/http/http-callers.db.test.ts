// Callers and addresses: another spelling of a path is another address, and no account holder gets the answer of another one.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { route } from '@kurs/contract';
import { z } from 'zod';
import { buildServer, type Server } from './http.ts';
import { testDb, type TestDb, testSealer } from '../testing.ts';

const mine = route({
  ...{ allows: 'user', method: 'POST', path: '/mine', tag: 'Test', summary: 'test', problems: [], isIdempotent: true },
  input: z.object({ id: z.string() }),
  output: z.object({ whose: z.string() }),
});

/** A call of everybody about a row whose id is no secret. */
const copy = route({
  ...{ allows: 'public', method: 'POST', path: '/copy', tag: 'Test', summary: 'test', problems: [], isIdempotent: true },
  input: z.object({ id: z.string() }),
  output: z.object({ copy: z.string() }),
});

let own: TestDb;
let server: Server;
before(async () => {
  own = await testDb();
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: own.db,
    sealer: testSealer,
    authenticate: {
      user: async (id) =>
        id.startsWith('no') ? undefined : { id, email: `${id}@example.org`, isEmailVerified: true, sessionId: id },
    },
  });
  server.mount(copy, async () => ({ copy: randomUUID() }));
  server.mount(mine, async (_input, { user }) => ({ whose: user?.id ?? '' }));
});
after(async () => {
  await server.close();
  await own.drop();
});

const ask = (url: string, bearer: string) =>
  server.app.inject({
    method: 'POST',
    url,
    payload: { id: 'x' },
    headers: { 'client-id': 'web', 'idempotency-key': 'the-same', authorization: `Bearer ${bearer}` },
  });

test('an Idempotency-Key of one account holder gives another nothing, with the same body', async () => {
  for (const whose of ['ann', 'bob', 'ann']) assert.deepEqual((await ask('/api/v1/mine', whose)).json().data, { whose });
});

test('an Idempotency-Key of a stranger is theirs alone, and long, if the call names a row without its secret', async () => {
  const by = async (agent: string, key: string) => {
    const headers = { 'client-id': 'web', 'user-agent': agent, 'idempotency-key': key };
    return (await server.app.inject({ method: 'POST', url: '/api/v1/copy', payload: { id: 'x' }, headers })).json();
  };
  const key = 'key-of-16-letters';
  const [ann, again, bob] = [await by('ann', key), await by('ann', key), await by('bob', key)];
  assert.equal(again.data.copy, ann.data.copy);
  assert.notEqual(bob.data.copy, ann.data.copy);
  assert.deepEqual(Object.keys((await by('ann', 'k1')).errors ?? {}), ['Idempotency-Key']);
});

test('shows nobody a stored answer that was moved to another account’s key by SQL', async () => {
  for (const whose of ['ann', 'bob']) await ask('/api/v1/mine', whose);
  const moved = await own.db.run(
    `update idempotency set answer = (select answer from idempotency where scope like '%ann%') where scope like '%bob%'`,
  );
  assert.equal(moved, 1);
  const answer = await ask('/api/v1/mine', 'bob');
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'record_altered']);
});

test('another spelling of an address does not evade its limits', async () => {
  for (const url of [
    '/api/v1/mine/',
    '/api/v1//mine',
    '//api/v1/mine',
    '/api/v1/Mine',
    '/API/v1/mine',
    '/api/v1/mine%2f',
    '/api/v1/mine;a',
  ])
    assert.equal((await ask(url, 'ann')).statusCode, 404, url);
});

test('strangers of a network use up no limit of its signed-in users; bad tokens count for the network', async () => {
  const codes = async (whose: string, times: number): Promise<number[]> => {
    const answers = [];
    for (let at = 0; at < times; at += 1) answers.push((await ask('/api/v1/mine', whose)).statusCode);
    return [...new Set(answers)];
  };
  assert.deepEqual(await codes('nobody', 130), [401, 429]);
  assert.deepEqual(await codes('cid', 100), [200]);
  assert.deepEqual(await codes('cid', 30), [200, 429]);
  assert.deepEqual(await codes('dan', 1), [200]);
});

test('a server with networks answers nobody else, and believes no forged forwarded address', async () => {
  const guarded = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: ['10.0.0.1'] },
    ...{ db: own.db, sealer: testSealer, networks: ['203.0.113.0/24', '2001:db8::/48'] },
  });
  guarded.mount(copy, async () => ({ copy: randomUUID() }));
  const statusOf = async (remoteAddress: string, forwarded?: string, url = '/api/v1/copy'): Promise<number> => {
    const headers = { 'client-id': 'web', 'idempotency-key': randomUUID(), ...(forwarded && { 'x-forwarded-for': forwarded }) };
    return (await guarded.app.inject({ method: 'POST', url, payload: { id: 'x' }, headers, remoteAddress })).statusCode;
  };
  for (const [remote, forwarded] of [
    ['203.0.113.9'],
    ['::ffff:203.0.113.9'],
    ['2001:db8::9'],
    ['10.0.0.1', '203.0.113.9'],
  ] as const)
    assert.equal(await statusOf(remote, forwarded), 200, `${remote} ${forwarded}`);
  for (const [remote, forwarded] of [
    ['198.51.100.7'],
    ['198.51.100.7', '203.0.113.9'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.7'],
    ['10.0.0.1', 'nonsense'],
    ['127.0.0.1'],
  ] as const)
    assert.equal(await statusOf(remote, forwarded), 403, `${remote} ${forwarded}`);
  assert.equal(await statusOf('198.51.100.7', undefined, '/nothing'), 403, 'also for what is not there');
  await guarded.close();
});
