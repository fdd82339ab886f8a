// Databases for tests. Each is a copy of a migrated template database, on one embedded PostgreSQL per test run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '@kurs/contract';
import pg from 'pg';
import { clusterUrl, createCluster, runPostgres, placeCluster, waitForPostgres } from './process/cluster.ts';
import { testDatabaseUrl } from './base/config.ts';
import type { Context } from './http/calls.ts';
import { openDb, type Db } from './db/db.ts';
import { type Counted, createLimiter } from './http/callers/limits.ts';
import { migrate, readMigrations } from './db/migrate.ts';
import { onFreePort } from './base/ports.ts';
import { configureMacs } from './secrets/macs.ts';
import { configureSecretHashes } from './secrets/secret-hashes.ts';
import { openSealer } from './secrets/secrets.ts';

export { apart, grownPages, pagesOf } from './db/pages.testing.ts';
export { answerWithin, prepare } from './http/calls.ts';
export { openIdempotency } from './http/idempotency.ts';

export type TestDb = {
  /** Database with the rights of the application's role. */
  db: Db;
  /** The same database with the rights of its owner's role, for statements that only an attacker or a migration would run. */
  owner: Db;
  /** Connection URL for the application's role, for a second `Db` or another process. */
  url: string;
  ownerUrl: string;
  /** Closes the connections of `db` and `owner`, and removes the database. */
  drop(): Promise<void>;
};

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/kurs', import.meta.url));
// Settings for speed: data of tests may be lost in a power cut.
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
  log_min_messages: 'panic',
  deadlock_timeout: '100ms',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

let server: Promise<string> | undefined;
/** Name of the template database, derived from all migrations. */
let template: Promise<string> | undefined;

/** Keys for MACs and for stored secrets in all tests. */
export const testMacKeys: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.alloc(32, 9)]]);
configureMacs(testMacKeys);
configureSecretHashes(testMacKeys);

/** Sealer for all tests. */
export const testSealer = openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'tests');

const PATIENT_MS = 20_000;

/**
 * Creates a migrated, empty database. Uses the server of KURS_TEST_DATABASE_URL; without it starts a server that ends with this
 * process. `budget`: as for `openDb`; 20 s by default, so that tests don't fail on a busy machine.
 */
export async function testDb({ budget = PATIENT_MS, max = 10 } = {}): Promise<TestDb> {
  // An earlier test in this process may have set other keys.
  configureMacs(testMacKeys);
  configureSecretHashes(testMacKeys);
  server ??= testServer();
  const admin = await server;
  template ??= ensureTemplate(admin);
  const name = newName();
  // `file_copy` copies the files. The default copies through the write-ahead log, which takes several times as long.
  await administrate(admin, `create database ${name} template ${await template} strategy file_copy`);
  return open(admin, name, { budget, max });
}

/**
 * Copies a database in its current state, as a backup does. PostgreSQL forbids connections to the original during the copy. So
 * this function closes `original`, and returns a new `TestDb` for the original database.
 */
export async function backUp(
  original: TestDb,
  { budget = PATIENT_MS, max = 10 } = {},
): Promise<{ readonly original: TestDb; readonly copy: TestDb }> {
  const admin = await (server ??= testServer());
  await Promise.all([original.db.close(), original.owner.close()]);
  const name = new URL(original.ownerUrl).pathname.slice(1);
  const copied = newName();
  await administrate(admin, `create database ${copied} template ${name} strategy file_copy`);
  return { original: open(admin, name, { budget, max }), copy: open(admin, copied, { budget, max }) };
}

const newName = (): string => `test_${process.pid}_${randomBytes(5).toString('hex')}`;

function open(admin: string, name: string, { budget, max }: { budget: number; max: number }): TestDb {
  const ownerUrl = databaseUrl(admin, name);
  const url = asRole(ownerUrl, 'kurs_app');
  // A test with a short budget tests the time limit, so its connections get no additional time.
  const patience = { budget, ...(budget >= PATIENT_MS && { connectMs: budget }) };
  const db = openDb({ url, name, max, ...patience });
  const owner = openDb({ url: ownerUrl, name, max: 2, ...patience });
  const drop = async (): Promise<void> => {
    await Promise.all([db.close(), owner.close()]);
    await administrate(admin, `drop database ${name} with (force)`);
  };
  return { db, owner, url, ownerUrl, drop };
}

