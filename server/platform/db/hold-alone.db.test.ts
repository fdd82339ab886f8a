import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Alone, holdAlone } from './hold-alone.ts';
import { type TestDb, testDb } from '../testing.ts';

const NAME = 'only one';
let own: TestDb;
const held: Alone[] = [];
before(async () => void (own = await testDb()));
after(async () => {
  for (const one of held) await one.stop();
  await own.drop();
});

const take = async (patienceMs = 0, url = own.url): Promise<Alone> => {
  const alone = await holdAlone(url, NAME, patienceMs);
  held.push(alone);
  return alone;
};
const sessions = (): Promise<{ pid: number }[]> =>
  own.owner.rows('select pid from pg_stat_activity where application_name = $1 and datname = current_database()', [NAME]);
const until = async (isTrue: () => Promise<boolean> | boolean): Promise<void> => {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isTrue()) return;
    await sleep(25);
  }
  assert.fail('waited in vain');
};

test('one process holds the right; another one waits for it, and is refused in the end', async () => {
  const first = await take();
  assert.equal(first.isHeld(), true);
  await assert.rejects(take(), /Another only one uses this database/);
  const waiting = take(5_000);
  await sleep(100);
  await first.stop();
  assert.equal(first.isHeld(), false);
  assert.equal((await waiting).isHeld(), true);
  await held.pop()?.stop();
});

test('acquires the right again after a lost session, and does not hold it meanwhile', async () => {
  const alone = await take();
  const [before] = await sessions();
  await own.owner.run('select pg_terminate_backend($1)', [before?.pid]);
  await until(async () => {
    const [now] = await sessions();
    return now !== undefined && now.pid !== before?.pid && alone.isHeld();
  });
  await alone.stop();
});

test('begins without a database, holds no right, and logs that', async () => {
  const alone = await take(0, 'postgres://kurs_app@127.0.0.1:9/nowhere');
  assert.equal(alone.isHeld(), false);
});
