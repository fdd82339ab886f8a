// An account's calls over HTTP: only one header identifies the caller, and no answer may be cached.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { routes } from '@kurs/contract';
import { type Server, buildServer } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { authWorld, lettersOf, newestCode } from './world.testing.ts';

const world = authWorld();
let server: Server | undefined;
let token: string;

const ask = (method: 'GET' | 'POST', url: string, payload?: object | string, headers: Record<string, string> = {}) =>
  (server as Server).app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload }),
  });
const withToken = (): Record<string, string> => ({ authorization: `Bearer ${token}` });

function buildOver(): Server {
  const built = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: world.db,
    sealer: testSealer,
    authenticate: {
      async user(bearer) {
        const found = await whoIs(world.db, bearer);
        return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
      },
    },
  });
  for (const name of ['signUpGetOtp', 'signUpConfirm', 'userInfo', 'profileUpdate', 'logout', 'logoutByGet'] as const) {
    built.mount(routes[name], ((input: never, context: never) => world.handlers[name](input, context)) as never);
  }
  return built;
}

beforeEach(async () => {
  // Built once the database is there: hooks of a file that runs by itself don't wait for each other.
  server ??= buildOver();
  const payload = { email: 'ann@example.org', bot_token: 'sandbox' };
  const { handle } = (await ask('POST', '/sign-up/get-otp', payload, { host: 'evil.example' })).json().data;
  const signedIn = await ask('POST', '/sign-up/confirm', { email: 'ann@example.org', otp: await newestCode(world), handle });
  assert.equal(signedIn.headers['set-cookie'], undefined, 'no cookie: another site’s form brings nothing along');
  token = signedIn.json().data.access_token;
});

test('a session is taken from its header only, not from cookies or links', async () => {
  assert.equal((await ask('GET', '/user/info', undefined, withToken())).statusCode, 200);
  for (const [url, headers] of [
    ['/user/info', {}],
    ['/user/info', { cookie: `accessToken=${token}; access_token=${token}; authorization=Bearer ${token}` }],
    [`/user/info?access_token=${token}&authorization=Bearer%20${token}`, {}],
    ['/user/info', { authorization: `Basic ${token}` }],
    ['/user/info', { authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` }],
  ] as const)
    assert.equal((await ask('GET', url, undefined, headers)).statusCode, 401, JSON.stringify([url, headers]));
});

test('answers may not be cached, run scripts, or redirect', async () => {
  const { headers } = await ask('GET', '/user/info', undefined, withToken());
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.match(String(headers['content-security-policy']), /default-src 'none'; frame-ancestors 'none'/);
  assert.match(String(headers['strict-transport-security']), /max-age=\d{8}/);
});

test('unknown fields of a call change nothing, including prototypes', async () => {
  const update = (body: object | string) => ask('POST', '/user/profile/update', body, withToken());
  for (const body of [
    '{"verification_level":3}',
    '{"name":"A","email_verified":1}',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ])
    assert.equal((await update(body)).statusCode, 422, body);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  assert.equal((await ask('GET', '/user/info', undefined, withToken())).json().data.name, '');
});

for (const method of ['GET', 'POST'] as const)
  test(`a session that was ended by a ${method} is over at once`, async () => {
    assert.equal((await ask(method, '/logout', undefined, withToken())).statusCode, 204);
    assert.equal((await ask('GET', '/user/info', undefined, withToken())).statusCode, 401);
  });

test('HEAD of the call that ends a session ends none and returns the allowed methods', async () => {
  const { statusCode, headers } = await (server as Server).app.inject({
    method: 'HEAD',
    url: '/api/v1/logout',
    headers: withToken(),
  });
  assert.deepEqual([statusCode, String(headers['allow']).split(', ').sort()], [405, ['GET', 'POST']]);
  assert.equal((await ask('GET', '/user/info', undefined, withToken())).statusCode, 200);
});

test('no address in a letter comes from a request', async () => {
  for (const { text } of await lettersOf(world)) assert.doesNotMatch(text, /evil\.example/);
  const reading = globSync('{server,web/server,web/routes}/**/*.{ts,tsx}', { cwd: new URL('../../..', import.meta.url) }).filter(
    (file) =>
      !/\.test\.tsx?$|testing/.test(file) &&
      /headers\.host\b|headers\['host'\]|forwarded-host|request\.(hostname|host)\b/i.test(
        readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'),
      ),
  );
  assert.deepEqual(reading, []);
});
