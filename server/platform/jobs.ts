// Jobs: hints that there is work, enqueued in the transaction that makes the work (graphile-worker).
//
// A job may come late, twice or, after a crash, only once its worker counts as silent: so a job never is the truth.
// What must happen is a row with a `due_at`, which a sweeper finds anyway.

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, run, type Job, type JobHelpers, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { Db, Tx } from './db.ts';
import { log } from './log.ts';
import { every } from './sweeper.ts';

export type JobPayload = Record<string, unknown>;
export type JobHandler = (payload: JobPayload, job: Job) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;
export type JobOptions = {
  /** A job with this key that still waits is replaced. Transactions that use one key at once wait for each other. */
  key?: string;
  /** In the product's time. */
  runAt?: Date;
};

const BEAT_MS = 5_000;
const SILENT_SECONDS = 30;

export const jobs = {
  /** Enqueues a job in the caller's transaction: it exists if that commits. The payload must survive JSON. */
  async add(tx: Tx, name: string, payload: JobPayload, options: JobOptions = {}): Promise<void> {
    // The queue lives in real time, the product in a time that the sandbox may have moved on.
    await tx.run(
      `select graphile_worker.add_job($1, $2::json, job_key => $3,
         run_at => $4::timestamptz - clock_offset())`,
      [name, JSON.stringify(payload), options.key ?? null, options.runAt ?? null],
      { name: 'jobs.add' },
    );
  },
};

/**
 * Works on the jobs of these names until stopped, on connections of its own; `concurrency` jobs at once. An error of a
 * handler is logged and the job tried again with exponential back-off. Survives an outage of the database.
 */
export async function runJobs(
  db: Pick<Db, 'url'> & Db,
  handlers: JobHandlers,
  { concurrency = 4 }: { concurrency?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: db.url, application_name: 'kurs-jobs', max: concurrency + 2 });
  pool.on('error', (error) => log.warn('database connection lost', { pool: 'jobs', error: error.message }));
  // graphile-worker asks for a handler on clients that are lent out, too.
  pool.on('connect', (client) => client.on('error', () => {}));

  const workerIds = new Set<string>();
  let stopped = false;
  let runner: Runner | undefined;

  const keepRunning = async (): Promise<void> => {
    for (let failures = 0; !stopped; failures++) {
      try {
        runner = await startRunner(pool, handlers, concurrency, workerIds);
        failures = 0;
        await runner.promise;
      } catch (error) {
        if (!stopped) log.warn('job runner ended, starting again', { error });
      }
      runner = undefined;
      if (!stopped) await sleep(Math.min(5_000, 250 * 2 ** failures));
    }
  };
  const running = keepRunning();
  const beat = every(BEAT_MS, 'jobs:beat', () => beatAndUnlock(db, [...workerIds]));

  return {
    async stop() {
      stopped = true;
      await beat.stop();
      await runner?.stop().catch(() => {});
      await running;
      await db.run('delete from worker_beat where worker_id = any($1)', [[...workerIds]]).catch(() => {});
      await pool.end();
    },
  };
}

async function startRunner(pool: pg.Pool, handlers: JobHandlers, concurrency: number, workerIds: Set<string>): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter();
  workerIds.clear();
  events.on('worker:create', ({ worker }) => void workerIds.add(worker.workerId));
  const runner = await run({
    pgPool: pool,
    taskList: taskList(handlers),
    concurrency,
    events,
    logger: jobLogger,
    noHandleSignals: true,
    pollInterval: 1_000,
    // By default the end of a job is told to the database by a call that nobody awaits: a database that is away then ends
    // the process. Told in batches (of what has ended by now), it ends this runner only, and a new one begins.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  // `promise` is awaited by the caller; until then a rejection must not count as unhandled.
  runner.promise.catch(() => {});
  return runner;
}

const taskList = (handlers: JobHandlers): TaskList =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown, { job }: JobHelpers) => handle((payload ?? {}) as JobPayload, job),
    ]),
  );

/** Tells that our workers live, and frees the jobs of workers that have been silent for 30 s (the queue waits 4 hours). */
async function beatAndUnlock(db: Db, workerIds: string[]): Promise<void> {
  await db.run(`insert into worker_beat (worker_id) select unnest($1::text[]) on conflict (worker_id) do update set at = now()`, [
    workerIds,
  ]);
  const silent = await unlockSilentWorkers(db);
  if (silent.length > 0) log.warn('jobs of silent workers freed', { workers: silent });
}

/** Frees the jobs of workers without a beat in the last `seconds`; gives their ids. */
export async function unlockSilentWorkers(db: Db, seconds = SILENT_SECONDS): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `with silent as (
       select distinct locked_by as id from graphile_worker._private_jobs
       where locked_by is not null and locked_at < now() - $1 * interval '1 second'
         and not exists (select 1 from worker_beat
                         where worker_id = locked_by and at > now() - $1 * interval '1 second')
     ), forgotten as (
       delete from worker_beat where at < now() - interval '1 hour'
     )
     select id, graphile_worker.force_unlock_workers(array[id]) from silent`,
    [seconds],
  );
  return rows.map((row) => row.id);
}

// An error of a handler comes here too, as "Failed task …".
const jobLogger = new Logger((scope) => (level, message, meta) => {
  if (level === 'error') log.error(message, { job: scope.taskIdentifier, error: meta?.['error'] ?? meta?.['failure'] });
  else if (level === 'warning') log.warn(message, { job: scope.taskIdentifier });
  else log.debug(message);
});
