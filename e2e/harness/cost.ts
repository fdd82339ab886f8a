// Measures the load that something puts on the database by PostgreSQL's own counters: transactions, written rows and bytes of
// WAL.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { System } from './system.ts';

/** Time in ms after which an idle session has reported its statistics (PostgreSQL, `PGSTAT_IDLE_INTERVAL`). */
const REPORTED_MS = 10_500;

/** Load in a period, or per second. */
export interface Cost {
  readonly seconds: number;
  readonly transactions: number;
  readonly rows: number;
  readonly wal: number;
  /** Number of inserted, updated and deleted rows by table. */
  readonly tables: ReadonlyMap<string, number>;
}

/** Counters at a moment. */
export interface Counters {
  readonly at: number;
  readonly transactions: number;
  readonly wal: number;
  readonly tables: ReadonlyMap<string, number>;
}

/** Reads the counters of a system's database, as the database's owner. */
export interface CostMeter {
  /** Returns the counters now, as far as the sessions of the database have reported. */
  counted(): Promise<Counters>;
  /** Waits until all sessions have reported. */
  reported(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a meter. Its own queries are not counted. It switches off autovacuum (about a hundred transactions a minute) and the full
 * pages that PostgreSQL writes after each checkpoint, since both would distort the figures. The test's system runs without them
 * afterwards.
 */
export async function openCostMeter(system: System): Promise<CostMeter> {
  const { cluster, ports } = await system.run();
  const host = existsSync(join(cluster, `.s.PGSQL.${ports.postgres}`)) ? cluster : '127.0.0.1';
  const password = readFileSync(join(system.data, 'keys/postgres.password'), 'utf8').trim();
  // The meter's sessions use another database, so that they aren't counted. The row counters can only be read in the measured
  // database.
  const connect = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ host, port: ports.postgres, user: 'kurs', password, database });
    await client.connect();
    return client;
  };
  const beside = await connect('postgres');
  const inside = await connect('kurs');
  await beside.query('alter system set full_page_writes = off');
  await beside.query('alter system set autovacuum = off');
  await beside.query('select pg_reload_conf()');
  let request = 0;
  const counters = async (): Promise<Counters> => {
    const { rows: tables } = await inside.query<{ name: string; rows: string }>(
      'select relname as name, n_tup_ins + n_tup_upd + n_tup_del as rows from pg_stat_user_tables',
    );
    request += 1;
    const { rows } = await beside.query<{ done: string; wal: string }>(
      `select xact_commit + xact_rollback as done, pg_current_wal_lsn() - '0/0'::pg_lsn as wal
       from pg_stat_database where datname = 'kurs'`,
    );
    const { done, wal } = rows[0]!;
    return {
      at: performance.now(),
      transactions: Number(done) - request,
      wal: Number(wal),
      tables: new Map(tables.map((one) => [one.name, Number(one.rows)])),
    };
  };
  return {
    counted: counters,
    reported: () => pause(REPORTED_MS),
    async close() {
      await Promise.all([beside.end(), inside.end()]);
    },
  };
}

/** Returns the load between two moments. */
export function costOf(before: Counters, after: Counters): Cost {
  const tables = [...after.tables].map(([name, rows]) => [name, rows - (before.tables.get(name) ?? 0)] as const);
  return {
    seconds: (after.at - before.at) / 1_000,
    transactions: after.transactions - before.transactions,
    rows: tables.reduce((sum, [, rows]) => sum + rows, 0),
    wal: after.wal - before.wal,
    tables: new Map(tables.filter(([, rows]) => rows > 0)),
  };
}

/** Returns the load beyond that of an idle system in the same time. */
export function beyond(cost: Cost, idle: Cost): Cost {
  const share = cost.seconds / idle.seconds;
  const less = (all: number, rest: number): number => Math.round(all - rest * share);
  return {
    seconds: cost.seconds,
    transactions: less(cost.transactions, idle.transactions),
    rows: less(cost.rows, idle.rows),
    wal: less(cost.wal, idle.wal),
    tables: new Map([...cost.tables].map(([name, rows]) => [name, less(rows, idle.tables.get(name) ?? 0)])),
  };
}

/** Describes a load in one line. */
export const costLine = ({ transactions, rows, wal, tables }: Cost): string =>
  `${transactions} transactions, ${rows} rows, ${(wal / 1_000).toFixed(0)} kB of WAL: ${[...tables]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`;
