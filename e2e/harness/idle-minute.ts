// What a system does while nobody asks anything of it: seconds of a processor by process, and the statements of its database.

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { familyMs } from './cpu-time.ts';
import type { ProcessName, System } from './system.ts';

const MINUTE_MS = 60_000;
/** Caches fill and what a start leaves to be done is done, before it counts as idle. */
const SETTLE_MS = 60_000;
const OURS: readonly ProcessName[] = ['postgres', 'worker', 'api', 'signer'];

/** What one statement came to in a time; `ms` and `pages` of all calls together. */
export interface Statement {
  readonly query: string;
  readonly calls: number;
  readonly ms: number;
  readonly pages: number;
}

/** What an idle minute came to; statements with the dearest first. */
export interface Minute {
  /** Seconds of a processor, by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly statements: readonly Statement[];
}

/** A minute of a system that has been left alone for one. `owner` has `pg_stat_statements`. */
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

/** All statements since the last reset, the dearest first. */
export async function statementsOf(owner: pg.Client): Promise<Statement[]> {
  const { rows } = await owner.query<Statement>(
    `select query, calls::float8 as calls, total_exec_time as ms, (shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements join pg_database d on d.oid = dbid
     where datname = 'kurs' and query not like '%pg_stat_statements%' order by total_exec_time desc`,
  );
  return rows;
}

/** A statement in one line. */
export const line = ({ query, calls, ms, pages }: Statement): string =>
  `${ms.toFixed(0).padStart(6)} ms ${String(calls).padStart(5)} × ${(ms / calls).toFixed(2)} ms, ${(pages / calls).toFixed(0)} pages: ${query.replace(/\s+/g, ' ').slice(0, 110)}`;

/** One statement is kept under several texts: what stands in it as a value is a number there in one of them. */
const sameOf = ({ query }: Statement): string => query.replaceAll(/\$\d+|'[^']*'|\b\d+\b/g, '?');

/**
 * Pages that each run of a statement may read more: indexes are deeper by then, and usual times are a row for each day of a
 * month, direction and bucket of minutes, however many orders stand behind it.
 */
const DEEPER = 100;

/** Statements of which one run reads more pages than it did, or one that the empty desk didn't ask and that reads many. */
export function grownIn(empty: Minute, filled: Minute): string[] {
  const pagesOf = ({ pages, calls }: Statement): number => pages / calls;
  const before = new Map(empty.statements.map((one) => [sameOf(one), pagesOf(one)]));
  return filled.statements.flatMap((one) => {
    const was = before.get(sameOf(one)) ?? 0;
    return pagesOf(one) > 2 * was + DEEPER && one.calls > 0 ? [`${was.toFixed(0)} → ${line(one)}`] : [];
  });
}
