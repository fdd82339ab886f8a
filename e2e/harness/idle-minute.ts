// Measures a system that nobody uses: processor time by process, and the statements of its database.

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { familyMs } from './cpu-time.ts';
import type { ProcessName, System } from './system.ts';

const MINUTE_MS = 60_000;
/** Time in ms before the measurement, in which caches fill and the work of the start ends. */
const SETTLE_MS = 60_000;
const OURS: readonly ProcessName[] = ['postgres', 'worker', 'api', 'console', 'signer'];

/** Totals of one statement in a period: `ms` and `pages` are sums over all calls. */
export interface Statement {
  readonly query: string;
  readonly calls: number;
  readonly ms: number;
  readonly pages: number;
}

/** Measurement of an idle minute, with the most expensive statements first. */
export interface Minute {
  /** Processor time in seconds by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly statements: readonly Statement[];
}

/**
 * Measures a system for a minute after it has been idle for one. `owner` is a connection to a database with `pg_stat_statements`.
 */
export async function idleMinute(system: System, owner: pg.Client): Promise<Minute> {
  await pause(SETTLE_MS);
  const { pids } = await system.run();
  const cpu = () => new Map(OURS.map((name) => [name, familyMs(pids[name]) / 1_000]));
  await owner.query('select pg_stat_statements_reset()');
  const was = cpu();
  await pause(MINUTE_MS);
  const is = cpu();
  return {
    cpu: new Map([...is].map(([name, used]) => [name, used - (was.get(name) ?? 0)])),
    statements: await statementsOf(owner),
  };
}

/** Returns all statements since the last reset, the most expensive first. */
export async function statementsOf(owner: pg.Client): Promise<Statement[]> {
  const { rows } = await owner.query<Statement>(
    `select query, calls::float8 as calls, total_exec_time as ms, (shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements join pg_database d on d.oid = dbid
     where datname = 'kurs' and query not like '%pg_stat_statements%' order by total_exec_time desc`,
  );
  return rows;
}

/** Describes a statement in one line. */
export const line = ({ query, calls, ms, pages }: Statement): string =>
  `${ms.toFixed(0).padStart(6)} ms ${String(calls).padStart(5)} × ${(ms / calls).toFixed(2)} ms, ${(pages / calls).toFixed(0)} pages: ${query.replace(/\s+/g, ' ').slice(0, 110)}`;

/**
 * Returns a text that is equal for all variants of a statement: `pg_stat_statements` may store a value as a parameter or as a
 * literal.
 */
const sameOf = ({ query }: Statement): string => query.replaceAll(/\$\d+|'[^']*'|\b\d+\b/g, '?');

/**
 * Number of additional pages that one run of a statement may read with a long history. Indexes are deeper then, and statistics of
 * usual durations have a row for each day of a month, direction and bucket of minutes, however many orders exist.
 */
const DEEPER = 100;

/**
 * Returns the statements of which one run reads many more pages than on the empty desk, including those that only the filled desk
 * runs.
 */
export function grownIn(empty: Minute, filled: Minute): string[] {
  const pagesOf = ({ pages, calls }: Statement): number => pages / calls;
  const before = new Map(empty.statements.map((one) => [sameOf(one), pagesOf(one)]));
  return filled.statements.flatMap((one) => {
    const was = before.get(sameOf(one)) ?? 0;
    return pagesOf(one) > 2 * was + DEEPER && one.calls > 0 ? [`${was.toFixed(0)} → ${line(one)}`] : [];
  });
}
