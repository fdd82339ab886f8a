// The database of an installation: the operator's own, or the embedded one with its cluster. The embedded one's superuser is
// kurs, used here only; database-roles.ts has the other roles.

import { once } from 'node:events';
import pg from 'pg';
import {
  clusterUrl,
  ConfigError,
  createCluster,
  knownFingerprints,
  runPostgres,
  log,
  onFreePort,
  placeCluster,
  readRunNote,
  replaceFile,
  secret,
  takeFolder,
  waitForPostgres,
  type RunNote,
  type ClusterPlace,
  type Config,
} from '../platform/index.ts';
import { type DatabaseAddresses, createDatabase, on, ownAddresses, passwordOf } from './database-roles.ts';
import { type Owner, closedCluster, ownerNote, requireKeys, requireSameKeys } from './first-start.ts';
import { over, requireServable } from './older-version.ts';
import { addressOf, requireNeeded } from './one-role.ts';

export type PreparedDatabase = {
  place: ClusterPlace;
  settings: Record<string, string>;
  /** Waits for the server on the port, creates the roles and the database unless they exist, and returns the addresses. */
  connect(port: number): Promise<DatabaseAddresses>;
};

const SETTINGS = {
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  max_connections: '150',
  random_page_cost: '1.1',
  // All statements are short: compiling them costs more than it saves.
  jit: 'off',
};

/**
 * Creates the cluster at the first start, which takes seconds, and returns what is needed to run it and to connect. The keys must
 * exist (see requireKeys).
 */
export async function prepareDatabase(config: Config): Promise<PreparedDatabase> {
  const folder = config.KURS_DATA;
  const place = await placeCluster(folder);
  const password = secret(folder, 'postgres.password');
  const note = ownerNote(folder, place);
  const isNew = await createCluster(place, password);
  if (isNew && note !== undefined) replaceFile(note, JSON.stringify({ folder, mode: config.KURS_MODE } satisfies Owner));
  return {
    place,
    settings: SETTINGS,
    async connect(port) {
      const admin = clusterUrl(place.directory, port, { password });
      await waitForPostgres(admin, 60_000).catch((error: unknown) => {
        throw isWrongPassword(error) ? new ConfigError(closedCluster(folder, place.directory)) : error;
      });
      const ofDatabase = clusterUrl(place.directory, port, { password, database: 'kurs' });
      if (await hasDatabase(admin)) {
        await requireServable(ofDatabase, config);
        await requireSameKeys(ofDatabase, config);
      }
      await createDatabase(admin, ofDatabase, folder);
      return embeddedAddresses(place.directory, port, folder);
    },
  };
}

/** The code invalid_password (postgresql.org, Appendix A). */
const isWrongPassword = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '28P01';

const hasDatabase = (admin: string): Promise<boolean> =>
  on(admin, async (client) => (await client.query(`select from pg_database where datname = 'kurs'`)).rowCount === 1);

/** Returns the addresses in the embedded cluster, with passwords from the folder of keys. */
function embeddedAddresses(directory: string, port: number, folder: string): DatabaseAddresses {
  const login = (user: 'kurs_app' | 'kurs_signer'): string =>
    clusterUrl(directory, port, { user, password: passwordOf(folder, user), database: 'kurs' });
  const superuser = clusterUrl(directory, port, { password: secret(folder, 'postgres.password'), database: 'kurs' });
  return {
    ownerUrl: `${superuser}?options=${encodeURIComponent('-c role=kurs_owner')}`,
    url: login('kurs_app'),
    signerUrl: login('kurs_signer'),
  };
}

/** Returns the addresses of the running embedded database, from run.json. */
function runningAddresses(folder: string, { cluster, ports }: RunNote): DatabaseAddresses | undefined {
  const port = ports['postgres'];
  return cluster === undefined || port === undefined ? undefined : embeddedAddresses(cluster, port, folder);
}

/**
 * Runs `work` with the addresses of the installation's database, for the application and for the owner. It uses the operator's
 * own database, the running embedded one, or starts the embedded one for this work. On a machine with one role: that role's
 * database. Throws a `ConfigError` if another version began the database, or if the keys are not the database's.
 */
export async function withDatabase<T>(config: Config, work: (url: string, ownerUrl: string) => Promise<T>): Promise<T> {
  if (config.KURS_ROLE !== 'all') {
    const url = addressOf(config.KURS_ROLE, config);
    await requireServable(url, config);
    requireNeeded(config.KURS_ROLE, config.KURS_DATA, await over(url, knownFingerprints));
    return work(url, config.DATABASE_URL);
  }
  if (config.DATABASE_URL) {
    await requireKeys(config);
    await requireSameKeys(config.DATABASE_URL, config);
    const { url, ownerUrl } = await ownAddresses(config, (words) => log.warn(words));
    return work(url, ownerUrl);
  }
  const note = readRunNote(config.KURS_DATA);
  const running = note && runningAddresses(config.KURS_DATA, note);
  if (running !== undefined) {
    await requireServable(running.ownerUrl, config);
    return work(running.url, running.ownerUrl);
  }
  const release = takeFolder(config.KURS_DATA);
  await requireKeys(config).catch((error: unknown) => {
    release();
    throw error;
  });
  const { place, settings, connect } = await prepareDatabase(config);
  const { port, keeper } = await onFreePort(async (free) => ({
    port: free,
    keeper: await runPostgres({ place, port: free, settings }),
  }));
  try {
    const { url, ownerUrl } = await connect(port);
    return await work(url, ownerUrl);
  } finally {
    const ended = once(keeper, 'exit');
    keeper.disconnect();
    await ended;
    release();
  }
}
