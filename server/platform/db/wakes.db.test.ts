import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { configureLog } from '../base/log.ts';
import { type TestDb, testDb } from '../testing.ts';
import { type Topic, carryWakes, onWake, wake } from './wakes.ts';

let own: TestDb;
/** Another process: what it hears, and by which it tells. */
let other: pg.Client;
const heard: string[] = [];
before(async () => {
  configureLog({ sink: () => {} });
  own = await testDb();
  other = new pg.Client({ connectionString: own.ownerUrl });
  other.on('notification', ({ payload = '' }) => void heard.push(...payload.split(' ')));
  await other.connect();
  await other.query('listen kurs_wakes');
});
after(async () => {
  await other.end();
  await own.drop();
});

const until = async (is: () => boolean): Promise<void> => {
  for (let tries = 0; !is(); tries += 1) {
    assert.ok(tries < 1_000, 'it is told within ten seconds');
    await sleep(10);
  }
};
const telling = (topic: Topic) => other.query(`select pg_notify('kurs_wakes', $1)`, [topic]);

test('what another process tells wakes what waits here; what waits here is told to nobody else', async (context) => {
  const woken: Topic[] = [];
  context.after(onWake('owners', () => void woken.push('owners')));
  context.after(onWake('events', () => void woken.push('events')));
  const wakes = carryWakes(own.url, 'test');
  context.after(() => wakes.stop());
  // Once there is a connection all look: nobody knows what was told before.
  await until(() => woken.length === 2);
  await telling('owners');
  await until(() => woken.length === 3);
  assert.deepEqual(woken.toSorted(), ['events', 'owners', 'owners']);
  wake('events');
  assert.equal(woken.length, 4);
  wake('payments');
  wake('payments');
  await until(() => heard.includes('payments'));
  assert.deepEqual(heard, ['owners', 'payments'], 'told once for what was told within a moment, and not what waits here');
});

test('after a lost connection all that waits looks, and is told again from then on', async (context) => {
  let woken = 0;
  context.after(onWake('owners', () => void (woken += 1)));
  const wakes = carryWakes(own.url, 'lost');
  context.after(() => wakes.stop());
  await until(() => woken === 1);
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost-wakes'`);
  await until(() => woken === 2);
  await telling('owners');
  await until(() => woken === 3);
});

test('without a connection wakes go to this process alone, and nothing fails', () => {
  let woken = 0;
  const deaf = onWake('deliveries', () => void (woken += 1));
  wake('deliveries');
  wake('payments');
  deaf();
  wake('deliveries');
  assert.equal(woken, 1);
});
