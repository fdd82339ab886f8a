// Answers of calls that are wrong, too frequent, or use another caller's key.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { Problem, route } from '@kurs/contract';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { openDevices } from './callers/device.ts';
import { buildServer, type Server } from './http.ts';
import { openSealer, openTokens } from '../secrets/secrets.ts';
import { testDb, type TestDb } from '../testing.ts';

const common = { allows: 'public', tag: 'Test', summary: 'test', problems: [] } as const;
const begin = route({
  ...common,
  method: 'POST',
  path: '/begin',
  input: z.object({
    from: z.enum(['a', 'b']),
    n: z.int().optional(),
    yes: z.boolean().optional(),
    list: z.array(z.string()).optional(),
  }),
  output: z.object({ token: z.string() }),
  isIdempotent: true,
});
const bounded = route({
  ...common,
  method: 'GET',
  path: '/bounded',
  input: z.object({ how: z.string() }),
  output: z.object({}),
});
const own = route({ ...common, allows: 'user', method: 'GET', path: '/own', input: z.object({}), output: z.object({}) });
const followed = route({
  ...common,
  method: 'GET',
  path: '/followed',
  input: z.object({}),
  output: z.object({}),
  hasStream: true,
});
const ofDesk = route({
  ...common,
  allows: 'operator: rails.read',
  method: 'GET',
  path: '/desk',
  input: z.object({ n: z.string().optional() }),
  output: z.object({}),
  problems: ['not_found'],
});
const long = route({ ...common, method: 'GET', path: '/long', input: z.object({}), output: z.array(z.string()) });

const tokens = openTokens(new Map([[1, Buffer.alloc(32, 9)]]));
let database: TestDb;
let server: Server;
before(async () => {
  database = await testDb();
  server = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: database.db,
    sealer: openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'answers'),
    tokens,
    authenticate: {
      operator: async (bearer) =>
        bearer === 'olga' ? { id: 'olga', name: 'olga', role: 'operator', permissions: ['rails.read'] } : undefined,
    },
    deskHeaders: async () => ({ 'kurs-restored': 'since today' }),
  });
  server.app.get('/beside/*', async () => 'a counterpart');
  server.mount(begin, async () => ({ token: randomUUID() }));
  server.mount(long, async () => Array.from({ length: 1000 }, (_, n) => `Счёт ${n}`));
  server.mount(own, async () => ({}));
  server.mount(ofDesk, async ({ n }) => {
    if (n === 'none') throw new Problem('not_found');
    return {};
  });
  server.mount(followed, async () => ({}), { stream: async () => assert.fail('a stream was opened') });
  server.mount(bounded, async ({ how }, { limit, limitNetwork }) => {
    // The sandbox doesn't count this machine.
    await limitNetwork('bounded', { max: 0, seconds: 60 });
    if (how === 'limit') await limit('bounded', { max: 3, seconds: 60 });
    if (how === 'unpaid') throw new Problem('too_many_unpaid_orders');
    return {};
  });
});
after(async () => {
  await server.close();
  await database.drop();
});

const listening = async (): Promise<unknown> => server.app.server.listening || server.app.listen({ port: 0, host: '127.0.0.1' });

