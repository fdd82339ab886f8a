// A desk at rest beside a long history: the loops of all processes cost as much with 300 000 orders as with three.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { BUY_BTC, SELL_BTC, pay, place, reaches } from './customer.ts';
import { type ProcessName, type System, freshFolder, startSystem } from './system.ts';

const ORDERS = 300_000;
const MINUTE_MS = 60_000;
/** Caches fill and what a start leaves to be done is done, before it counts as idle. */
const SETTLE_MS = 60_000;
const MOST = 1.2;
/** What so short a measurement may be off by, in seconds of a processor and of the database's time. */
const NOISE_S = 1;
const DEAREST = 10;
const OURS: readonly ProcessName[] = ['postgres', 'worker', 'api', 'signer'];
/** Blocks come as seldom as on a quiet chain of ours: an order's journey makes its own. */
const QUIET = { SANDBOX_BLOCK_MS: '10000' };

interface Statement {
  readonly query: string;
  readonly calls: number;
  readonly ms: number;
  readonly pages: number;
}

interface Minute {
  /** Seconds of a processor, by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly statements: readonly Statement[];
}

let data: string;
let system: System;
let owner: pg.Client;

before(async () => {
  data = await freshFolder();
  await start();
  const client = system.client();
  for (const wish of [SELL_BTC, BUY_BTC]) {
    const { order } = await place(client, wish);
    await pay(client, order);
    await reaches(client, order, 'done', 400_000);
  }
  // The library is loaded by the next start.
  await owner.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await again();
  await owner.query('create extension pg_stat_statements');
});
after(async () => {
  await owner?.end();
  await system?.stop();
  await rm(data, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  system = await startSystem({ data, env });
  const { cluster, ports } = await system.run();
  const host = existsSync(join(cluster, `.s.PGSQL.${ports.postgres}`)) ? cluster : '127.0.0.1';
  const password = readFileSync(join(data, 'keys/postgres.password'), 'utf8').trim();
  owner = new pg.Client({ host, port: ports.postgres, user: 'kurs', password, database: 'kurs' });
  owner.on('error', () => {});
  await owner.connect();
}

async function again(): Promise<void> {
  await owner.end();
  await system.stop();
  await start(QUIET);
}

/** Seconds of a processor that a process has used, with those of its children, living and gone. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number.parseInt(fields[at] ?? '0', 10), 0) / 100;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === `${pid}`);
  return children.reduce((sum, child) => sum + safely(() => cpuOf(Number.parseInt(child, 10)), 0), own);
}

const parentOf = (pid: string): string =>
  safely(
    () =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1] ?? '',
    '',
  );

/** A process may end while it is looked at. */
function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

async function idleMinute(): Promise<Minute> {
  await pause(SETTLE_MS);
  const { pids } = await system.run();
  const cpu = () => new Map(OURS.map((name) => [name, cpuOf(pids[name])]));
  await owner.query('select pg_stat_statements_reset()');
  const was = cpu();
  await pause(MINUTE_MS);
  const is = cpu();
  const { rows } = await owner.query<Statement>(
    `select query, calls::float8 as calls, total_exec_time as ms, (shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements join pg_database d on d.oid = dbid
     where datname = 'kurs' and query not like '%pg_stat_statements%' order by total_exec_time desc`,
  );
  return { cpu: new Map([...is].map(([name, used]) => [name, used - (was.get(name) ?? 0)])), statements: rows };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, each) => all + each, 0);
const line = ({ query, calls, ms, pages }: Statement): string =>
  `${ms.toFixed(0).padStart(6)} ms ${String(calls).padStart(5)} × ${(ms / calls).toFixed(2)} ms, ${(pages / calls).toFixed(0)} pages: ${query.replace(/\s+/g, ' ').slice(0, 110)}`;

test('an idle desk with 300 000 orders costs no more than an empty one', { timeout: 3_600_000 }, async (t) => {
  const tell = (name: string, { cpu, statements }: Minute): void => {
    t.diagnostic(`${name}: ${[...cpu].map(([of, used]) => `${of} ${used.toFixed(2)}`).join(', ')} s of a processor in a minute`);
    t.diagnostic(`database ${(sum(statements.map(({ ms }) => ms)) / 1_000).toFixed(2)} s; its dearest:`);
    for (const one of statements.slice(0, DEAREST)) t.diagnostic(line(one));
  };
  const empty = await idleMinute();
  tell('empty', empty);
  await promisify(execFile)(process.execPath, ['tools/fill-history.ts', `${ORDERS}`], {
    env: { ...process.env, KURS_DATA: data },
  });
  await again();
  const filled = await idleMinute();
  tell(`${ORDERS} orders`, filled);
  const [cpuBefore, cpuNow] = [sum(empty.cpu.values()), sum(filled.cpu.values())];
  const [msBefore, msNow] = [empty, filled].map(({ statements }) => sum(statements.map(({ ms }) => ms))) as [number, number];
  const grown = grownIn(empty, filled);
  assert.deepEqual(grown, [], 'no statement reads more for a longer history');
  assert.ok(cpuNow <= cpuBefore * MOST + NOISE_S, `${cpuNow.toFixed(2)} s of a processor, empty ${cpuBefore.toFixed(2)}`);
  assert.ok(msNow <= msBefore * MOST + NOISE_S * 1_000, `${msNow.toFixed(0)} ms of the database, empty ${msBefore.toFixed(0)}`);
});

/** One statement is kept under several texts: what stands in it as a value is a number there in one of them. */
const sameOf = ({ query }: Statement): string => query.replaceAll(/\$\d+|'[^']*'|\b\d+\b/g, '?');

/** Pages that each run of a statement may read more: indexes are deeper by then. */
const DEEPER = 60;

/** Statements of which one run reads more pages than it did, or one that the empty desk didn't ask and that reads many. */
function grownIn(empty: Minute, filled: Minute): string[] {
  const pagesOf = ({ pages, calls }: Statement): number => pages / calls;
  const before = new Map(empty.statements.map((one) => [sameOf(one), pagesOf(one)]));
  return filled.statements.flatMap((one) => {
    const was = before.get(sameOf(one)) ?? 0;
    return pagesOf(one) > 2 * was + DEEPER && one.calls > 0 ? [`${was.toFixed(0)} → ${line(one)}`] : [];
  });
}
