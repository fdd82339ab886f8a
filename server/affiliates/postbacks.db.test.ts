// Postbacks: signed as Standard Webhooks, with campaign and sub filled in, to the one private origin that the sandbox names.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { writeHolderMacs } from '../auth/testing.ts';
import { openDeliveries, openPost } from '../deliveries/index.ts';
import { type Db, configureLog, newId } from '../platform/index.ts';
import { testDb, testSealer } from '../platform/testing.ts';
import { alone } from '../collecting/index.ts';
import { storeCampaign } from '../referrals/index.ts';
import { decideCase } from './cases.ts';
import { completedOrder, publishOrderEvents } from './orders.testing.ts';
import { postbackChannel, putPostback, sendPostbacks } from './postbacks.ts';
import type { ReferredOrder } from './referred-order.ts';

const ANN = newId();
const heard: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let db: Db;
let drop: () => Promise<void>;
let hook: Server;
let base: string;
before(async () => {
  ({ db, drop } = await testDb());
  configureLog({ sink: () => {} });
  hook = createServer(async (request, response) => {
    heard.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    response.end();
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  base = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'ann@example.org', 'ann@example.org', 'en', clock_now())`,
    [ANN],
  );
  await writeHolderMacs(db);
});
after(async () => {
  hook.close();
  await drop();
});

/** Makes a campaign with an address for postbacks. Returns the secret. */
const campaign = (name: string, url: string): Promise<string | undefined> =>
  db.tx(async (tx) => {
    await storeCampaign(tx, ANN, { name, split: 0, postback: url, maxSplit: 50 });
    return putPostback(tx, testSealer, { holderId: ANN, campaign: name, url });
  });
const orderOf = (name: string): ReferredOrder => ({
  ...{ orderId: newId(), reference: newId(), affiliate: ANN, second: undefined, campaign: name, sub: 'top & more' },
  ...{ give: 'BTC', get: 'USDT_ERC20', friendPercent: '0', shared: undefined, secondShared: undefined, placedAt: new Date() },
  ...{
    completedAt: undefined,
    reversedAt: undefined,
    profit: undefined,
    maturesAt: undefined,
    worth: undefined,
    customer: undefined,
  },
});
async function deliver(): Promise<void> {
  const channels = [postbackChannel({ db, sealer: testSealer, poster: openPost({ privateOrigin: base }) })];
  const deliveries = openDeliveries({ db, channels });
  await deliveries.deliver();
  await deliveries.stop();
}

test('it names a reference and the reward, and nothing of order or customer; its receiver proves it by the secret', async () => {
  const secret = (await campaign('blog', `${base}/hook?c={campaign}&s={sub}`)) ?? assert.fail();
  const order = orderOf('blog');
  await db.tx((tx) => sendPostbacks(tx, [{ order, state: 'completed', parts: 487_920n }]));
  await deliver();
  const [one] = heard;
  assert.equal(one?.path, '/hook?c=blog&s=top%20%26%20more');
  const reported = new Webhook(secret).verify(one.body, one.headers as Record<string, string>) as { type: string; data: unknown };
  assert.equal(reported.type, 'referral.order');
  const reward = { amount: '0.487920', currency: 'USDT' };
  assert.deepEqual(reported.data, {
    reference: order.reference,
    state: 'completed',
    campaign: 'blog',
    sub: 'top & more',
    reward,
  });
  assert.ok(!one.body.includes(order.orderId));
  assert.throws(() => new Webhook(secret).verify(one.body.replace('0.48', '9.48'), one.headers as Record<string, string>));
});

test('another port of this machine is refused, and a campaign without an address is told nothing', async () => {
  await campaign('other', `http://127.0.0.1:${Number(new URL(base).port) + 1}/hook`);
  await db.tx(async (tx) => {
    await storeCampaign(tx, ANN, { name: 'quiet', split: 0, postback: undefined, maxSplit: 50 });
    await sendPostbacks(
      tx,
      ['other', 'quiet', ''].map((name) => ({ order: orderOf(name), state: 'placed' })),
    );
  });
  await deliver();
  assert.equal(heard.length, 1);
  const attempts = await db.rows<{ error: string }>('select error from delivery_attempt where error is not null');
  assert.deepEqual(
    attempts.map(({ error }) => error),
    ['the address is not public'],
  );
});

test('nothing is filled into the host of an address from before', async () => {
  await campaign('host', `${base.replace('127.0.0.1', '{sub}')}/hook?s={sub}`);
  const before = heard.length;
  await db.tx((tx) => sendPostbacks(tx, [{ order: { ...orderOf('host'), sub: '127.0.0.1' }, state: 'placed' }]));
  await deliver();
  assert.equal(heard.length, before);
});

/** Returns the order states in an affiliate's postbacks, each with its reward, the first one first. */
async function reported(order: string): Promise<string[]> {
  const rows = await db.rows<{ one: string }>(
    `select concat_ws(' ', body->>'state', body->'reward'->>'amount') as one from delivery_event
     where body->>'reference' = (select reference::text from referred_order where order_id = $1) order by at, id`,
    [order],
  );
  return rows.map(({ one }) => one);
}
const decide = async (order: string, tier: 1 | 2, event: 'pay' | 'refuse'): Promise<void> => {
  const row = await db.row<{ id: string }>(`select id from reward where order_id = $1 and tier = $2 and state = 'case'`, [
    order,
    tier,
  ]);
  await alone(db, (unit) => decideCase(unit, row?.id ?? assert.fail('no case'), event));
};

test('a case is told without a reward until people have paid or refused it', async () => {
  await campaign('cases', `${base}/hook`);
  const own = { affiliate: ANN, campaign: 'cases', holder: ANN };
  const [paid, refused] = [await completedOrder(db, own), await completedOrder(db, own)];
  assert.deepEqual(await reported(paid), ['placed', 'completed']);
  await decide(paid, 1, 'pay');
  assert.deepEqual(await reported(paid), ['placed', 'completed', 'completed 12.000000']);
  await decide(refused, 1, 'refuse');
  assert.deepEqual(await reported(refused), ['placed', 'completed', 'completed 0.000000']);
  await publishOrderEvents(db, { ...own, id: paid }, 'reversed');
  assert.deepEqual((await reported(paid)).at(-1), 'reversed 0.000000');
});

test('what people decide of the second level is not told to the first, nor is a case of an altered order', async () => {
  const second = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'sec@example.org', 'sec@example.org', 'en', clock_now())`,
    [second],
  );
  await writeHolderMacs(db);
  const order = await completedOrder(db, { affiliate: ANN, second, campaign: 'cases', holder: second });
  assert.deepEqual(await reported(order), ['placed', 'completed 12.000000']);
  await decide(order, 2, 'refuse');
  assert.deepEqual(await reported(order), ['placed', 'completed 12.000000']);
  const altered = await completedOrder(db, { affiliate: ANN, campaign: 'cases', holder: ANN });
  await db.run(`update referred_order set sub = 'of somebody else' where order_id = $1`, [altered]);
  await decide(altered, 1, 'refuse');
  assert.deepEqual(await reported(altered), ['placed', 'completed']);
});

test('an order that ends twice is told as ended once', async () => {
  const own = { affiliate: ANN, campaign: 'cases' };
  const id = await publishOrderEvents(db, own, 'placed', 'ended');
  await publishOrderEvents(db, { ...own, id }, 'ended');
  assert.deepEqual(await reported(id), ['placed', 'ended 0.000000']);
  const other = await publishOrderEvents(db, own, 'placed', 'ended', 'ended');
  assert.deepEqual(await reported(other), ['placed', 'ended 0.000000'], 'by the same group');
});

test('an order that ends before it was completed is told as ended, and as completed where its payment comes late', async () => {
  const own = { affiliate: ANN, campaign: 'cases' };
  const unpaid = await publishOrderEvents(db, own, 'placed', 'ended');
  assert.deepEqual(await reported(unpaid), ['placed', 'ended 0.000000']);
  await publishOrderEvents(db, { ...own, id: unpaid }, 'completed');
  assert.deepEqual(await reported(unpaid), ['placed', 'ended 0.000000', 'completed 12.000000']);
  await publishOrderEvents(db, { ...own, id: unpaid }, 'ended');
  assert.deepEqual((await reported(unpaid)).slice(3), ['reversed 0.000000'], 'what was completed is taken back');
});
