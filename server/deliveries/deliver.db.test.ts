// Deliveries with a real database: receivers, signatures, retries, and switching off.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Db, advanceClock, configureLog, monotonicMs, newId } from '../platform/index.ts';
import { type TestDb, testDb, testSealer } from '../platform/testing.ts';
import { openDeliveries, runDeliveries } from './deliver.ts';
import { type Endpoint, healthOf, putEndpoint, removeEndpoint, switchOn } from './endpoints.ts';
import { type DeliveryKind, standardPause } from './kind.ts';
import { openPost } from './post.ts';
import { attemptsOf, listDeliveries, replay } from './log.ts';
import { forgetDeliveries, publish } from './publish.ts';
import { rotateSecret, secretsOf } from './secrets.ts';
import { standardHeaders } from './standard-webhooks.ts';
import { webhookChannel } from './webhook.ts';

const STANDARD: DeliveryKind = {
  kind: 'standard',
  bodyOf: ({ type, at, body }) => JSON.stringify({ type, timestamp: at, data: body }),
  headersOf: standardHeaders,
  pauseAfter: standardPause,
  mayBePrivate: true,
  canSwitchOff: true,
  maxAtOnce: 4,
};
const DAY_MS = 86_400_000;

interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
const heard: Heard[] = [];
/** Status that the server answers, by path; 0 hangs. */
let answers: Record<string, number> = {};
/** Called while a request is open. */
let meanwhile: () => Promise<void> = async () => {};
let hook: Server;
let base: string;
let own: TestDb;
let db: Db;
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {} });
  hook = createServer(async (request, response) => {
    const path = request.url ?? '';
    heard.push({ path, headers: request.headers, body: await text(request) });
    await meanwhile();
    const status = answers[path] ?? 200;
    if (status !== 0) response.writeHead(status).end(`answer ${status}`);
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  base = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
});
after(async () => {
  hook.closeAllConnections();
  hook.close();
  await own.drop();
});
beforeEach(async () => {
  await own.owner.run('truncate delivery_endpoint, delivery_event cascade');
  [heard.length, answers, meanwhile] = [0, {}, async () => {}];
});

const options = () => ({ db, channels: [webhookChannel(STANDARD, { db, sealer: testSealer, poster: openPost() })] });
async function deliver(): Promise<number> {
  const deliveries = openDeliveries(options());
  const taken = await deliveries.deliver();
  await deliveries.stop();
  return taken;
}
async function endpoint(path: string, more: Partial<Endpoint> = {}): Promise<string> {
  const id = newId();
  await db.tx((tx) => putEndpoint(tx, { id, owner: 'shop', kind: 'standard', url: base + path, ...more }));
  return id;
}
async function report(type = 'order.completed', owner = 'shop'): Promise<string> {
  const id = newId();
  await db.tx((tx) => publish(tx, { id, owner, type, body: { order: 'KX-1' } }));
  return id;
}
const paths = (): string[] => heard.map(({ path }) => path).sort();
const waiting = async (): Promise<number> =>
  (await db.rows('select from delivery where due_at is not null and taken_at is null and given_up_at is null')).length;
const onlyDelivery = async (): Promise<string> => (await db.row<{ id: string }>('select id from delivery'))!.id;
const secretTexts = async (id: string): Promise<string[]> => (await secretsOf(db, testSealer, id)).map(({ text }) => text);
const isOff = async (id: string): Promise<string | null> =>
  (await db.row<{ off: string | null }>('select switched_off_because as off from delivery_endpoint where id = $1', [id]))!.off;
const offEvents = (id: string) =>
  db.rows(`select body from event where kind = 'deliveries.switched_off' and subject = $1`, [`endpoint:${id}`]);

test('sends an event once to each endpoint of its owner that receives its type', async () => {
  await endpoint('/all');
  await endpoint('/orders', { types: ['order.completed'] });
  await endpoint('/refunds', { types: ['refund.sent'] });
  await endpoint('/stranger', { owner: 'another' });
  await endpoint('/newer', { kind: 'of a newer version' });
  const id = await report();
  await db.tx((tx) => publish(tx, { id, owner: 'shop', type: 'order.completed', body: 'again' }));
  assert.equal(await deliver(), 2);
  assert.equal(await deliver(), 0);
  assert.deepEqual(paths(), ['/all', '/orders']);
  assert.deepEqual(JSON.parse(heard[0]!.body).data, { order: 'KX-1' });
  assert.equal(await waiting(), 1, 'a kind that is not known here is left to a version that knows it');
});

test('delivers nothing that a rolled back transaction published', async () => {
  await endpoint('/all');
  const broken = db.tx(async (tx) => {
    await publish(tx, { id: newId(), owner: 'shop', type: 'order.completed', body: 1 });
    throw new Error('no');
  });
  await assert.rejects(broken);
  assert.equal(await deliver(), 0);
});

