// Two apis over one database: their tries, requests and mails add up, survive a restart of one of them, and lock out nobody else
// on the same network.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { routes } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { type Db, type Server, buildServer, openDb } from '../../platform/index.ts';
import { type TestDb, testDb, testSealer } from '../../platform/testing.ts';
import { authRoutes } from '../routes.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { testGoogle } from '../google/google.testing.ts';
import './world.testing.ts';

const PASSWORD = 'correct horse battery';
/** Network addresses: a company's shared proxy, and another one. */
const [OFFICE, ELSEWHERE] = ['203.0.113.7', '198.51.100.9'];
const CALLS = ['signUpGetOtp', 'signUpConfirm', 'login', 'userEmailGetOtp', 'changePassword'] as const;

interface Api {
  readonly server: Server;
  readonly db: Db;
}
interface HttpAnswer {
  readonly status: number;
  readonly code?: string;
  readonly data?: { readonly access_token?: string; readonly handle?: string };
}

let own: TestDb;
let apis: [Api, Api];
/** Share of the maximum work of the last bot check. */
let pressure: number;
before(async () => {
  own = await testDb();
  apis = [start('one'), start('two')];
});
after(async () => {
  for (const api of apis) await end(api);
  await own.drop();
});
beforeEach(async () => {
  for (const table of ['session', 'one_time_code', 'account_notice', 'account_holder', 'counter', 'mail'])
    await own.db.run(`delete from ${table}`);
});

/** Starts an api like a process: with its own connections and memory. */
function start(name: string): Api {
  const db = openDb({ url: own.url, name, max: 6 });
  const handlers = authRoutes({
    ...{ db, mode: 'live', name: 'Kurs', sealer: testSealer, google: testGoogle.provider },
    proveBot: async (_token, { pressure: request }) => {
      pressure = request ? Number(request.numerator) / Number(request.denominator) : 0;
      return async () => undefined;
    },
    levelOf: async () => 1,
    signedUp: async () => undefined,
    whatIsLeft: async () => undefined,
    moveCustomer: async () => undefined,
  });
  const server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: ['127.0.0.1'] },
    db,
    sealer: testSealer,
    authenticate: {
      async user(bearer) {
        const found = await whoIs(db, bearer);
        return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
      },
    },
  });
  for (const call of CALLS) server.mount(routes[call], handlers[call] as never);
  return { server, db };
}
async function end({ server, db }: Api): Promise<void> {
  await server.close();
  await db.close();
}

