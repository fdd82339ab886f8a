// Databases that this version can't serve since they are older: data of an earlier version, and a PostgreSQL without what the
// migrations use.

import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type Config,
  ConfigError,
  type Db,
  clusterUrl,
  keepPostgres,
  missingMigrations,
  namesOf,
  onFreePort,
  openDb,
  placeCluster,
  runningPid,
  secret,
} from '../platform/index.ts';
import { on } from './database-roles.ts';

/** The oldest PostgreSQL that has what the migrations use (`unique nulls not distinct`). */
const OLDEST_POSTGRES = 15;

type Where = Pick<Config, 'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL'>;

/** Throws a ConfigError, with what to do, where the PostgreSQL at an address is too old. */
export async function requirePostgres(url: string): Promise<void> {
  const version = await on(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  });
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return;
  throw new ConfigError(`The database is PostgreSQL ${version}, and Kurs needs ${OLDEST_POSTGRES} or later: 18 is what it is tested with.
Nothing was made or changed. Upgrade that server (pg_upgrade, or pg_dump and pg_restore into a new one), or name another one by DATABASE_URL.`);
}

/** Asks a database something on a connection of its own. */
export async function over<T>(url: string, work: (db: Db) => Promise<T>, { budget = 20_000 } = {}): Promise<T> {
  const db = openDb({ url, name: 'kurs-keys', max: 1, budget });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Returns what is said in place of "other keys" where the data is of an earlier version, which may have had other keys.
 * Undefined for data of this version. The embedded database is started for it and stopped again, unless it runs already.
 */
export async function olderWords(config: Where, faults: readonly string[]): Promise<string | undefined> {
  const lacks = config.DATABASE_URL
    ? await over(config.DATABASE_URL, missingMigrations)
    : await overStopped(config.KURS_DATA, missingMigrations);
  return lacks === undefined || lacks.length === 0 ? undefined : older(config, lacks.length, faults);
}

/** Asks the embedded database that doesn't run; undefined where it can't be asked. */
async function overStopped<T>(folder: string, work: (db: Db) => Promise<T>): Promise<T | undefined> {
  const place = await placeCluster(folder);
  const { directory } = place;
  const canOpen = namesOf(folder).includes('postgres.password') && existsSync(join(directory, 'PG_VERSION'));
  if (!canOpen || (await runningPid(directory)) !== undefined) return undefined;
  const password = secret(folder, 'postgres.password');
  try {
    const { port, keeper } = await onFreePort(async (free) => ({
      port: free,
      keeper: await keepPostgres({ place, port: free, settings: {} }),
    }));
    try {
      return await over(clusterUrl(directory, port, { password, database: 'kurs' }), work);
    } finally {
      const ended = once(keeper, 'exit');
      keeper.disconnect();
      await ended;
    }
  } catch {
    // Files that no PostgreSQL of ours opens, or with another password: what the keys say is all that there is to say.
    return undefined;
  }
}

const older = ({ KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url }: Where, lacks: number, faults: readonly string[]) =>
  mode === 'sandbox'
    ? `This sandbox's data is of an earlier version (it lacks ${lacks} migrations), and that version had other keys than this one needs.
${faults.map((fault) => `  ${fault}\n`).join('')}Nothing was made or changed. Nothing of it is real money. Begin anew: remove ${folder}${url && ' and the database that DATABASE_URL names'}, and start again.
To keep it, check out the earlier version and start that.

Данные этой песочницы созданы прежней версией (в них нет ${lacks} миграций), и ключи у неё были другие. Ничего не изменено.
Настоящих денег в ней нет. Начните заново: удалите ${folder}${url && ' и базу из DATABASE_URL'} и запустите снова.`
    : `This database is of an earlier version (it lacks ${lacks} migrations), and that version had other keys than this one needs.
${faults.map((fault) => `  ${fault}\n`).join('')}Nothing was made or changed. Were these keys here before, bring them back: npm run keys -- restore FILE.
Otherwise start the earlier version again, pay out what is owed, and begin anew with an empty database and another KURS_DATA.

Эта база создана прежней версией (в ней нет ${lacks} миграций), и ключи у неё были другие. Ничего не изменено.
Если эти ключи здесь были, верните их: npm run keys -- restore FILE. Иначе запустите прежнюю версию, выплатите всё, что
должны, и начните заново с пустой базой и другой папкой данных.`;