/** Returns everything that a server sends in answer to these bytes until it closes the connection. */
async function said(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const web = { 'client-id': 'web' };
const ask = async (options: InjectOptions) => {
  const answer = await server.app.inject({ headers: web, ...options });
  const body = JSON.parse(answer.body || 'null') as { errors?: Record<string, string[]>; data?: unknown };
  return { status: answer.statusCode, headers: answer.headers, body };
};

test('a refusal says for each field what was expected', async () => {
  const begins = async (payload: object | string) => {
    const headers = { ...web, 'content-type': 'application/json' };
    return (await ask({ method: 'POST', url: '/api/v1/begin', payload: payload as object, headers })).body.errors;
  };
  assert.deepEqual(await begins({ from: 'c', n: '5', yes: 'no', list: 'x', lost: 5 }), {
    from: ['Choose one of: a, b'],
    n: ['Send this as a number'],
    yes: ['Send this as true or false'],
    list: ['Send this as a list'],
    lost: ['This field is not known here'],
  });
  assert.deepEqual(await begins('{"from":'), { body: ['This is not valid JSON'] });
  assert.deepEqual(await begins('[1]'), { body: ['Send a JSON object with the fields of this call'] });
  assert.deepEqual(await begins({ from: 'a', lost: 5 }), { lost: ['This field is not known here'] });
});

test('a POST ignores its query', async () => {
  const answer = await ask({ method: 'POST', url: '/api/v1/begin?from=a', payload: {}, headers: web });
  assert.deepEqual([answer.status, answer.body.errors], [422, { from: ['Fill this in'] }]);
});

test('an Idempotency-Key never gives a stranger what another visitor got', async () => {
  const secretOf = async (headers: Record<string, string>, word: string = randomUUID()) => {
    const request = { 'idempotency-key': word, 'user-agent': 'a browser', ...web, ...headers };
    return (await ask({ method: 'POST', url: '/api/v1/begin', payload: { from: 'a' }, headers: request })).body;
  };
  const word = randomUUID();
  const [ann, bob] = ['ann', 'bob'].map(() => openDevices(tokens).introduce({}, false)!.split(';')[0]!);
  const first = await secretOf({ cookie: ann! }, word);
  assert.deepEqual(await secretOf({ cookie: `theme=dark; ${ann}` }, word), first, 'the same visitor gets the same');
  assert.notDeepEqual(await secretOf({ cookie: bob! }, word), first, 'another browser of that kind behind that network');
  assert.notDeepEqual(await secretOf({}, word), first);
  assert.notDeepEqual(await secretOf({ cookie: 'kurs_device=AAAAAAAAAAAAAAAA.' + 'x'.repeat(43) }, word), first);
  const other = await secretOf({ 'user-agent': 'another' }, word);
  assert.notDeepEqual(await secretOf({}, word), other);
  assert.deepEqual(await secretOf({ 'user-agent': 'another' }, word), other);
  const guessed = (await secretOf({}, 'k1')) as { errors?: object };
  assert.deepEqual(Object.keys(guessed.errors ?? {}), ['Idempotency-Key']);
});

test('limits of a customer or an order answer the same headers, wherever they stop a call', async () => {
  const over = async (how: string) => {
    const { status, headers } = await ask({ url: `/api/v1/bounded?how=${how}` });
    const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
    return [status, ...names.map((name) => headers[name])];
  };
  for (let n = 0; n < 3; n++) await over('limit');
  const [status, limit, remaining, reset, after] = await over('limit');
  assert.deepEqual([status, limit, remaining], [429, '3', '0']);
  assert.ok(Number(after) > 0 && reset === after);
  assert.deepEqual(await over('unpaid'), [429, '1', '0', '60', '60']);
});

test('the site answers an unreadable address, the API one within its prefix', async () => {
  server.fallBackTo((request, reply) => {
    if (request.url === '/%zz') throw new Error('The site is broken');
    return reply.code(404).header('content-type', 'text/html').send(request.url);
  });
  const answers = await Promise.all(
    ['/En/%E0%A4%A', '/%zz', '/api/v1/%zz', '/nowhere', '/beside/%'].map((url) => server.app.inject({ url })),
  );
  assert.deepEqual(
    answers.map(({ statusCode, headers }) => [statusCode, String(headers['content-type']).split(';')[0]]),
    [
      [404, 'text/html'],
      [500, 'application/problem+json'],
      [404, 'application/problem+json'],
      [404, 'text/html'],
      [404, 'application/problem+json'],
    ],
  );
  for (const { headers } of answers.slice(1)) assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(answers[0]?.body, '/En/%E0%A4%A');
});

test('compresses a long answer for a client that accepts it, with the same content', async () => {
  const ask = (encoding: string) => server.app.inject({ url: '/api/v1/long', headers: { 'accept-encoding': encoding } });
  const [plain, br] = [await ask('identity'), await ask('gzip, br')];
  assert.equal(plain.json().data.length, 1000);
  assert.equal(br.headers['content-encoding'], 'br');
  assert.equal(Number(br.headers['content-length']), br.rawPayload.length);
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body);
  assert.ok(br.rawPayload.length < plain.rawPayload.length / 3);
});

