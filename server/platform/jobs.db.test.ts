import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { advanceClock } from './sandbox-clock.ts';
import { openDb, type Db } from './db.ts';
import { jobs, runJobs, unlockSilentWorkers } from './jobs.ts';
import { configureLog } from './log.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { testDb, type TestDb } from './testing.ts';

let own: TestDb;
let db: Db;
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: () => {} });
});
after(() => own.drop());

const waitFor = async (isTrue: () => unknown): Promise<void> => {
  for (let i = 0; i < 200 && !isTrue(); i++) await sleep(25);
  assert.ok(isTrue(), 'waited 5 s in vain');
};

test('a job runs when its transaction commits, and never otherwise', async () => {
  const seen: unknown[] = [];
  const runner = await runJobs(db, { greet: async (payload) => void seen.push(payload['name']) });
  await db
    .tx(async (tx) => {
      await jobs.add(tx, 'greet', { name: 'nobody' });
      throw new Error('abandoned');
    })
    .catch(() => {});
  await db.tx((tx) => jobs.add(tx, 'greet', { name: 'anna' }));
  await waitFor(() => seen.length === 1);
  assert.deepEqual(seen, ['anna']);
  await runner.stop();
});

test('a job with a key replaces the waiting one; its time is the product’s', async () => {
  await advanceClock(db, 86_400_000);
  const seen: unknown[] = [];
  await db.tx(async (tx) => {
    const soon = new Date(tx.now.getTime() + 200);
    const later = new Date(tx.now.getTime() + 3_600_000);
    await jobs.add(tx, 'note', { n: 1 }, { key: 'same', runAt: soon });
    await jobs.add(tx, 'note', { n: 2 }, { key: 'same', runAt: soon });
    await jobs.add(tx, 'note', { n: 3 }, { runAt: later });
  });
  const runner = await runJobs(db, { note: async (payload) => void seen.push(payload['n']) });
  await waitFor(() => seen.length > 0);
  await sleep(100);
  assert.deepEqual(seen, [2]);
  await runner.stop();
});

test('a job that fails is tried again', async () => {
  let tries = 0;
  const runner = await runJobs(db, {
    shaky: async () => {
      tries += 1;
      if (tries === 1) throw new Error('first time');
    },
  });
  await db.tx((tx) => jobs.add(tx, 'shaky', {}));
  await waitFor(() => tries === 2);
  await runner.stop();
});

test('the jobs of a worker that fell silent are freed, those of a living one are not', async () => {
  await db.tx(async (tx) => {
    await jobs.add(tx, 'lost', {});
    await jobs.add(tx, 'kept', {});
  });
  const lock = (task: string, worker: string) =>
    db.run(
      `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - interval '40 seconds'
       where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
      [task, worker],
    );
  await lock('lost', 'dead');
  await lock('kept', 'alive');
  await db.run(`insert into worker_beat values ('alive', now()), ('dead', now() - interval '35 seconds')`);
  assert.deepEqual(await unlockSilentWorkers(db), ['dead']);
  const locked = await db.rows('select locked_by from graphile_worker._private_jobs where locked_by is not null');
  assert.deepEqual(locked, [{ locked_by: 'alive' }]);
});

test('a database that goes away under a job ends neither the process nor the work', async (t) => {
  const url = new URL(db.url);
  const proxy = await startTcpProxy(Number.parseInt(url.port, 10));
  Object.assign(url, { hostname: '127.0.0.1', port: proxy.port });
  const cut = openDb({ url: url.href, name: 'test-cut' });
  const seen: unknown[] = [];
  const runner = await runJobs(cut, {
    cut: async ({ n, fails }) => {
      seen.push(n);
      if (n === 3) return;
      proxy.refuse();
      // The database is told of either end of a job: that it failed, that it is done.
      if (fails) throw new Error('the database is away');
    },
  });
  t.after(async () => {
    proxy.restore();
    await runner.stop();
    await cut.close();
    await proxy.close();
  });
  for (const [n, fails] of [
    [1, true],
    [2, false],
  ] as const) {
    await db.tx((tx) => jobs.add(tx, 'cut', { n, fails }));
    await waitFor(() => seen.includes(n));
    // A rejection that nobody handles would end the process, and fails this test.
    await sleep(300);
    proxy.restore();
  }
  await db.tx((tx) => jobs.add(tx, 'cut', { n: 3 }));
  await waitFor(() => seen.includes(3));
});

test('workers beat, and stop beating when they are stopped', async () => {
  await db.run('delete from worker_beat');
  const runner = await runJobs(db, { nothing: async () => {} }, { concurrency: 2 });
  await sleep(300);
  await runner.stop();
  assert.deepEqual(await db.rows('select 1 from worker_beat'), []);
});