test('a delivery is signed by every valid secret, so a receiver may change to the new one in its own time', async () => {
  const id = await endpoint('/signed');
  const first = await db.tx((tx) => rotateSecret(tx, testSealer, id, tx.now));
  const second = await db.tx((tx) => rotateSecret(tx, testSealer, id, new Date(tx.now.getTime() + DAY_MS)));
  assert.deepEqual(await secretTexts(id), [second, first], 'readable again');
  const stored = await db.rows<{ sealed: Buffer }>('select sealed from delivery_secret');
  assert.ok(stored.every(({ sealed }) => !sealed.toString('latin1').includes('whsec_')));
  await report();
  await deliver();
  const [{ headers, body }] = heard as [Heard];
  for (const secret of [first, second])
    assert.equal(
      (new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string }).type,
      'order.completed',
    );
  assert.throws(() => new Webhook(first).verify(`${body} `, headers as Record<string, string>));
  await advanceClock(db, DAY_MS + 1_000);
  await report();
  await deliver();
  assert.deepEqual(await secretTexts(id), [second]);
  assert.ok(new Webhook(second).verify(heard[1]!.body, heard[1]!.headers as Record<string, string>));
  assert.throws(() => new Webhook(first).verify(heard[1]!.body, heard[1]!.headers as Record<string, string>));
});

