// The API at another origin than the site: pages of the site may call it, other pages may not.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { route } from '@kurs/contract';
import { z } from 'zod';
import { buildServer, type Server } from './http.ts';
import { testDb, type TestDb, testSealer } from '../testing.ts';

const SITE = 'https://kurs.example';

const news = route({
  ...{ allows: 'public', method: 'GET', path: '/news', tag: 'Test', summary: 'test', problems: [], hasStream: true },
  input: z.object({}),
  output: z.object({ n: z.number() }),
});

let own: TestDb;
let apart: Server;
let together: Server;

function build(siteOrigin?: string): Server {
  const built = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['shop'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    ...{ db: own.db, sealer: testSealer },
    ...(siteOrigin !== undefined && { siteOrigin }),
  });
  built.mount(news, async () => ({ n: 1 }), {
    stream: async () => ({
      of: 'news',
      report: async (stream) => {
        stream.send({ id: '1', event: 'news', data: {} });
        stream.end();
      },
    }),
  });
  built.fallBackTo((_request, reply) => reply.code(200).send('a page'));
  return built;
}

before(async () => {
  own = await testDb();
  [apart, together] = [build(SITE), build()];
});
after(async () => {
  await Promise.all([apart.close(), together.close()]);
  await own.drop();
});

type Headers = Record<string, unknown>;
const allowed = (headers: Headers): unknown => headers['access-control-allow-origin'];
const ask = (server: Server, headers: Record<string, string>, url = '/api/v1/news') =>
  server.app.inject({ url, headers: { 'client-id': 'shop', ...headers } });

test('the site’s pages read answers, problems and streams of an API at another origin', async () => {
  const answers = {
    answer: await ask(apart, { origin: SITE }),
    problem: await ask(apart, { origin: SITE, 'client-id': 'who' }),
    missing: await ask(apart, { origin: SITE }, '/api/v1/nothing'),
    stream: await ask(apart, { origin: SITE, accept: 'text/event-stream' }),
  };
  assert.deepEqual(
    Object.values(answers).map(({ statusCode }) => statusCode),
    [200, 403, 404, 200],
  );
  for (const [name, { headers }] of Object.entries(answers)) {
    assert.equal(allowed(headers), SITE, name);
    assert.equal(headers['access-control-allow-credentials'], 'true', name);
    assert.match(String(headers['access-control-expose-headers']), /retry-after/, name);
  }
});

test('answers a preflight request with what the site’s pages may send', async () => {
  const preflight = (server: Server, origin: string) =>
    server.app.inject({
      ...{ method: 'OPTIONS', url: '/api/v1/news' },
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'client-id' },
    });
  const { statusCode, headers } = await preflight(apart, SITE);
  assert.equal(statusCode, 204);
  assert.equal(allowed(headers), SITE);
  assert.match(String(headers['access-control-allow-methods']), /PATCH/);
  for (const name of ['authorization', 'client-id', 'content-type', 'idempotency-key', 'last-event-id'])
    assert.ok(String(headers['access-control-allow-headers']).includes(name), name);
  const others = await preflight(apart, 'https://kurs.example.net');
  assert.deepEqual([others.statusCode, allowed(others.headers)], [405, undefined]);
  assert.deepEqual([(await preflight(together, SITE)).statusCode], [405]);
});

test('sends no such headers to other origins, for pages of the site, or if both have one origin', async () => {
  for (const origin of ['https://evil.example', 'http://kurs.example', 'https://kurs.example:8443', 'null']) {
    const { headers } = await ask(apart, { origin });
    assert.equal(allowed(headers), undefined, origin);
    assert.equal(headers['vary'], 'origin', 'what one was answered is not kept for another');
  }
  assert.equal(allowed((await ask(apart, { origin: SITE }, '/En')).headers), undefined);
  const { headers } = await ask(together, { origin: SITE });
  assert.deepEqual([allowed(headers), headers['vary']], [undefined, undefined]);
});
