import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, route } from '@kurs/contract';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { openDb, type Db } from '../db/db.ts';
import { buildServer, type Server, type ServerOptions } from './http.ts';
import { configureLog } from '../base/log.ts';
import { openSealer } from '../secrets/secrets.ts';
import { startTcpProxy } from '../tcp-proxy.ts';
import { testDb, type TestDb } from '../testing.ts';

const common = { allows: 'public', tag: 'Test', summary: 'test', problems: [] } as const;
const greet = route({
  ...common,
  method: 'GET',
  path: '/greet',
  input: z.object({ name: z.string().min(1), tag: z.array(z.string()).optional() }),
  output: z.object({ words: z.string() }),
});
const make = route({
  ...common,
  method: 'POST',
  path: '/make',
  input: z.object({ id: z.string(), token: z.string().default('secret'), amount: z.string({ error: 'amount_is_text' }) }),
  output: z.object({ id: z.string(), n: z.string() }),
  isIdempotent: true,
});
const item = route({
  ...common,
  method: 'GET',
  path: '/items/:id',
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string() }),
});
const list = {
  ...route({ ...common, method: 'GET', path: '/list', input: z.object({}), output: z.array(z.string()) }),
  isList: true,
} as const;
const broken = route({
  ...common,
  method: 'GET',
  path: '/broken',
  input: z.object({ how: z.string() }),
  output: z.object({ n: z.int() }),
});
const secret = route({
  ...common,
  allows: 'operator: orders.read',
  method: 'GET',
  path: '/secret',
  input: z.object({}),
  output: z.object({ id: z.string() }),
});
const play = route({
  ...common,
  allows: 'sandbox',
  method: 'GET',
  path: '/sandbox/play',
  input: z.object({}),
  output: z.object({}),
});
const follow = route({
  ...common,
  method: 'GET',
  path: '/follow',
  input: z.object({ id: z.string() }),
  output: z.object({}),
  hasStream: true,
});

let own: TestDb;
let db: Db;
let server: Server;
const lines: string[] = [];
const sealer = openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'answers');
const config = { KURS_MODE: 'sandbox' as const, KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] };

function build(options: Partial<ServerOptions> = {}): Server {
  const built = buildServer({
    config,
    db,
    sealer,
    authenticate: {
      operator: async (key) =>
        key === 'right' ? { id: 'o1', name: 'Anna', role: 'operator', permissions: ['orders.read'] } : undefined,
    },
    ...options,
  });
  built.mount(greet, async ({ name, tag }, { locale, clientId }) => ({
    words: `${name} ${tag?.join('+') ?? ''} ${locale} ${clientId}`,
  }));
  built.mount(make, async ({ id }, context) => {
    // As in a room: one row per id, however often it is called.
    const made = await context.db.tx(async (tx) => {
      await sleep(20);
      await tx.run('insert into made (id) values ($1) on conflict do nothing', [id]);
      return tx.row<{ n: string }>('update made set n = n + 1 where id = $1 returning n', [id]);
    });
    if (id === 'refused') throw new Problem('quote_expired');
    if (id === 'shaky' && made!.n === '1') throw new Problem('unavailable');
    return { id, n: made!.n };
  });
  built.mount(item, async ({ id }) => ({ id }));
  built.mount(list, async () => ({ data: ['a'], meta: { current_page: 1, per_page: 20, last_page: 1, total: 1 } }));
  built.mount(broken, async ({ how }) => {
    if (how === 'throw') throw new Error('secret words of the inside');
    return { n: 'no number' as unknown as number };
  });
  built.mount(secret, async (_input, { operator }) => ({ id: operator!.id }));
  built.mount(play, async () => ({}));
  built.mount(follow, async () => ({}), {
    stream: async ({ id }) => {
      if (id === 'unknown') throw new Problem('not_found');
      return {
        of: id,
        report: async (stream) => stream.send({ id: '7', event: 'order', data: { id, after: stream.lastEventId } }),
      };
    },
  });
  return built;
}

before(async () => {
  own = await testDb();
  db = own.db;
  await own.owner.run('create table made (id text primary key, n bigint not null default 0); grant all on made to kurs_app');
  configureLog({ sink: (text) => void lines.push(text) });
  server = build();
});
after(async () => {
  await server.close();
  await own.drop();
});

const web = { 'client-id': 'web' };
const ask = async (options: InjectOptions, to: Server = server) => {
  const answer = await to.app.inject({ headers: web, ...options });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: safeJson(answer.body) };
};
const safeJson = (text: string) =>
  JSON.parse(text || 'null') as {
    code?: string;
    message?: string;
    errors?: Record<string, string[]>;
    reference?: string;
    data?: unknown;
    meta?: unknown;
  };