test('retries with growing pauses, gives up after ten attempts, and replays under the same id', async () => {
  await endpoint('/refuses');
  answers = { '/refuses': 500 };
  const id = await report();
  let tries = 0;
  for (const seconds of [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
    await advanceClock(db, Math.floor(seconds * 890));
    if (seconds > 0) assert.equal((await deliver(), heard.length), tries, `not before ${seconds} s, a tenth less by chance`);
    await advanceClock(db, Math.ceil(seconds * 215) + 1);
    await deliver();
    tries += 1;
    assert.equal(heard.length, tries);
    // Otherwise days of failure would switch the endpoint off.
    await db.run('update delivery_endpoint set failing_since = clock_now()');
  }
  assert.equal(await waiting(), 0);
  const delivery = await onlyDelivery();
  const log = await attemptsOf(db, delivery);
  assert.deepEqual([log.length, log[0]?.status, log[0]?.answer, log[0]?.error], [10, 500, 'answer 500', null]);
  answers = {};
  assert.equal(await db.tx((tx) => replay(tx, delivery)), true);
  assert.equal(await deliver(), 1);
  assert.equal(await db.tx((tx) => replay(tx, newId())), false);
  assert.deepEqual(new Set(heard.map(({ headers }) => headers['webhook-id'])), new Set([id]));
  assert.equal((await attemptsOf(db, delivery)).length, 11);
});

test('replays an accepted delivery as well', async () => {
  await endpoint('/all');
  await report();
  await deliver();
  await db.tx(async (tx) => replay(tx, (await tx.row<{ id: string }>('select id from delivery'))!.id));
  assert.equal(await deliver(), 1);
  assert.equal(heard.length, 2);
});

test('switches off an endpoint that answers 410, with an event; waiting deliveries go once it is on again', async () => {
  const id = await endpoint('/gone');
  answers = { '/gone': 410 };
  await report();
  await deliver();
  assert.equal(await isOff(id), 'gone');
  assert.deepEqual(await offEvents(id), [{ body: { endpoint: id, owner: 'shop', because: 'gone' } }]);
  await report();
  await advanceClock(db, 60_000);
  assert.equal((await deliver(), heard.length), 1, 'nothing goes there');
  answers = {};
  assert.equal(await db.tx((tx) => switchOn(tx, id)), true);
  assert.equal(await deliver(), 1);
});

test('events of an endpoint that is off are stored as missed, and go once they are replayed', async () => {
  const id = await endpoint('/missed');
  answers = { '/missed': 410 };
  const first = await report();
  await deliver();
  const [second, third] = [await report(), await report()];
  const missed = async () => (await listDeliveries(db, { page: 1, per_page: 10, state: 'missed' })).rows;
  assert.equal((await missed()).length, 2);
  const [health] = (await healthOf(db, [id])).values();
  assert.deepEqual([health?.state, health?.because, health?.status, health?.missed], ['off', 'gone', 410, 2]);
  answers = {};
  await db.tx(async (tx) => replay(tx, (await missed())[0]?.id ?? assert.fail()));
  assert.equal(await deliver(), 0, 'not while it is off');
  await db.tx((tx) => switchOn(tx, id));
  assert.equal(await deliver(), 2, 'what waited, and what was replayed');
  assert.equal((await missed()).length, 1, 'the rest stays missed');
  assert.equal(await db.tx((tx) => switchOn(tx, id, { mayDeliverMissed: true })), false, 'it was on');
  assert.equal(await deliver(), 1);
  assert.deepEqual(new Set(heard.map(({ headers }) => headers['webhook-id'])), new Set([first, second, third]));
  assert.deepEqual([(await healthOf(db, [id])).get(id)?.state, (await missed()).length], ['on', 0]);
});

test('makes waiting deliveries due at once when their endpoint is switched on', async () => {
  const id = await endpoint('/later');
  answers = { '/later': 500 };
  await report();
  await deliver();
  await db.run(`update delivery_endpoint set switched_off_at = clock_now(), switched_off_because = 'failing'`);
  await db.run(`update delivery set due_at = clock_now() + interval '20 hours'`);
  answers = {};
  await db.tx((tx) => switchOn(tx, id));
  assert.equal(await deliver(), 1);
});

test('switches off an endpoint that accepts nothing for five days, and none that accepted something', async () => {
  const [dead, shaky] = [await endpoint('/dead'), await endpoint('/shaky')];
  for (let day = 0; day <= 6; day++) {
    answers = { '/dead': 500, '/shaky': day === 3 ? 200 : 500 };
    await report();
    await deliver();
    await advanceClock(db, DAY_MS);
  }
  assert.deepEqual([await isOff(dead), await isOff(shaky)], ['failing', null]);
  assert.equal((await offEvents(dead)).length, 1);
  await db.tx((tx) => putEndpoint(tx, { id: dead, owner: 'shop', kind: 'standard', url: `${base}/new` }));
  assert.equal(await isOff(dead), null, 'a changed address is tried afresh');
});

test('a hanging endpoint delays no deliveries of another one', async (t) => {
  await endpoint('/hangs', { types: ['a'] });
  await endpoint('/quick', { types: ['b'] });
  answers = { '/hangs': 0 };
  for (const _ of [1, 2, 3, 4, 5]) await report('a');
  const deliveries = runDeliveries(options());
  t.after(async () => {
    hook.closeAllConnections();
    await deliveries.stop();
  });
  const reach = async (path: string, times: number): Promise<void> => {
    const begin = monotonicMs();
    while (paths().filter((each) => each === path).length < times) {
      assert.ok(monotonicMs() - begin < 8_000, `${path} waits`);
      await pause(20);
    }
  };
  await reach('/hangs', 4);
  await report('b');
  await reach('/quick', 1);
  await report('b');
  await reach('/quick', 2);
  assert.equal(paths().filter((path) => path === '/hangs').length, 4, 'four at a time');
  // Received does not mean stored yet.
  while ((await waiting()) > 5) await pause(20);
  const begin = monotonicMs();
  await deliveries.stop();
  assert.ok(monotonicMs() - begin < 5_000, 'a stop breaks off what hangs');
  assert.deepEqual(await db.rows(`select from delivery_attempt where status is null`), [], 'and holds it against nobody');
  assert.equal(await waiting(), 5, 'it is made again');
});

test('two processes post each delivery once', async () => {
  await endpoint('/all');
  for (let one = 0; one < 10; one++) await report();
  const [one, other] = await Promise.all([deliver(), deliver()]);
  assert.equal(one + other, 10);
  assert.equal(heard.length, 10);
});

test('no transaction is open while an endpoint answers', async () => {
  await endpoint('/all');
  await report();
  let open: unknown[] | undefined;
  meanwhile = async () => {
    open = await own.owner.rows(OPEN_TRANSACTIONS);
  };
  await deliver();
  assert.deepEqual(open, []);
});

const OPEN_TRANSACTIONS = `
  select query from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;

test('an endpoint removed during an attempt leaves nothing behind', async () => {
  const id = await endpoint('/removed');
  await report();
  meanwhile = () => db.tx((tx) => removeEndpoint(tx, id));
  assert.equal(await deliver(), 1);
  assert.deepEqual(await db.rows('select from delivery_attempt'), []);
});

test('delivers the claims of a dead process after a minute', async () => {
  await endpoint('/all');
  await report();
  await db.run(`update delivery set tries = 1, due_at = clock_now() + interval '60 seconds'`);
  assert.equal(await deliver(), 0);
  await advanceClock(db, 61_000);
  assert.equal(await deliver(), 1);
});

test('deletes events after a month, unless deliveries still wait', async () => {
  await endpoint('/all');
  await report();
  await deliver();
  answers = { '/all': 500 };
  const late = await report();
  await deliver();
  await advanceClock(db, 31 * DAY_MS);
  await forgetDeliveries(db);
  assert.deepEqual(await db.rows('select id from delivery_event'), [{ id: late }]);
});
