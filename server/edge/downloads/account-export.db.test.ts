// Export of all data of an account, by a link that is valid once, for a minute, and no longer than its session.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Output, type Routes, routes } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { authRoutes } from '../../auth/index.ts';
import { earnRoutes } from '../../earn/index.ts';
import { applyFor, storeFor } from '../../gate/testing.ts';
import { type Db, type Server, buildServer } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { mountAccountExport, signedInUsers } from '../../accounts/index.ts';
import { mountExports } from './exports.ts';

const ANN = 'ann@example.org';

let db: Db;
let drop: () => Promise<void>;
let server: Server;

before(async () => {
  ({ db, drop } = await testDb());
  const users = signedInUsers(db);
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: { user: users.byToken },
  });
  const handlers = authRoutes({
    db,
    mode: 'sandbox',
    name: 'Kurs',
    sealer: testSealer,
    proveBot: async () => async () => {},
    levelOf: async () => 0,
    moveCustomer: async () => {},
    signedUp: async () => undefined,
    whatIsLeft: async () => undefined,
    google: undefined,
  });
  for (const name of ['userInfo', 'signUpGetOtp', 'signUpConfirm', 'logout'] as const)
    server.mount(routes[name], handlers[name] as never);
  server.mount(routes.wallets, async () => [] as Output<Routes['wallets']>);
  server.mount(routes.userDiscounts, async () => ({ percent: 0, turnover: '0.00', levels: [], coupons: [] }));
  server.mount(routes.earnOwn, earnRoutes(db).earnOwn);
  mountAccountExport(server, db, users);
  mountExports(server, db, users);
});
after(async () => {
  await server.close();
  await drop();
});