const post = (payload: object | string, headers: Record<string, string> = {}, to: Server = server) =>
  ask(
    {
      method: 'POST',
      url: '/api/v1/make',
      payload: payload as object,
      headers: { ...web, 'content-type': 'application/json', ...headers },
    },
    to,
  );

describe('a call', () => {
  test('gets path, query and lists as one input and answers data', async () => {
    const answer = await ask({ url: '/api/v1/greet?name=Anna&tag[]=a&tag[]=b', headers: { ...web, 'accept-language': 'ru-RU' } });
    assert.deepEqual([answer.status, answer.body], [200, { data: { words: 'Anna a+b ru web' } }]);
    assert.deepEqual((await ask({ url: '/api/v1/items/x?id=y' })).body, { data: { id: 'x' } });
    assert.equal((await ask({ url: '/api/v1/list' })).body.meta !== undefined, true);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('with wrong fields is 422 with each field in words of the caller’s language', async () => {
    const answer = await post({ id: 'a', amount: 5 }, { 'accept-language': 'ru' });
    assert.equal(answer.status, 422);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(answer.body.code, 'validation');
    assert.match(answer.body.errors!['amount']![0]!, /[а-я]/);
    assert.deepEqual(Object.keys((await post({})).body.errors!).sort(), ['amount', 'id']);
    assert.deepEqual((await post({ id: 'a' })).body.errors!['amount'], ['Fill this in']);
  });

  test('with a text that the database can’t keep is 422 on its field', async () => {
    for (const text of ['a\u0000b', 'half \ud800']) {
      const answer = await post(JSON.stringify({ id: text, amount: '1' }));
      assert.deepEqual([answer.status, Object.keys(answer.body.errors ?? {})], [422, ['id']]);
    }
    assert.equal((await ask({ url: '/api/v1/greet?name=a&tag[]=%00' })).status, 422);
  });

  test('that isn’t JSON, is too large, poisoned or has no route is a problem of its kind', async () => {
    assert.equal((await post('{"id":')).status, 422);
    assert.equal((await post('[1]')).status, 422);
    assert.equal((await post('{"__proto__":{"x":1}}')).status, 422);
    assert.equal((await post({ id: 'x'.repeat(70_000) })).status, 413);
    assert.equal((await post('a=b', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await ask({ url: '/api/v1/nowhere' })).status, 404);
    assert.equal((await ask({ url: '/api/v1/greet/?name=a' })).status, 404, 'a slash behind is another address');
    const wrongMethod = await ask({ url: '/api/v1/make' });
    assert.deepEqual([wrongMethod.status, wrongMethod.headers['allow']], [405, 'POST']);
    assert.equal((await ask({ url: '/api/v1/%zz' })).status, 404);
  });

  test('names a known client, or none', async () => {
    assert.equal((await ask({ url: '/api/v1/greet?name=a', headers: { 'client-id': 'other' } })).body.code, 'unknown_client');
    assert.deepEqual((await ask({ url: '/api/v1/greet?name=a', headers: {} })).body.data, { words: 'a  en public' });
    assert.equal((await ask({ url: '/api/v1/sandbox/play', headers: { 'client-id': 'other' } })).status, 200);
  });

  test('that fails inside hides the error, and logs it whole under the reference', async () => {
    for (const how of ['throw', 'output']) {
      lines.length = 0;
      const answer = await ask({ url: `/api/v1/broken?how=${how}&token=abcdefghijklmnopqrst` });
      assert.equal(answer.status, 500);
      assert.doesNotMatch(answer.text, /inside|contract|Error|\.ts/);
      const reported = lines.filter((line) => line.includes(`"requestId":"${answer.body.reference}"`)).join('');
      assert.match(reported, how === 'throw' ? /secret words of the inside/ : /breaks its contract/);
      assert.match(reported, /"level":"error".*"words":"call failed"/);
      assert.doesNotMatch(lines.join(''), /abcdefghijklmnopqrst/);
    }
  });

  test('of an operator needs an operator’s key', async () => {
    const key = (word: string) => ask({ url: '/api/v1/secret', headers: { ...web, authorization: `Bearer ${word}` } });
    assert.equal((await ask({ url: '/api/v1/secret' })).status, 401);
    assert.equal((await key('wrong')).status, 401);
    assert.deepEqual((await key('right')).body.data, { id: 'o1' });
  });

  test('from within the process follows the same rules', async () => {
    const raw = { headers: web, socket: { remoteAddress: '127.0.0.1' } };
    const context = server.contextOf({ headers: web, raw } as never);
    assert.deepEqual(await server.call(greet, { name: 'Anna' }, context), { words: 'Anna  en web' });
    await assert.rejects(server.call(greet, {}, context), (error) => error instanceof Problem && error.code === 'validation');
    await assert.rejects(server.call(secret, {}, context), (error) => error instanceof Problem && error.code === 'unauthorised');
  });

  test('of the sandbox exists in the sandbox only', async () => {
    const live = build({ config: { ...config, KURS_MODE: 'live' } });
    assert.equal((await ask({ url: '/api/v1/sandbox/play' }, live)).status, 404);
    assert.match((await ask({ url: '/api/v1/greet?name=a' }, live)).headers['strict-transport-security'] as string, /max-age/);
    await live.close();
  });
});

describe('an Idempotency-Key', () => {
  const key = (word: string) => ({ 'idempotency-key': word });

  test('makes fifty parallel calls one effect and byte-equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ id: 'fifty', amount: '1' }, key('k1'))));
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    assert.equal((await db.row<{ n: string }>(`select n from made where id = 'fifty'`))!.n, '1');
    assert.equal(
      (await post({ amount: '1', id: 'fifty' }, key('k1'))).text,
      answers[0]!.text,
      'later, and in another order of fields',
    );
  });

  test('makes parallel calls to two processes one effect and byte-equal answers', async () => {
    const other = build({ db: openDb({ url: own.url, name: 'other' }) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post({ id: 'two', amount: '1' }, key('k2'), n % 2 ? other : server)),
    );
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    assert.equal((await db.row<{ n: string }>(`select n from made where id = 'two'`))!.n, '1');
    await other.close();
  });

  test('with another body is refused, in flight and later', async () => {
    const [first, second] = await Promise.all([
      post({ id: 'body', amount: '1' }, key('k3')),
      post({ id: 'body', amount: '2' }, key('k3')),
    ]);
    assert.deepEqual([first.status, second.status].sort(), [200, 422]);
    assert.equal((await post({ id: 'body', amount: '3' }, key('k3'))).body.code, 'idempotency_mismatch');
  });

  test('belongs to one row or caller', async () => {
    const [a, b] = [await post({ id: 'a', amount: '1' }, key('same')), await post({ id: 'b', amount: '1' }, key('same'))];
    assert.deepEqual(
      [a.body.data, b.body.data],
      [
        { id: 'a', n: '1' },
        { id: 'b', n: '1' },
      ],
    );
  });

  test('with an unknown field is another body, and by itself refused', async () => {
    assert.equal((await post({ id: 'more', amount: '1' }, key('k7'))).status, 200);
    assert.equal((await post({ id: 'more', amount: '1', note: 'x' }, key('k7'))).body.code, 'idempotency_mismatch');
    assert.deepEqual(Object.keys((await post({ id: 'more', amount: '1', note: 'x' }, key('k8'))).body.errors!), ['note']);
  });

  test('of a refused call is free again; that of a call with an unclear end runs again', async () => {
    assert.equal((await post({ id: 'refused', amount: '1' }, key('k4'))).status, 409);
    assert.equal((await post({ id: 'refused', amount: '1' }, key('k4'))).status, 409);
    assert.equal((await post({ id: 'shaky', amount: '1' }, key('k5'))).status, 503);
    assert.deepEqual((await post({ id: 'shaky', amount: '1' }, key('k5'))).body.data, { id: 'shaky', n: '2' });
  });

  test('claimed by a process that died is answered 409 at first, then taken over', async () => {
    await post({ id: 'dead', amount: '1' }, key('k6'));
    await db.run(`update idempotency set answer = null, claimed_at = clock_timestamp() where key = 'k6'`);
    const begin = performance.now();
    assert.equal((await post({ id: 'dead', amount: '1' }, key('k6'))).body.code, 'idempotency_in_flight');
    const waited = performance.now() - begin;
    assert.ok(waited > 1_900 && waited < 2_500, `waited ${waited} ms`);
    await db.run(`update idempotency set claimed_at = clock_timestamp() - interval '6 seconds' where key = 'k6'`);
    assert.equal((await post({ id: 'dead', amount: '1' }, key('k6'))).status, 200);
  });

  test('keeps answers sealed', async () => {
    const row = await db.row<{ answer: Buffer }>(`select answer from idempotency where key = 'k1'`);
    assert.equal(row!.answer.includes('fifty'), false);
  });

  test('that is no key is refused', async () => {
    assert.equal((await post({ id: 'x', amount: '1' }, key('x'.repeat(256)))).status, 422);
  });
});

describe('limits', () => {
  const strict = { ...config, KURS_STRICT_LIMITS: true };

  test('answer 429 with Retry-After and RateLimit headers, lower without a client-id', async () => {
    const limited = build({ config: strict });
    const first = await ask({ url: '/api/v1/greet?name=a', headers: {} }, limited);
    assert.deepEqual([first.headers['ratelimit-limit'], first.headers['ratelimit-remaining']], ['300', '299']);
    let last = first;
    for (let i = 0; i < 300; i++) last = await ask({ url: '/api/v1/greet?name=a', headers: {} }, limited);
    assert.equal(last.status, 429);
    assert.equal(last.headers['ratelimit-remaining'], '0');
    assert.match(String(last.headers['retry-after']), /^\d+$/);
    assert.equal((await ask({ url: '/api/v1/greet?name=a' }, limited)).status, 200, 'our own site has more');
    await limited.close();
  });

  test('do not count this machine in the sandbox, and never believe a stranger’s X-Forwarded-For', async () => {
    const headers = (await ask({ url: '/api/v1/greet?name=a' })).headers;
    assert.equal(headers['ratelimit-limit'], undefined);
    const plain = build({ config: strict });
    const behind = build({ config: { ...strict, TRUST_PROXY: ['127.0.0.1'] } });
    const from = (ip: string, to: Server) => ask({ url: '/api/v1/greet?name=a', headers: { ...web, 'x-forwarded-for': ip } }, to);
    for (const ip of ['9.9.9.1', '9.9.9.2']) {
      const [direct, proxied] = [await from(ip, plain), await from(ip, behind)];
      assert.equal(direct.headers['ratelimit-remaining'], ip === '9.9.9.1' ? '599' : '598');
      assert.equal(proxied.headers['ratelimit-remaining'], '599');
    }
    await Promise.all([plain.close(), behind.close()]);
  });
});

test('early answers bypass the framework, and all others are unchanged', async () => {
  const quick = build();
  quick.answerFirst((request, response) => {
    if (request.url !== '/ready') return false;
    response.writeHead(200, { 'content-length': 5 }).end('ready');
    return true;
  });
  const url = await quick.app.listen({ port: 0, host: '127.0.0.1' });
  assert.equal(await (await fetch(`${url}/ready`)).text(), 'ready');
  assert.equal((await fetch(`${url}/api/v1/nowhere`)).status, 404);
  await quick.close();
});

describe('a stream', () => {
  test('is opened only for a permitted call, and is limited in number for one thing', async (t) => {
    const streaming = build();
    t.after(() => streaming.close());
    const url = await streaming.app.listen({ port: 0, host: '127.0.0.1' });
    const follow = (id: string) => fetch(`${url}/api/v1/follow?id=${id}`, { headers: { accept: 'text/event-stream' } });
    const refused = await follow('unknown');
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [404, 'application/problem+json; charset=utf-8']);
    for (let at = 0; at < 8; at += 1) assert.equal((await follow('one')).status, 200);
    assert.deepEqual([(await follow('one')).status, (await follow('another')).status], [503, 200]);
  });

  test('sends events by id, reports the reader’s last id, and ends with the server', async () => {
    const streaming = build();
    await streaming.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = streaming.app.server.address() as { port: number };
    const text = await new Promise<string>((done) => {
      let seen = '';
      const socket = connect(port, '127.0.0.1');
      socket.write(
        'GET /api/v1/follow?id=x HTTP/1.1\r\nHost: x\r\nclient-id: web\r\nAccept: text/event-stream\r\nLast-Event-ID: 6\r\n\r\n',
      );
      socket.setEncoding('utf8').on('data', (part: string) => {
        seen += part;
        if (seen.includes('event: order')) void streaming.close();
      });
      socket.on('close', () => done(seen));
    });
    assert.match(text, /content-type: text\/event-stream/);
    assert.match(text, /id: 7\nevent: order\ndata: {"id":"x","after":"6"}/);
  });
});

test('a hanging database is 503 with Retry-After within 2.5 s, and the server is well again by itself', async () => {
  const url = new URL(own.url);
  const proxy = await startTcpProxy(Number.parseInt(url.port, 10));
  Object.assign(url, { hostname: '127.0.0.1', port: proxy.port });
  const weakDb = openDb({ url: url.href, name: 'weak' });
  const weak = build({ db: weakDb });
  const send = (n: number) => post({ id: `weak-${n}`, amount: '1' }, { 'idempotency-key': `w${n}` }, weak);
  assert.equal((await send(0)).status, 200);
  proxy.hang();
  const begin = performance.now();
  const answers = await Promise.all([1, 2, 3].map(send));
  assert.ok(performance.now() - begin < 2_500);
  for (const answer of answers) assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '2']);
  proxy.restore();
  assert.equal((await send(4)).status, 200);
  await weak.close();
  await weakDb.close();
  await proxy.close();
});
