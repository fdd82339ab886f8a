// Detects databases that this version can't use: those that another version began, and a PostgreSQL that is too old for the
// migrations.

import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type Config,
  ConfigError,
  type Db,
  clusterUrl,
  isOfOtherVersion,
  runPostgres,
  namesOf,
  onFreePort,
  openDb,
  placeCluster,
  runningPid,
  secret,
} from '../platform/index.ts';
import { on } from './database-roles.ts';

/** Oldest PostgreSQL with the features that the migrations use (`unique nulls not distinct`). */
const OLDEST_POSTGRES = 15;

type Where = Pick<Config, 'KURS_DATA' | 'KURS_MODE'>;

async function requirePostgres(url: string): Promise<void> {
  const version = await on(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  });
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return;
  throw new ConfigError(`The database is PostgreSQL ${version}, and Kurs needs ${OLDEST_POSTGRES} or later: 18 is what it is tested with.
Nothing was made or changed. Upgrade that server (pg_upgrade, or pg_dump and pg_restore into a new one), or name another one by DATABASE_URL.`);
}

/** Runs `work` on a separate connection to a database. */
export async function over<T>(url: string, work: (db: Db) => Promise<T>, { budget = 20_000 } = {}): Promise<T> {
  const db = openDb({ url, name: 'kurs-keys', max: 1, budget });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Throws a `ConfigError` with instructions for a PostgreSQL that is too old, and for a database that another version began.
 * Called before keys are compared and before anything is changed.
 */
export async function requireServable(url: string, config: Where): Promise<void> {
  await requirePostgres(url);
  if (await over(url, isOfOtherVersion)) throw new ConfigError(otherVersion(config));
}

/**
 * Throws the same `ConfigError` for an embedded database that isn't running; it is started for the check and stopped again. Does
 * nothing if it can't be opened.
 */
export async function requireServableStopped(config: Where): Promise<void> {
  if (await overStopped(config.KURS_DATA, isOfOtherVersion)) throw new ConfigError(otherVersion(config));
}

/** Runs `work` on the embedded database that isn't running; undefined if it can't be opened. */
async function overStopped<T>(folder: string, work: (db: Db) => Promise<T>): Promise<T | undefined> {
  const place = await placeCluster(folder);
  const { directory } = place;
  const canOpen = namesOf(folder).includes('postgres.password') && existsSync(join(directory, 'PG_VERSION'));
  if (!canOpen || (await runningPid(directory)) !== undefined) return undefined;
  const password = secret(folder, 'postgres.password');
  try {
    const { port, keeper } = await onFreePort(async (free) => ({
      port: free,
      keeper: await runPostgres({ place, port: free, settings: {} }),
    }));
    try {
      return await over(clusterUrl(directory, port, { password, database: 'kurs' }), work);
    } finally {
      const ended = once(keeper, 'exit');
      keeper.disconnect();
      await ended;
    }
  } catch {
    // The files don't fit this PostgreSQL, or have another password: only the keys can be checked.
    return undefined;
  }
}

const otherVersion = ({ KURS_DATA: folder, KURS_MODE: mode }: Where): string =>
  mode === 'sandbox'
    ? `Another version of Kurs made this sandbox's data, and this version can't read it. Nothing was made or changed.
Nothing of it is real money. Begin anew: remove ${folder} (with your own DATABASE_URL also that database) and start again.
To keep the data, return this clone to the commit that made it and start that: \`git reflog\` lists the commits that it was at.

Данные этой песочницы созданы другой версией Kurs, и эта версия их не прочтёт. Ничего не изменено.
Настоящих денег в ней нет. Начните заново: удалите ${folder} (а если задан DATABASE_URL, то и ту базу) и запустите снова.`
    : `Another version of Kurs made this database, and this version can't read it. Nothing was made or changed.
Return this clone to the commit that made it (\`git reflog\` lists the commits that it was at), start that and pay out what is owed.
Then begin anew with an empty database and another KURS_DATA.

Эта база создана другой версией Kurs, и эта версия её не прочтёт. Ничего не изменено.
Верните копию репозитория к коммиту, который её создал (прежние коммиты покажет \`git reflog\`), и запустите.
Потом выплатите всё, что должны. Затем начните заново с пустой базой и другой папкой данных.`;