async function testServer(): Promise<string> {
  return testDatabaseUrl() ?? (await startTestServer()).url;
}

/**
 * File system in memory. Clusters of tests are stored here if there is space, since creating and removing files takes long on
 * ext4.
 */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

async function hasRoom(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ROOM_BYTES;
}

/** Starts a PostgreSQL for tests, on a copy of a cached new cluster. The server ends with this process. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const password = 'test';
  const base = await placeCluster(CACHE);
  const fresh = { ...base, directory: `${base.directory}-18-fresh` };
  await createCluster(fresh, password, ['--wal-segsize=1', '--no-sync']).catch(async (error: unknown) => {
    // Another test run created the cluster at the same time.
    if (await createCluster(fresh, password)) throw error;
  });
  const root = (await hasRoom(MEMORY)) ? join(MEMORY, 'kurs-test') : base.directory;
  const { directory, port, keeper } = await onFreePort(async (free) => {
    const place = { ...base, directory: `${root}-${process.pid}-${randomBytes(3).toString('hex')}` };
    await promisify(execFile)('cp', ['-a', fresh.directory, place.directory]);
    const request = { place, port: free, settings: SETTINGS, mayDiscard: true };
    return { directory: place.directory, port: free, keeper: await runPostgres(request, 'inherit') };
  });
  keeper.unref();
  keeper.channel?.unref();
  const url = clusterUrl(directory, port, { password });
  await waitForPostgres(url);
  const stop = async (): Promise<void> => {
    const ended = once(keeper, 'exit');
    keeper.ref();
    keeper.disconnect();
    await ended;
  };
  return { url, stop };
}

/** Creates the template database with this checkout's migrations, unless it exists. Returns its name. */
export async function ensureTemplate(admin: string): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations()) hash.update(migration.hash);
  const name = `template_${hash.digest('hex').slice(0, 12)}`;
  const isReady = `select 1 from pg_database where datname = '${name}' and datistemplate`;
  if ((await administrate(admin, isReady)) > 0) return name;
  try {
    await administrate(admin, `create database ${name}`);
  } catch (error) {
    // Another process is creating the template database.
    for (let i = 0; i < 600; i++) {
      if ((await administrate(admin, isReady)) > 0) return name;
      await sleep(50);
    }
    throw error;
  }
  await migrate(databaseUrl(admin, name), 'sandbox').catch(async (error: unknown) => {
    await administrate(admin, `drop database ${name} with (force)`);
    throw error;
  });
  await administrate(admin, `alter database ${name} is_template true`);
  return name;
}

/** Open sessions by the server's URL. Sessions are reused, since opening one costs as much as creating a database. */
const sessions = new Map<string, pg.Pool>();

async function administrate(admin: string, sql: string): Promise<number> {
  return (await sessionAt(admin).query(sql)).rowCount ?? 0;
}

function sessionAt(admin: string): pg.Pool {
  const known = sessions.get(admin);
  if (known) return known;
  // An idle session doesn't keep the process alive.
  const one = new pg.Pool({ connectionString: admin, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // Ignores the session's error if the server ends before this process.
  one.on('error', () => {});
  sessions.set(admin, one);
  return one;
}

/** Returns a connection URL whose sessions have the given role. */
export const asRole = (url: string, role: string): string => `${url}?options=${encodeURIComponent(`-c role=${role}`)}`;

function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Runs a call that should be refused. Returns the code of its problem or, if the problem has fields, of the first field; `done`
 * if nothing was refused.
 */
export async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    const [field] = Object.values(error.details.errors ?? {});
    return field === undefined ? error.code : (Array.isArray(field) ? field[0] : field).code;
  }
  return 'done';
}

const uncounted = async (): Promise<Counted> => ({ undo: () => undefined });

/** Limits for a `Context` that never refuse. */
export const freely = { limit: uncounted, limitNetwork: uncounted, limitDevice: uncounted };

/** Limits for a `Context`, with a limiter of their own. `network`: the caller's network. */
export function counting(network = ''): Pick<Context, 'limit' | 'limitNetwork' | 'limitDevice'> {
  const limiter = createLimiter();
  return {
    limit: async (key, limit) => limiter.take(key, limit),
    limitNetwork: async (key, limit) => limiter.take(`network ${network} ${key}`, limit),
    limitDevice: async (key, limit) => limiter.take(`device ${key}`, limit),
  };
}
