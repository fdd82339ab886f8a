// Events of one thread reach an endpoint in order, and fail without holding back others.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, advanceClock, configureLog, monotonicMs, newId } from '../platform/index.ts';
import { type TestDb, refusal, testDb, testSealer } from '../platform/testing.ts';
import { openDeliveries, runDeliveries } from './deliver.ts';
import { DUE } from './due.ts';
import { putEndpoint, switchOn } from './endpoints.ts';
import { type DeliveryKind, standardPause } from './kind.ts';
import { listDeliveries, replay } from './log.ts';
import { openPost } from './post.ts';
import { type Thread, forgetDeliveries, publish } from './publish.ts';
import { standardHeaders } from './standard-webhooks.ts';
import { webhookChannel } from './webhook.ts';

const DAY_MS = 86_400_000;
const ORDERED: DeliveryKind = {
  kind: 'ordered',
  bodyOf: ({ body }, attempt) => JSON.stringify({ name: body, attempt }),
  headersOf: standardHeaders,
  pauseAfter: standardPause,
  mayBePrivate: true,
  canSwitchOff: true,
  maxAtOnce: 4,
  isOrdered: true,
};

/** Names of the events that the endpoint received, in order. */
let heard: string[] = [];
let bodies: { name: string; attempt: { id: string; delivery: string; isRepeated: boolean } }[] = [];
/** Status that the endpoint answers to an event, by its name; 0 hangs. */
let answers: Record<string, number> = {};
let hook: Server;
let own: TestDb;
let db: Db;
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {} });
  hook = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as (typeof bodies)[number];
    bodies.push(body);
    heard.push(body.name);
    const status = answers[body.name] ?? 200;
    if (status !== 0) response.writeHead(status).end();
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
});
after(async () => {
  hook.closeAllConnections();
  hook.close();
  await own.drop();
});
beforeEach(async () => {
  await own.owner.run('truncate delivery_endpoint, delivery_event cascade');
  [heard, bodies, answers] = [[], [], {}];
});

const options = () => ({ db, channels: [webhookChannel(ORDERED, { db, sealer: testSealer, poster: openPost() })] });
async function deliver(): Promise<void> {
  const deliveries = openDeliveries(options());
  await deliveries.deliver();
  await deliveries.stop();
}
async function endpoint(owner = 'shop'): Promise<string> {
  const id = newId();
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  await db.tx((tx) => putEndpoint(tx, { id, owner, kind: 'ordered', url }));
  return id;
}
/** Publishes an event of a thread. `place`: its position. */
async function report(name: string, thread: string, place: number, more: Partial<Thread> = {}): Promise<string> {
  const id = newId();
  const event = { id, owner: 'shop', type: 'invoice.changed', body: name, thread: { name: thread, place, ...more } };
  await db.tx((tx) => publish(tx, event));
  return id;
}
const deliveryOf = async (event: string): Promise<string> =>
  (await db.row<{ id: string }>('select id from delivery where event_id = $1', [event]))?.id ?? assert.fail();
const stateOf = async (event: string): Promise<string | undefined> => {
  const id = await deliveryOf(event);
  return (await listDeliveries(db, { page: 1, per_page: 50 })).rows.find((row) => row.id === id)?.state;
};

test('sends the events of a thread one after the other, however slow the first is', async () => {
  await endpoint();
  for (const place of [1, 2, 3]) await report(`a${place}`, 'a', place);
  await deliver();
  assert.deepEqual(heard, ['a1', 'a2', 'a3']);
});

test('later events of a thread wait until an earlier one has failed three times; other threads don’t', async () => {
  await endpoint();
  answers = { a1: 500 };
  await report('a1', 'a', 1);
  await report('a2', 'a', 2);
  await report('b1', 'b', 1);
  await deliver();
  assert.deepEqual(heard.toSorted(), ['a1', 'b1']);
  await advanceClock(db, 6_000);
  await deliver();
  assert.deepEqual(
    heard.filter((name) => name.startsWith('a')),
    ['a1', 'a1'],
  );
  await report('a3', 'a', 3);
  await deliver();
  assert.ok(!heard.includes('a2') && !heard.includes('a3'), 'held back');
  await advanceClock(db, 331_000);
  await deliver();
  await deliver();
  assert.deepEqual(
    heard.filter((name) => name.startsWith('a')),
    ['a1', 'a1', 'a1', 'a2', 'a3'],
  );
});

