// The embedded database of an installation: its cluster, its roles and the addresses the processes use.
//
// kurs        superuser, used here only
// kurs_app    owns the database; what API and worker connect as
// kurs_signer what the signer reads payouts as; rooms grant it single tables

import { once } from 'node:events';
import pg from 'pg';
import {
  clusterUrl,
  ConfigError,
  createCluster,
  keepPostgres,
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
import { type Owner, closedCluster, ownerNote, requireKeys, requireSameKeys } from './first-start.ts';

export type PreparedDatabase = {
  place: ClusterPlace;
  settings: Record<string, string>;
  /** Waits for the server on the port, then makes the roles and the database unless they exist; gives their addresses. */
  connect(port: number): Promise<DatabaseAddresses>;
};

/** Where API and worker connect, and where the signer does. */
type DatabaseAddresses = { url: string; signerUrl: string };

const SETTINGS = {
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  max_connections: '150',
  random_page_cost: '1.1',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
};

/**
 * Makes the cluster at the first start, which takes seconds, and gives what is needed to run and reach it. The keys have to be
 * there (see requireKeys).
 */
export async function prepareDatabase(config: Config): Promise<PreparedDatabase> {
  const folder = config.KURS_DATA;
  const place = await placeCluster(folder);
  const password = secret(folder, 'postgres.password');
  const note = ownerNote(folder, place);
  const isNew = await createCluster(place, password);
  if (isNew && note !== undefined) replaceFile(note, JSON.stringify({ folder, mode: config.KURS_MODE } satisfies Owner));
  const login = { app: secret(folder, 'database.password'), signer: secret(folder, 'signer-database.password') };
  return {
    place,
    settings: SETTINGS,
    async connect(port) {
      const urlOf = (user: string, own: string): string =>
        clusterUrl(place.directory, port, { user, password: own, database: 'kurs' });
      const admin = clusterUrl(place.directory, port, { password });
      await waitForPostgres(admin, 60_000).catch((error: unknown) => {
        throw isWrongPassword(error) ? new ConfigError(closedCluster(folder, place.directory)) : error;
      });
      if (await hasDatabase(admin))
        await requireSameKeys(clusterUrl(place.directory, port, { password, database: 'kurs' }), folder);
      await createRoles(admin, { kurs_app: login.app, kurs_signer: login.signer });
      return { url: urlOf('kurs_app', login.app), signerUrl: urlOf('kurs_signer', login.signer) };
    },
  };
}

/** invalid_password (postgresql.org, Appendix A). */
const isWrongPassword = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '28P01';

async function hasDatabase(admin: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    return (await client.query(`select from pg_database where datname = 'kurs'`)).rowCount === 1;
  } finally {
    await client.end();
  }
}

/** The running database's address for whoever may read the folder's secrets. */
function runningUrl(folder: string, { cluster, ports }: RunNote): string | undefined {
  const port = ports['postgres'];
  if (cluster === undefined || port === undefined) return undefined;
  return clusterUrl(cluster, port, { user: 'kurs_app', password: secret(folder, 'database.password'), database: 'kurs' });
}

async function createRoles(admin: string, roles: Record<string, string>): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    for (const [role, password] of Object.entries(roles)) {
      const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      const verb = known.rowCount ? 'alter' : 'create';
      await client.query(`${verb} role ${role} login noinherit password ${client.escapeLiteral(password)}`);
    }
    const database = await client.query(`select 1 from pg_database where datname = 'kurs'`);
    if (!database.rowCount) await client.query('create database kurs owner kurs_app');
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` with the address of the installation's database: the outside one, the embedded one that runs, or the
 * embedded one started for as long as the work takes. Throws a ConfigError where the keys are not the database's.
 */
export async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL) {
    await requireKeys(config);
    await requireSameKeys(config.DATABASE_URL, config.KURS_DATA);
    return work(config.DATABASE_URL);
  }
  const note = readRunNote(config.KURS_DATA);
  const running = note && runningUrl(config.KURS_DATA, note);
  if (running !== undefined) return work(running);
  const release = takeFolder(config.KURS_DATA);
  await requireKeys(config).catch((error: unknown) => {
    release();
    throw error;
  });
  const { place, settings, connect } = await prepareDatabase(config);
  const { port, keeper } = await onFreePort(async (free) => ({
    port: free,
    keeper: await keepPostgres({ place, port: free, settings }),
  }));
  try {
    return await work((await connect(port)).url);
  } finally {
    const ended = once(keeper, 'exit');
    keeper.disconnect();
    await ended;
    release();
  }
}