test('an answer before the framework holds no connection open for a body that does not come', async (t) => {
  server.answerFirst(({ url }, response) => {
    if (url === '/early') response.writeHead(200, { 'content-length': 5 }).end('ready');
    return url === '/early';
  });
  await listening();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const socket = connect((server.app.server.address() as { port: number }).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let answer = '';
  socket.on('data', (part) => (answer += String(part))).on('error', () => undefined);
  socket.write('GET /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
  await once(socket, 'data');
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
  t.mock.timers.tick(15_000);
  await closed;
  assert.match(answer, /^HTTP\/1\.1 200[^]*ready$/);
});

test('refuses requests in the form for proxies, whatever their address', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const own = createServer((_request, response) => void response.end('reached')).listen(0, '127.0.0.1', resolve);
  await ready;
  await listening();
  const { port } = server.app.server.address() as { port: number };
  const other = (own.address() as { port: number }).port;
  try {
    for (const path of [`http://127.0.0.1:${other}/sandbox/x`, `http://127.0.0.1:${port}/api/v1/long`]) {
      const { promise, resolve: done } = Promise.withResolvers<string>();
      const request = get({ port, host: '127.0.0.1', path, headers: { 'client-id': 'web' } }, async (response) => {
        done(`${response.statusCode} ${await text(response)}`);
      });
      request.on('error', (error) => done(String(error)));
      assert.match(await promise, /^404 .*not_found/, path);
    }
  } finally {
    own.close();
  }
});

test('refusals before the framework are problems with the headers of all answers', async () => {
  await listening();
  const { port } = server.app.server.address() as { port: number };
  const head = 'GET /api/v1/long HTTP/1.1\r\nhost: here\r\nconnection: close\r\n';
  for (const [request, status, title] of [
    ['BREW /api/v1/long HTTP/1.1\r\nhost: here\r\n\r\n', 400, 'Bad Request'],
    ['\x16\x03\x01 hello\r\n\r\n', 400, 'Bad Request'],
    [`${head}x y: z\r\n\r\n`, 400, 'Bad Request'],
    ['GET /api/v1/long HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'Bad Request'],
    [`${head}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'Request Header Fields Too Large'],
    [`${head}expect: a-miracle\r\n\r\n`, 417, 'Expectation Failed'],
    [`${head.replace('GET', 'QUERY')}\r\n`, 405, 'Method not allowed'],
    [`${head.replace('GET', 'QUERY').replace('long', 'nowhere')}\r\n`, 404, 'Not found'],
  ] as const) {
    const answer = await said(port, request);
    const [first = '', ...headers] = answer.split('\r\n\r\n')[0]?.toLowerCase().split('\r\n') ?? [];
    assert.match(first, new RegExp(`^http/1.1 ${status} `), request);
    for (const wanted of [
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'content-type: application/problem+json; charset=utf-8',
    ])
      assert.ok(headers.includes(wanted), `${wanted} of ${request.slice(0, 60)}: ${answer}`);
    assert.partialDeepStrictEqual(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), { status, title });
    if (status === 405) assert.ok(headers.includes('allow: get, head'), answer);
  }
});

test('401 names the scheme to sign in with, and 405 names the methods', async () => {
  const [nobody, wrong, head] = [
    await ask({ url: '/api/v1/own' }),
    await ask({ method: 'POST', url: '/api/v1/own', payload: {} }),
    await server.app.inject({ method: 'HEAD', url: '/api/v1/long' }),
  ];
  assert.deepEqual([nobody.status, nobody.headers['www-authenticate']], [401, 'Bearer']);
  assert.deepEqual([wrong.status, String(wrong.headers['allow']).split(', ').sort()], [405, ['GET', 'HEAD']]);
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const)
    assert.deepEqual(
      [await ask({ method, url: '/api/v1/begin' })].map(({ status, headers }) => [status, headers['allow']]),
      [[405, 'POST']],
    );
});

test('a HEAD request opens no stream', async () => {
  const headers = { accept: 'text/event-stream' };
  assert.equal((await server.app.inject({ method: 'HEAD', url: '/api/v1/followed', headers })).statusCode, 200);
});

test('refuses an encoded body without reading it', async () => {
  const begins = (encoding: string) =>
    ask({ method: 'POST', url: '/api/v1/begin', payload: { from: 'a' }, headers: { ...web, 'content-encoding': encoding } });
  for (const encoding of ['gzip', 'br', 'x-unknown', 'identity, gzip']) {
    const { status, headers } = await begins(encoding);
    assert.deepEqual([status, headers['accept-encoding']], [415, 'identity'], encoding);
  }
  assert.equal((await begins('Identity')).status, 200);
});

test('answers require https of browsers in live mode, and not in the sandbox', async () => {
  const live = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: database.db,
    sealer: openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'answers'),
  });
  live.mount(long, async () => []);
  live.app.get('/written-by-hand', async () => 'x');
  for (const [request, isStored] of [
    [live, true],
    [server, false],
  ] as const)
    for (const url of ['/api/v1/long', '/api/v1/nowhere', '/written-by-hand', '/nowhere', '/%zz']) {
      const { headers } = await request.app.inject({ url });
      assert.equal(headers['strict-transport-security'] !== undefined, isStored, url);
      assert.equal(headers['x-content-type-options'], 'nosniff', url);
    }
  await live.close();
});

test('every answer to the desk, refusals included, has the desk’s headers; an answer to others has not', async () => {
  const requested = async (url: string, bearer?: string): Promise<[number, unknown]> => {
    const { status, headers } = await ask({
      method: 'GET',
      url: `/api/v1${url}`,
      headers: { ...web, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    });
    return [status, headers['kurs-restored']];
  };
  assert.deepEqual(await requested('/desk', 'olga'), [200, 'since today']);
  assert.deepEqual(await requested('/desk?n=none', 'olga'), [404, 'since today']);
  assert.deepEqual(await requested('/desk?n=1&n=2', 'olga'), [422, 'since today']);
  assert.deepEqual(await requested('/desk', 'somebody'), [401, 'since today']);
  assert.deepEqual(await requested('/desk'), [401, 'since today']);
  assert.deepEqual(await requested('/long'), [200, undefined]);
  assert.deepEqual(await requested('/own'), [401, undefined]);
});