test('a slow event delays no other thread of the same endpoint, also not those that come later', async (t) => {
  await endpoint();
  answers = { a1: 0 };
  await report('a1', 'a', 1);
  const deliveries = runDeliveries(options());
  t.after(async () => {
    hook.closeAllConnections();
    await deliveries.stop();
  });
  const reach = async (name: string): Promise<void> => {
    const begin = monotonicMs();
    while (!heard.includes(name)) {
      assert.ok(monotonicMs() - begin < 4_000, `${name} waits`);
      await pause(20);
    }
  };
  await reach('a1');
  await report('a2', 'a', 2);
  await report('b1', 'b', 1);
  await reach('b1');
  await report('c1', 'c', 1);
  await reach('c1');
  assert.ok(!heard.includes('a2'));
});

test('an event that failed is dropped once a later one overtakes it, and can’t be replayed', async () => {
  await endpoint();
  answers = { a1: 500 };
  const first = await report('a1', 'a', 1);
  await deliver();
  const second = await report('a2', 'a', 2, { isOvertaking: true });
  await deliver();
  assert.deepEqual(heard, ['a1', 'a2']);
  assert.equal(await stateOf(first), 'overtaken');
  answers = {};
  const overtaken = await deliveryOf(first);
  assert.equal(await refusal(() => db.tx((tx) => replay(tx, overtaken))), 'delivery_overtaken');
  const last = await deliveryOf(second);
  assert.equal(await db.tx((tx) => replay(tx, last)), true);
  await deliver();
  assert.deepEqual(heard, ['a1', 'a2', 'a2']);
  await advanceClock(db, 2 * DAY_MS);
  await deliver();
  assert.equal(heard.length, 3);
});

test('an event that was not tried yet is sent before the one that would overtake it', async () => {
  await endpoint();
  await report('a1', 'a', 1);
  await report('a2', 'a', 2, { isOvertaking: true });
  await deliver();
  assert.deepEqual(heard, ['a1', 'a2']);
});

test('a body knows whether its delivery was attempted before', async () => {
  await endpoint();
  answers = { a1: 500 };
  const id = await deliveryOf(await report('a1', 'a', 1));
  await deliver();
  answers = {};
  await advanceClock(db, 6_000);
  await deliver();
  await db.tx((tx) => replay(tx, id));
  await deliver();
  const attempts = bodies.map(({ attempt }) => attempt);
  assert.deepEqual(
    attempts.map(({ isRepeated }) => isRepeated),
    [false, true, true],
  );
  assert.deepEqual(
    attempts.map(({ delivery }) => delivery),
    [id, id, id],
  );
  assert.equal(attempts[0]?.id, id, 'the first attempt has the delivery’s id');
  assert.equal(new Set(attempts.map((one) => one.id)).size, 3);
});

test('an event for one endpoint reaches no other of its owner', async () => {
  const [first] = [await endpoint(), await endpoint()];
  await db.tx((tx) => publish(tx, { id: newId(), owner: 'shop', type: 'test', body: 't', endpoint: first }));
  await deliver();
  assert.deepEqual(heard, ['t']);
});

test('deliveries that wait for an endpoint that is off are deleted after a month', async () => {
  const id = await endpoint();
  answers = { a1: 410 };
  await report('a1', 'a', 1);
  await deliver();
  await advanceClock(db, 31 * DAY_MS);
  await forgetDeliveries(db);
  assert.deepEqual(await db.rows('select from delivery_event'), []);
  assert.equal(await db.tx((tx) => switchOn(tx, id)), true);
});

for (const [name, waits] of [
  ['idle', ''],
  [
    'failing',
    `insert into delivery (id, event_id, endpoint_id, due_at, tries, failed) select gen_random_uuid(), event_id, endpoint.id,
    due_at + interval '1 hour', 1, 1 from delivery, delivery_endpoint as endpoint where owner like 'other %'`,
  ],
] as const)
  test(`a look for due deliveries walks through no ${name} endpoints`, async () => {
    const id = await endpoint();
    await own.owner.run(
      `insert into delivery_endpoint (id, owner, kind, url, created_at)
       select gen_random_uuid(), 'other ' || at, 'ordered', 'https://shop.example/', clock_now() from generate_series(1, 5000) as at`,
    );
    await report('a1', 'a', 1);
    if (waits !== '') await own.owner.run(waits);
    await own.owner.run('vacuum analyze delivery_endpoint');
    await own.owner.run('vacuum analyze delivery');
    const values = [['ordered'], [], 200];
    assert.deepEqual(
      (await db.rows<{ id: string }>(DUE, values)).map((row) => row.id),
      [id],
    );
    const plan = JSON.stringify(await own.owner.rows(`explain (analyze, format json) ${DUE}`, values));
    const read = [...plan.matchAll(/"Actual Rows":([\d.]+),"Actual Loops":(\d+)/g)];
    assert.ok(read.length > 0 && read.every(([, rows, loops]) => Number(rows) * Number(loops) <= 3), plan);
  });
