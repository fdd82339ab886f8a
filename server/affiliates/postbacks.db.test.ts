// Postbacks: signed as Standard Webhooks, with campaign and sub filled in, to the one private origin that the sandbox names.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { keepHolders } from '../auth/testing.ts';
import { openDeliveries, openPost } from '../deliveries/index.ts';
import { type Db, configureLog, newId } from '../platform/index.ts';
import { testDb, testSealer } from '../platform/testing.ts';
import { keepCampaign } from '../referrals/index.ts';
import { postbackChannel, putPostback, tellPostbacks } from './postbacks.ts';
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
  await keepHolders(db);
});
after(async () => {
  hook.close();
  await drop();
});

/** A campaign that tells its orders to an address; gives the secret. */
const campaign = (name: string, url: string): Promise<string | undefined> =>
  db.tx(async (tx) => {
    await keepCampaign(tx, ANN, { name, split: 0, postback: url, mostSplit: 50 });
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
  await db.tx((tx) => tellPostbacks(tx, [{ order, state: 'completed', parts: 487_920n }]));
  await deliver();
  const [one] = heard;
  assert.equal(one?.path, '/hook?c=blog&s=top%20%26%20more');
  const told = new Webhook(secret).verify(one.body, one.headers as Record<string, string>) as { type: string; data: unknown };
  assert.equal(told.type, 'referral.order');
  const reward = { amount: '0.487920', currency: 'USDT' };
  assert.deepEqual(told.data, { reference: order.reference, state: 'completed', campaign: 'blog', sub: 'top & more', reward });
  assert.ok(!one.body.includes(order.orderId));
  assert.throws(() => new Webhook(secret).verify(one.body.replace('0.48', '9.48'), one.headers as Record<string, string>));
});

test('another port of this machine is refused, and a campaign without an address is told nothing', async () => {
  await campaign('other', `http://127.0.0.1:${Number(new URL(base).port) + 1}/hook`);
  await db.tx(async (tx) => {
    await keepCampaign(tx, ANN, { name: 'quiet', split: 0, postback: undefined, mostSplit: 50 });
    await tellPostbacks(tx, ['other', 'quiet', ''].map((name) => ({ order: orderOf(name), state: 'placed' }))); // prettier-ignore
  });
  await deliver();
  assert.equal(heard.length, 1);
  const attempts = await db.rows<{ error: string }>('select error from delivery_attempt where error is not null');
  assert.deepEqual(attempts.map(({ error }) => error), ['the address is not public']); // prettier-ignore
});

test('nothing is filled into the host of an address from before', async () => {
  await campaign('host', `${base.replace('127.0.0.1', '{sub}')}/hook?s={sub}`);
  const before = heard.length;
  await db.tx((tx) => tellPostbacks(tx, [{ order: { ...orderOf('host'), sub: '127.0.0.1' }, state: 'placed' }]));
  await deliver();
  assert.equal(heard.length, before);
});
