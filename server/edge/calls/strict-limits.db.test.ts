// Limits of devices and networks for calls that give something away, over HTTP. With strict limits calls of this machine count
// like all others; in the sandbox without them they don't.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Input, type Route, routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { watchAccounts } from '../../accounts/index.ts';
import { affiliateOrders } from '../../affiliates/index.ts';
import { alone } from '../../collecting/index.ts';
import { configureCompliance } from '../../compliance/index.ts';
import { OWNERS } from '../../assembly/index.ts';
import { watchOwners } from '../../collecting/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { API_PREFIX, type Server, buildServer, newId, outbox, putSetting, watchSettings } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { fundPot } from '../../pots/index.ts';
import { storeCampaign } from '../../referrals/index.ts';
import { watchChats } from '../../support/index.ts';
import { mountRooms } from './mount-rooms.ts';

let world: World;
let server: Server;
let close: () => Promise<void>;
const affiliates = affiliateOrders('Kurs');

before(async () => {
  world = await openWorld();
  const { db, deps } = world;
  const settings = await watchSettings(db);
  await db.tx((tx) => putSetting(tx, 'earn.on', true, 'test'));
  await settings.refresh();
  const parts = parse('USDT', '100').parts;
  await alone(db, async (unit) => unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts, isBack: false })));
  await outbox.subscribe(db, [affiliates]);
  const watches = { owners: watchOwners(db, OWNERS), accounts: watchAccounts(db, OWNERS), chats: watchChats(db) };
  const holderOf = (id: string) => ({ id, email: `${id}@example.org`, isEmailVerified: true });
  server = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: true, TRUST_PROXY: ['127.0.0.1'] },
    db,
    sealer: testSealer,
    authenticate: {
      user: async (id) => ({ ...holderOf(id), sessionId: id }),
      key: async (key) => ({ id: key, permissions: ['partner.orders'], holder: holderOf(key.slice(-36)) }),
    },
  });
  mountRooms(server, {
    ...{ db, mode: 'sandbox', build: 'x', sender: deps.sender, receipts: deps.receipts, owners: OWNERS, watches },
    ...{ vouchers: testSealer, factors: testSealer, webhooks: testSealer, privateWebhooks: '', google: undefined },
  });
  close = async () => {
    await server.close();
    await Promise.all([...watches.owners.values(), watches.accounts, watches.chats, settings].map((watch) => watch.stop()));
    await world.close();
  };
});
after(() => close());

interface From {
  /** Distinguishes devices of one network. */
  readonly device?: string;
  /** Third number of the caller's address: its network. */
  readonly network?: number;
  readonly bearer?: string;
}

/** Calls over HTTP, from this machine if no network is given. Returns the status, the code, and when to try again. */
async function call<R extends Route>(route: R, input: Input<R>, { device = 'one', network, bearer }: From = {}) {
  const answer = await server.app.inject({
    method: route.method,
    url: `${API_PREFIX}${route.path}`,
    ...(route.method === 'GET' ? { query: input as never } : { payload: input as object }),
    headers: {
      ...{ 'client-id': 'web', 'user-agent': device, 'idempotency-key': randomUUID() },
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(network !== undefined && { 'x-forwarded-for': `198.51.${network}.7` }),
    },
  });
  const body = answer.json() as { data?: Record<string, unknown>; code?: string };
  return {
    status: answer.statusCode,
    code: body.code ?? 'done',
    data: body.data ?? {},
    wait: answer.headers['retry-after'],
  };
}