const ask = (method: 'GET' | 'HEAD' | 'POST', url: string, { token, payload }: { token?: string; payload?: object } = {}) =>
  server.app.inject({
    method,
    url: url.startsWith('/api') ? url : `/api/v1${url}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const signUp = async (email: string): Promise<string> => {
  const { handle } = (await ask('POST', '/sign-up/get-otp', { payload: { email } })).json().data;
  const [letter] = await queuedLetters(db, { to: email });
  const otp = /^\d{6}$/m.exec(letter?.text ?? '')?.[0];
  return (await ask('POST', '/sign-up/confirm', { payload: { email, otp, handle } })).json().data.access_token as string;
};
const ticketOf = async (token: string): Promise<string> =>
  (await ask('POST', '/user/export/ticket', { token, payload: {} })).json().data.url as string;

/** Writes a message to the desk. */
async function said(email: string, text: string): Promise<void> {
  await db.run(
    `with thread as (insert into support_thread (id, number, email, locale, topic, status, created_at, status_at)
       values (gen_random_uuid(), $2, $1, 'en', 'other', 'waiting', now(), now()) returning id)
     insert into support_message (thread_id, seq, by, text, at) select id, 1, 'customer', $2, now() from thread`,
    [email, text],
  );
}

/** Applies for a business in the name of an account, and makes a test store. */
async function applied(email: string): Promise<void> {
  const row = await db.row<{ id: string }>('select id from account_holder where email_key = $1', [email]);
  await applyFor(db, row?.id ?? '', { legal_name: `Shop of ${email}` });
  await storeFor(db, row?.id ?? '');
}

/** Gives the account more rewards and draws than one read returns. */
async function earned(email: string): Promise<void> {
  const holder = `(select id from account_holder where email_key = $1)`;
  const each = `from generate_series(1, 700) as n, lateral (select now() - n * interval '1 hour' as at) as t`;
  await db.run(
    `with placed as (insert into referred_order (order_id, affiliate, campaign, sub, give, get, placed_at)
       select gen_random_uuid(), ${holder}, 'blog', 'post-1', 'BTC', 'USDT_ERC20', at ${each} returning order_id, placed_at, affiliate)
     insert into reward (id, order_id, tier, holder_id, state, parts, matures_at, made_at, state_at)
     select gen_random_uuid(), order_id, 1, affiliate, 'available', 1, placed_at, placed_at, placed_at from placed`,
    [email],
  );
  await db.run(
    `insert into earn_draw (id, holder_id, hour, seed, prizes, max, state, client_seed, prize, counts, begun_at, ends_at)
     select gen_random_uuid(), ${holder}, date_trunc('hour', at), decode(repeat('00', 32), 'hex'), '[]', 10, 'claimed', 'mine', 10, 10, at, at ${each}`,
    [email],
  );
}

test('the file is whole and belongs to its holder; its link is valid once, during its session', async () => {
  const token = await signUp(ANN);
  await signUp('bob@example.org');
  assert.equal((await ask('POST', '/user/export/ticket', { payload: {} })).statusCode, 401);
  await said(ANN.toUpperCase(), 'Mine <3');
  await said('bob@example.org', 'Of bob@');
  await earned(ANN);
  for (const email of [ANN, 'bob@example.org']) await applied(email);
  const url = await ticketOf(token);
  const file = await ask('GET', url);
  assert.equal(file.statusCode, 200);
  assert.equal(file.headers['cache-control'], 'no-store');
  assert.match(String(file.headers['content-disposition']), /attachment/);
  const known = file.json();
  assert.deepEqual(Object.keys(known), [
    'made_at',
    'account',
    'sign_in',
    'sessions',
    'api_keys',
    'notices',
    'businesses',
    'stores',
    'campaigns',
    'wallets',
    'discounts',
    'prizes',
    'orders',
    'operations',
    'invoices',
    'rewards',
    'draws',
    'messages',
  ]);
  assert.equal(known.account.email, ANN);
  assert.equal(known.sessions.length, 1);
  assert.deepEqual(
    known.businesses.map((one: { legal_name: string }) => one.legal_name),
    [`Shop of ${ANN}`],
  );
  assert.deepEqual(
    known.stores.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [['Maps & more', 'owner']],
  );
  assert.deepEqual(
    (known.messages as { text: string }[]).map(({ text }) => text),
    ['Mine <3'],
  );
  assert.deepEqual([known.rewards.length, known.rewards[0].amount, known.rewards[0].state], [700, '0.000001', 'available']);
  assert.deepEqual([known.draws.length, known.draws[0].prize, known.draws[0].client_seed], [700, '0.00001', 'mine']);
  assert.doesNotMatch(file.body, /bob@|kurs_s_|argon2|hash/);

  assert.equal((await ask('GET', url)).statusCode, 401, 'once');

  for (const none of ['/export/account', '/export/account?ticket=x', '/export/account?ticket=a&ticket=b'])
    assert.equal((await ask('GET', none, { token })).statusCode, 401, none);
  const late = await ticketOf(token);
  await ask('POST', '/logout', { token, payload: {} });
  assert.equal((await ask('GET', late)).statusCode, 401, 'no longer than its session');
});

test('a HEAD request of a file returns its headers and uses up no ticket', async () => {
  const token = await signUp('eve@example.org');
  for (const [begin, payload] of [
    ['/user/export/ticket', {}],
    ['/export/order-transactions/ticket', { format: 'xlsx' }],
    ['/export/transactions/ticket', { format: 'csv' }],
  ] as const) {
    const { url } = (await ask('POST', begin, { token, payload })).json().data as { url: string };
    const [first, again] = [await ask('HEAD', url), await ask('HEAD', url)];
    const file = await ask('GET', url);
    assert.deepEqual([first.statusCode, again.statusCode, file.statusCode, first.body], [200, 200, 200, ''], url);
    for (const name of ['content-type', 'content-disposition', 'cache-control'])
      assert.equal(first.headers[name], file.headers[name], `${url} ${name}`);
    assert.equal((await ask('HEAD', url)).statusCode, 401, 'the file was taken');
  }
  const head = await ask('HEAD', '/export/transactions?format=csv', { token });
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, undefined], 'of a file that is not empty');
});
