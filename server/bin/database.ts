// The embedded database of an installation: its cluster, its roles and the addresses the processes use.
//
// kurs        superuser, used here only
// kurs_app    owns the database; what API and worker connect as
// kurs_signer what the signer reads payouts as; rooms grant it single tables

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import {
  clusterUrl,
  createCluster,
  keepPostgres,
  onFreePort,
  placeCluster,
  readRunNote,
  secret,
  stopOrphan,
  takeFolder,
  waitForPostgres,
  type RunNote,
  type ClusterPlace,
  type Config,
} from '../platform/index.ts';

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

/** Makes the cluster at the first start, which takes seconds, and gives what is needed to run and reach it. */
export async function prepareDatabase(config: Config): Promise<PreparedDatabase> {
  const folder = config.KURS_DATA;
  const place = await placeCluster(folder);
  await requireOwnCluster(folder, place, config.KURS_MODE);
  const password = secret(folder, 'postgres.password');
  await createCluster(place, password);
  const login = { app: secret(folder, 'database.password'), signer: secret(folder, 'signer-database.password') };
  return {
    place,
    settings: SETTINGS,
    async connect(port) {
      const urlOf = (user: string, own: string): string =>
        clusterUrl(place.directory, port, { user, password: own, database: 'kurs' });
      const admin = clusterUrl(place.directory, port, { password });
      await waitForPostgres(admin, 60_000);
      await createRoles(admin, { kurs_app: login.app, kurs_signer: login.signer });
      return { url: urlOf('kurs_app', login.app), signerUrl: urlOf('kurs_signer', login.signer) };
    },
  };
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

/** A cluster that lies outside its data folder notes whose it is, in `<cluster>.owner`. */
type Owner = { mark: string; folder: string; mode: Config['KURS_MODE'] };

/**
 * A cluster outside the data folder (see placeCluster) outlives a removed folder, whose keys open it. An orphan is
 * put aside: removed in the sandbox, renamed in live mode.
 */
async function requireOwnCluster(folder: string, { directory }: ClusterPlace, mode: Config['KURS_MODE']): Promise<void> {
  if (directory.startsWith(folder)) return;
  const home = dirname(directory);
  await mkdir(home, { recursive: true });
  await removeForgotten(home);
  const note = `${directory}.owner`;
  const mark = secret(folder, 'cluster-mark', () => randomBytes(8).toString('hex'));
  const owner = await readOwner(note);
  if (owner?.mark === mark) return;
  if (owner?.mode === 'live') await rename(directory, `${directory}.of-${owner.mark}`).catch(() => {});
  else await removeCluster(directory);
  await writeFile(note, JSON.stringify({ mark, folder, mode } satisfies Owner));
}

/** Removes the clusters of sandboxes whose data folder is gone. */
async function removeForgotten(home: string): Promise<void> {
  for (const file of (await readdir(home)).filter((name) => name.endsWith('.owner'))) {
    const note = join(home, file);
    const owner = await readOwner(note);
    if (owner?.mode !== 'sandbox' || existsSync(owner.folder)) continue;
    await removeCluster(note.slice(0, -'.owner'.length));
    await rm(note, { force: true });
  }
}

async function removeCluster(directory: string): Promise<void> {
  await stopOrphan(directory);
  await rm(directory, { recursive: true, force: true });
}

const readOwner = async (note: string): Promise<Owner | undefined> =>
  readFile(note, 'utf8').then(
    (text) => JSON.parse(text) as Owner,
    () => undefined,
  );

/**
 * Runs `work` with the address of the installation's database: the outside one, the embedded one that runs, or the
 * embedded one started for as long as the work takes.
 */
export async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL) return work(config.DATABASE_URL);
  const note = readRunNote(config.KURS_DATA);
  const running = note && runningUrl(config.KURS_DATA, note);
  if (running !== undefined) return work(running);
  const release = takeFolder(config.KURS_DATA);
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
