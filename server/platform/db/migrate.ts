// Forward-only migrations: numbered SQL files. Each is applied once, in order, in one transaction.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { ConfigError } from '../base/config.ts';
import type { Statements } from './db.ts';

export type Mode = 'sandbox' | 'live';
type Migration = { name: string; sql: string; hash: string };

const DIRECTORY = new URL('../../migrations/', import.meta.url);

/** Returns the migrations of this checkout in order, such as `{ name: '0001_platform', sql, hash }`. */
export async function readMigrations(directory: URL = DIRECTORY): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, directory), 'utf8');
      return { name: file.slice(0, -'.sql'.length), sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies the missing migrations to the database at `url`, and grants the rights of the application's and the signer's roles.
 * Returns the names of the applied migrations. Several processes may call it at once. Throws if an applied file was edited
 * later. Throws if the database belongs to the other mode, since a sandbox's database must never serve live money, nor a live
 * database a sandbox.
 */
export async function migrate(url: string, mode: Mode, directory?: URL): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: url, application_name: 'kurs-migrate' });
  await client.connect();
  try {
    await createTable(client);
    const applied: string[] = [];
    for (const migration of migrations) if (await apply(client, migration)) applied.push(migration.name);
    await claim(client, mode);
    await giveRights(client);
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * Returns the names of this checkout's migrations that a database lacks, in order. Further migrations of a newer checkout are
 * ignored.
 */
export async function missingMigrations(db: Statements): Promise<string[]> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('migration') is not null as is`);
  const rows = table?.is ? await db.rows<{ name: string }>('select name from migration') : [];
  const applied = new Set(rows.map(({ name }) => name));
  return (await readMigrations()).map(({ name }) => name).filter((name) => !applied.has(name));
}

/**
 * True if the database was created by an incompatible version: its first migration has another name or text than ours. A newer
 * compatible version has the same first migration.
 */
export async function isOfOtherVersion(db: Statements): Promise<boolean> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('migration') is not null as is`);
  if (!table?.is) return false;
  const first = await db.row<{ name: string; hash: string | null }>('select name, hash from migration order by name limit 1');
  const [ours] = await readMigrations();
  return first !== undefined && (first.name !== ours?.name || first.hash !== ours.hash);
}

/** Returns the mode (sandbox or live) of a database's installation; undefined before the first start. */
export const installedMode = async (db: Statements): Promise<Mode | undefined> =>
  (await db.row<{ mode: Mode }>('select mode from installation'))?.mode;

/** True if no installation has written to this database yet. */
export async function isUnwritten(db: Statements): Promise<boolean> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('installation') is not null as is`);
  return !table?.is || !(await db.row('select mode from installation'));
}

async function createTable(client: pg.Client): Promise<void> {
  const sql = `create table if not exists migration (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  // Two processes may create the table at the same time. One of them fails, tries again, and finds the table.
  await client.query(sql).catch(() => client.query(sql));
}

async function apply(client: pg.Client, { name, sql, hash }: Migration): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query('lock table migration in exclusive mode');
    const known = await client.query<{ hash: string }>('select hash from migration where name = $1', [name]);
    const before = known.rows[0];
    if (before && before.hash !== hash)
      throw new ConfigError(
        `migration ${name} was edited after it had been applied: this database is of another version. Check that one out, or begin anew with an empty database and data folder. Nothing of it was changed.`,
      );
    if (!before) {
      await client.query(sql);
      await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash]);
    }
    await client.query('commit');
    return !before;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error instanceof pg.DatabaseError ? new Error(`migration ${name}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Grants the rights of the database roles. Concurrent grants of the same rights would fail, so this runs under the lock of
 * migrations.
 */
async function giveRights(client: pg.Client): Promise<void> {
  await client.query('begin; lock table migration in exclusive mode; select give_rights(); commit');
}

async function claim(client: pg.Client, mode: Mode): Promise<void> {
  await client.query('insert into installation (mode) values ($1) on conflict do nothing', [mode]);
  const found = await client.query<{ mode: Mode }>('select mode from installation');
  if (found.rows[0]?.mode !== mode) {
    throw new ConfigError(`this database belongs to a ${found.rows[0]?.mode} installation and can't be used in ${mode} mode`);
  }
}