/** Makes a call at an api, from a network, with or without a session. */
async function ask(
  at: number,
  call: (typeof CALLS)[number],
  payload: object,
  from = OFFICE,
  token?: string,
): Promise<HttpAnswer> {
  const { method, path } = routes[call];
  const answer = await apis[at % 2]!.server.app.inject({
    method: method as 'POST',
    url: `/api/v1${path}`,
    headers: {
      ...{ 'client-id': 'web', 'content-type': 'application/json', 'x-forwarded-for': from },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    payload,
  });
  const body = answer.body === '' ? {} : answer.json();
  return { status: answer.statusCode, code: body.code, data: body.data };
}

const codeFor = async (email: string): Promise<string> => {
  const row = (await queuedLetters(own.db, { to: email })).at(-1);
  return /\b(\d{6})\b/.exec(row?.text ?? '')?.[1] ?? '';
};
/** Signs in by a mailed code: requested at one api, entered at the other. */
async function signIn(email: string, from = OFFICE, password?: string): Promise<string> {
  const request = await ask(0, 'signUpGetOtp', { email, bot_token: 'x' }, from);
  const given = { email, otp: await codeFor(email), handle: request.data?.handle, ...(password !== undefined && { password }) };
  const { data } = await ask(1, 'signUpConfirm', given, from);
  assert.ok(data?.access_token, 'a code that one api mailed is taken by the other');
  return data.access_token;
}
const other = (code: string): string => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0');

test('a code has five tries at both apis together, also when concurrent', async () => {
  const email = 'ann@example.org';
  const { data } = await ask(0, 'signUpGetOtp', { email, bot_token: 'x' });
  const [right, handle] = [await codeFor(email), data?.handle];
  const tries = Array.from({ length: 14 }, (_, at) => ask(at, 'signUpConfirm', { email, otp: other(right), handle }));
  const codes = (await Promise.all(tries)).map(({ code }) => code);
  assert.deepEqual(codes.toSorted(), [...Array(9).fill('code_expired'), ...Array(5).fill('code_wrong')]);
  for (const at of [0, 1]) assert.equal((await ask(at, 'signUpConfirm', { email, otp: right, handle })).code, 'code_expired');
});

test('a session gets five codes an hour from both apis together, also after a restart; another session has its own limit', async () => {
  const token = await signIn('ann@example.org');
  const mailed = (at: number, as: string) =>
    ask(at, 'userEmailGetOtp', { purpose: 'money_out', about: `order-${at}` }, OFFICE, as);
  const requests = await Promise.all(Array.from({ length: 9 }, (_, at) => mailed(at, token)));
  assert.deepEqual(requests.map(({ status }) => status).toSorted(), [...Array(5).fill(200), ...Array(4).fill(429)]);
  await end(apis[0]);
  apis[0] = start('one');
  for (const at of [10, 11]) assert.equal((await mailed(at, token)).code, 'rate_limited');
  const neighbour = await signIn('bob@example.org');
  assert.equal((await mailed(0, neighbour)).status, 200, 'who sits beside them');
});

test('wrong passwords cost more work at both, after a restart too, and lock out neither their owner nor a neighbour', async () => {
  const [ann, bob] = ['ann@example.org', 'bob@example.org'];
  await signIn(ann, ELSEWHERE, PASSWORD);
  await signIn(bob, ELSEWHERE, PASSWORD);
  const login = (at: number, email: string, password: string, from = OFFICE) =>
    ask(at, 'login', { email, password, bot_token: 'x' }, from);
  for (let at = 0; at < 11; at += 1) assert.equal((await login(at, ann, 'guessed it')).code, 'login_wrong');
  assert.equal(pressure, 0.25, 'the eleventh, wherever it was asked');
  await end(apis[1]);
  apis[1] = start('two');
  await login(1, ann, 'guessed it');
  assert.equal(pressure, 0.25, 'the one that starts anew knows of them');
  assert.equal((await login(0, ann, PASSWORD, ELSEWHERE)).status, 200, 'whose address it is');
  pressure = 0;
  assert.equal((await login(1, bob, PASSWORD)).status, 200, 'who comes from the same network');
  assert.equal(pressure, 0, 'and pays nothing for it, as few as they are');
});

test('codes that a network asks for cost it more work at both together, and another network none; nobody is refused', async () => {
  for (let at = 0; at < 21; at += 1)
    assert.equal((await ask(at, 'signUpGetOtp', { email: `a${at}@example.org`, bot_token: 'x' })).status, 200);
  assert.equal(pressure, 0.25, 'the twenty-first');
  assert.ok(await signIn('ann@example.org'), 'a neighbour gets in all the same');
  await ask(0, 'signUpGetOtp', { email: 'b@example.org', bot_token: 'x' }, ELSEWHERE);
  assert.equal(pressure, 0);
});

test('wrong tries of the current password stop the session that made them, at both, and none of its neighbours', async () => {
  const [ann, bob] = [await signIn('ann@example.org', OFFICE, PASSWORD), await signIn('bob@example.org', OFFICE, PASSWORD)];
  const change = (at: number, token: string, current: string) =>
    ask(at, 'changePassword', { current_password: current, password: 'another horse battery' }, OFFICE, token);
  for (let at = 0; at < 10; at += 1) assert.equal((await change(at, ann, 'guessed it')).code, 'validation');
  for (const at of [0, 1]) assert.equal((await change(at, ann, PASSWORD)).code, 'rate_limited');
  assert.equal((await change(0, bob, PASSWORD)).status, 204);
});
