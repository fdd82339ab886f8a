// Databases for tests: each a clone of one migrated template, on one embedded PostgreSQL per run.

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
import { clusterUrl, createCluster, keepPostgres, placeCluster, waitForPostgres } from './process/cluster.ts';
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
  /** As the product has it: for the role of the application, which may write rows and no more. */
  db: Db;
  /** As the database's owner, who is bound by nothing: to do what only an attacker or a migration would. */
  owner: Db;
  /** The address of the database for the application's role, for a second Db or another process. */
  url: string;
  ownerUrl: string;
  /** Closes `db` and removes the database. */
  drop(): Promise<void>;
};

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/kurs', import.meta.url));
// A power cut may take what tests wrote.
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
/** The template on it: its name is read from all migrations. */
let template: Promise<string> | undefined;

/** The key of MACs, and of what is stored of secrets, that every test has. */
export const testMacKeys: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.alloc(32, 9)]]);
configureMacs(testMacKeys);
configureSecretHashes(testMacKeys);

/** Seals with a key that every test has. */
export const testSealer = openSealer(new Map([[1, Buffer.alloc(32, 7)]]), 'tests');

const PATIENT_MS = 20_000;

/**
 * A fresh, migrated, empty database. Uses the server of KURS_TEST_DATABASE_URL, else starts one that ends with this
 * process. `budget` is that of openDb: 20 s here, so that a busy machine doesn't fail a test.
 */
export async function testDb({ budget = PATIENT_MS, max = 10 } = {}): Promise<TestDb> {
  // A file that ran in this process before may have had others.
  configureMacs(testMacKeys);
  configureSecretHashes(testMacKeys);
  server ??= testServer();
  const admin = await server;
  template ??= ensureTemplate(admin);
  const name = newName();
  // Copied as files: through the log, which is the default, it takes several times the work.
  await administrate(admin, `create database ${name} template ${await template} strategy file_copy`);
  return open(admin, name, { budget, max });
}

/**
 * Copies a database as it is now, as a backup does, and gives it opened anew beside its copy: while it is copied nobody may be
 * connected, so what was given before is closed.
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
  // A test that says how long it waits is about what happens then.
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

/** A file system in memory. Where it has room, tests' data lie there: ext4 takes longest to make and remove their files. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

async function hasRoom(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ROOM_BYTES;
}

/** Starts a PostgreSQL for tests: data in a copy of a cached, freshly made cluster; gone when this process ends. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const password = 'test';
  const base = await placeCluster(CACHE);
  const fresh = { ...base, directory: `${base.directory}-18-fresh` };
  await createCluster(fresh, password, ['--wal-segsize=1', '--no-sync']).catch(async (error: unknown) => {
    // Another run made it at the same time.
    if (await createCluster(fresh, password)) throw error;
  });
  const root = (await hasRoom(MEMORY)) ? join(MEMORY, 'kurs-test') : base.directory;
  const { directory, port, keeper } = await onFreePort(async (free) => {
    const place = { ...base, directory: `${root}-${process.pid}-${randomBytes(3).toString('hex')}` };
    await promisify(execFile)('cp', ['-a', fresh.directory, place.directory]);
    const request = { place, port: free, settings: SETTINGS, discard: true };
    return { directory: place.directory, port: free, keeper: await keepPostgres(request, 'inherit') };
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

/** Makes the migrated template of this checkout's migrations unless it is there, and gives its name. */
export async function ensureTemplate(admin: string): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations()) hash.update(migration.hash);
  const name = `template_${hash.digest('hex').slice(0, 12)}`;
  const isReady = `select 1 from pg_database where datname = '${name}' and datistemplate`;
  if ((await administrate(admin, isReady)) > 0) return name;
  try {
    await administrate(admin, `create database ${name}`);
  } catch (error) {
    // Another process is making it.
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

/** The session of this process at each server that databases are made by: a new one costs as much as a database does. */
const sessions = new Map<string, pg.Pool>();

async function administrate(admin: string, sql: string): Promise<number> {
  return (await sessionAt(admin).query(sql)).rowCount ?? 0;
}

function sessionAt(admin: string): pg.Pool {
  const known = sessions.get(admin);
  if (known) return known;
  // What is open and asks nothing keeps no process alive.
  const one = new pg.Pool({ connectionString: admin, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server may end before this process does.
  one.on('error', () => {});
  sessions.set(admin, one);
  return one;
}

/** An address at which every session is a role's. */
export const asRole = (url: string, role: string): string => `${url}?options=${encodeURIComponent(`-c role=${role}`)}`;

function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs what must be refused; gives the problem's code, and of a field its own. */
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

/** The limits of a context that stop nobody. */
export const freely = { limit: uncounted, limitNetwork: uncounted, limitDevice: uncounted };

/** Limits that hold, counted by a limiter of their own; of networks for the one that is named. */
export function counting(network = ''): Pick<Context, 'limit' | 'limitNetwork' | 'limitDevice'> {
  const limiter = createLimiter();
  return {
    limit: async (key, limit) => limiter.take(key, limit),
    limitNetwork: async (key, limit) => limiter.take(`network ${network} ${key}`, limit),
    limitDevice: async (key, limit) => limiter.take(`device ${key}`, limit),
  };
}