async function holder(days = 8): Promise<string> {
  const id = newId();
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now() - make_interval(days => $3))`,
    [id, `${id}@example.org`, days],
  );
  await writeHolderMacs(world.db);
  return id;
}

/** Counts answers by their code. */
const counted = (answers: readonly { readonly status: number; readonly code: string }[]): Record<string, number> =>
  answers.reduce<Record<string, number>>(
    (all, { status, code }) => ({ ...all, [`${status} ${code}`]: (all[`${status} ${code}`] ?? 0) + 1 }),
    {},
  );

test('draws: two a day per device or network, each with its bot check; this machine counts like any other', async () => {
  const begin = async (from: From, token: string | undefined = 'sandbox') =>
    call(routes.earnBegin, token === '' ? {} : { bot_token: token }, { ...from, bearer: await holder() });
  assert.deepEqual(counted([await begin({ network: 9 }, ''), await begin({ network: 9 }, 'forged')]), {
    '403 bot_check_required': 1,
    '403 bot_check_failed': 1,
  });
  const here = [await begin({}), await begin({}), await begin({}), await begin({ device: 'two' })];
  assert.deepEqual(counted(here), { '200 done': 2, '429 earn_cap': 2 });
  assert.ok(Number(here.at(-1)?.wait) > 0, 'it says when the next day begins');
  assert.deepEqual(
    counted([
      await begin({ network: 1 }),
      await begin({ network: 1, device: 'three' }),
      await begin({ network: 1, device: 'four' }),
    ]),
    { '200 done': 2, '429 earn_cap': 1 },
  );
  configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: false });
  assert.deepEqual(counted([await begin({}), await begin({}), await begin({})]), { '200 done': 3 });
  configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true });
});

test('wrong coupon codes: twenty an hour per device and sixty per network, over all calls', async () => {
  const request = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' } as const;
  const check = (device: string, network?: number) =>
    call(routes.couponCheck, { ...request, code: 'NOBODYS' }, { device, ...(network !== undefined && { network }) });
  const tries = async (times: number, device: string) =>
    counted(await Promise.all(Array.from({ length: times }, () => check(device))));
  assert.deepEqual(await tries(19, 'a'), { '404 coupon_unknown': 19 });
  const quoted = await call(routes.calculate, { ...request, coupon: 'NOBODYS' }, { device: 'a' });
  assert.deepEqual([quoted.status, quoted.code], [404, 'coupon_unknown']);
  const over = await call(routes.step1, { ...request, coupon: 'NOBODYS' }, { device: 'a' });
  assert.deepEqual([over.status, over.code, Number(over.wait) > 0], [429, 'rate_limited', true]);
  assert.deepEqual(await tries(21, 'b'), { '404 coupon_unknown': 20, '429 rate_limited': 1 });
  assert.deepEqual(counted([await check('c', 2)]), { '404 coupon_unknown': 1 }, 'another network');
  assert.deepEqual(await tries(20, 'c'), { '404 coupon_unknown': 20 });
  assert.deepEqual(counted([await check('d'), await check('d', 2)]), { '429 rate_limited': 1, '404 coupon_unknown': 1 });
});

test('references: an order by the affiliate’s own device becomes a case, and an unknown reference belongs to nobody', async () => {
  const ann = await holder();
  await world.db.tx((tx) => storeCampaign(tx, ann, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 }));
  const { data } = await call(routes.affiliate, {}, { device: 'ann’s', bearer: ann });
  const placed = async (from: From, ref: string): Promise<string | undefined> => {
    const begun = await call(routes.step1, { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give', ref }, from);
    const known = { id: String(begun.data['id']), token: String(begun.data['token']) };
    const accounts = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } } as never;
    const email = `${newId()}@example.org`;
    await call(routes.step2, { ...known, ...(accounts as object), email, terms_accepted: true, ask_me: false } as never, from);
    await call(routes.step3, { ...known, bot_token: 'sandbox' }, from);
    const order = await call(routes.processOrder, known, from);
    assert.equal(order.code, 'done');
    await outbox.drain(world.db, affiliates);
    const row = await world.db.row<{ shared: string }>(
      `select coalesce(shared, 'nothing') || ' ' || friend_percent as shared from referred_order where order_id = (select id from customer_order where number = $1)`,
      [order.data['id']],
    );
    return row?.shared;
  };
  const ref = `${String(data['code'])}.blog`;
  assert.deepEqual(
    [
      await placed({ device: 'ann’s' }, ref),
      await placed({ device: 'cat’s', network: 3 }, ref),
      await placed({ device: 'd', network: 4 }, 'NOBODYS0'),
    ],
    ['device 0', 'nothing 15', undefined],
  );
});

test('partners: ten open orders of an account, over all of its keys and networks', async () => {
  const owner = await holder();
  const place = async (network: number) =>
    call(
      routes.partnerOrderPlace,
      {
        ...{ from: 'BTC', to: 'USDT_ERC20', amount: '0.002', side: 'give', locale: 'en', terms_accepted: true },
        receive: { ...world.rails.USDT_ERC20.receiver() },
        refund: { ...world.rails.BTC.receiver() },
        email: `${newId()}@example.org`,
      },
      { network, device: `device ${network}`, bearer: `kurs_test_${network % 2}${owner}` },
    );
  const answers = [];
  for (let network = 10; network < 21; network += 1) answers.push(await place(network));
  assert.deepEqual(counted(answers), { '200 done': 10, '429 too_many_unpaid_orders': 1 });
});
