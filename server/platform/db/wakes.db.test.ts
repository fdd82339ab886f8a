import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { configureLog } from '../base/log.ts';
import { type TestDb, testDb } from '../testing.ts';
import { type Topic, carryWakes, onWake, sendWake, wake } from './wakes.ts';
import { watchVersions } from './watch-versions.ts';

let own: TestDb;
/** Simulates another process, with the notifications that it receives and sends. */
let other: pg.Client;
const heard: string[] = [];
before(async () => {
  configureLog({ sink: () => {} });
  own = await testDb();
  other = new pg.Client({ connectionString: own.ownerUrl });
  other.on('notification', ({ payload = '' }) => void heard.push(...payload.split(' ')));
  await other.connect();
  await other.query('listen kurs_wakes');
  await other.query(MARK, ['payments']);
});
after(async () => {
  await other.end();
  await own.drop();
});

const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries += 1) {
    assert.ok(tries < 3_000, 'it is told within half a minute');
    await sleep(10);
  }
};
const MARK = `select pg_advisory_lock_shared(hashtext('wake'), hashtext($1))`;
/** Returns true if another process than the one that asks waits for a topic. */
const isAwaited = async (topic: Topic): Promise<boolean> =>
  (await other.query<{ is: boolean }>('select is_awaited($1) as is', [topic])).rows[0]!.is;
const notice = (topic: Topic) => other.query(`select pg_notify('kurs_wakes', $1)`, [topic]);

test('notifications of another process wake loops here; topics awaited here are sent to no other process', async (context) => {
  const woken: Topic[] = [];
  context.after(onWake('owners', () => void woken.push('owners')));
  context.after(onWake('events', () => void woken.push('events')));
  const wakes = carryWakes(own.url, 'test');
  context.after(() => wakes.stop());
  // All loops poll once there is a connection: earlier notifications were lost.
  await until(() => woken.length === 2);
  await notice('owners');
  await until(() => woken.length === 3);
  assert.deepEqual(woken.toSorted(), ['events', 'owners', 'owners']);
  wake('events');
  assert.equal(woken.length, 4);
  wake('payments');
  wake('payments');
  await until(() => heard.includes('payments'));
  assert.deepEqual(heard, ['owners', 'payments'], 'told once for what was told within a moment, and not what waits here');
});

test('after a lost connection all loops poll and are notified again', async (context) => {
  let woken = 0;
  context.after(onWake('owners', () => void (woken += 1)));
  const wakes = carryWakes(own.url, 'lost');
  context.after(() => wakes.stop());
  await until(() => woken === 1);
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost-wakes'`);
  await until(() => woken === 2);
  await notice('owners');
  await until(() => woken === 3);
});

test('sends no notification of a topic that no other process waits for', async (context) => {
  const from = heard.length;
  let isConnected = false;
  context.after(onWake('events', () => void (isConnected = true)));
  const wakes = carryWakes(own.url, 'alone');
  context.after(() => wakes.stop());
  // The server may know a session before the process uses it to notify.
  await until(() => isConnected);
  await other.query(sendWake('blocks'));
  wake('owners');
  wake('payments');
  await until(() => heard.length > from);
  assert.deepEqual(heard.slice(from), ['payments']);
});

test('a watch waits for its topics while somebody listens, and its process registers them', async (context) => {
  const wakes = carryWakes(own.url, 'watching');
  context.after(() => wakes.stop());
  const versions = new Map([['one', 1]]);
  const watch = watchVersions(60_000, 'test', async () => versions, ['owners', 'blocks']);
  context.after(() => watch.stop());
  assert.equal(await isAwaited('owners'), false);
  const seen: number[] = [];
  const leave = [watch.listen('one', 0, (version) => void seen.push(version)), watch.listen('one', 0, () => {})];
  await until(() => isAwaited('blocks'));
  // A loop that begins to wait polls at once: earlier notifications went to nobody.
  await until(() => seen.length === 1);
  versions.set('one', 2);
  await other.query(sendWake('owners'));
  await until(() => seen.length === 2);
  leave[0]!();
  leave[0]!();
  assert.equal(await isAwaited('owners'), true, 'somebody still listens');
  leave[1]!();
  await until(async () => !(await isAwaited('owners')) && !(await isAwaited('blocks')));
});

test('without a connection notifications reach this process alone, and nothing fails', () => {
  let woken = 0;
  const deaf = onWake('deliveries', () => void (woken += 1));
  wake('deliveries');
  wake('payments');
  deaf();
  wake('deliveries');
  assert.equal(woken, 1);
});
