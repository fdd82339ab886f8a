// The supervisor: `npm start`. Starts PostgreSQL, the sandbox, the signer, the api, the console and the worker, restarts them when
// they end, and stops them in the opposite order. With KURS_ROLE it starts only one of these.
//
// A child is a file in this folder. It gets its settings from the environment (platform/config.ts), reports "ready" over its
// channel, and ends when the channel closes.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ConfigError,
  configureLog,
  keepRunNote,
  freePort,
  isFree,
  superviseChild,
  loadConfig,
  onFreePort,
  migrate,
  onlyKeysIn,
  openDb,
  takeFolder,
  trimLog,
  unknownVariables,
  wallClock,
  type Child,
  type Config,
  type KeeperRequest,
  type RunNote,
} from '../platform/index.ts';
import {
  type DatabaseAddresses,
  ownAddresses,
  prepareDatabase,
  letKnow,
  requireKeys,
  requireSameKeys,
  type OneRole,
  keysOf,
  readyAddress,
  refusedBySettings,
  restoredWords,
} from '../supervisor/index.ts';
import { runCommand } from '../terminal/index.ts';

type Environment = Record<string, string | undefined>;

const say = (words: string): void => void process.stdout.write(`${words}\n`);
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  const environment: Environment = { ...process.env };
  // The ports must be known before the children read our addresses.
  const isAnyPort = environment['PORT']?.trim() === '0';
  if (isAnyPort) environment['PORT'] = String(await freePort());
  if (environment['CONSOLE_PORT']?.trim() === '0' || (isAnyPort && !environment['CONSOLE_PORT']?.trim()))
    environment['CONSOLE_PORT'] = String(await freePort());
  const config = loadConfig(environment);
  for (const name of unknownVariables(environment)) say(`${name} is no known variable. npm run config lists them.`);
  const release = takeFolder(config.KURS_DATA);
  const logFile = join(config.KURS_DATA, 'log/supervisor.log');
  configureLog({ level: config.KURS_LOG, fields: { process: 'supervisor' }, file: logFile });
  const supervisor = createSupervisor(config, [logFile]);
  stopOnSignal(supervisor, release);
  try {
    if (isServing(config)) await requireFree(config.HOST, 'PORT', config.PORT);
    if (hasConsole(config)) await requireFree(config.CONSOLE_HOST, 'CONSOLE_PORT', config.CONSOLE_PORT);
    if (config.KURS_ROLE === 'all') await startAll(config, environment, supervisor);
    else await startOne(config.KURS_ROLE, config, environment, supervisor);
    say(isServing(config) ? `\n${config.BASE_URL}\n` : `\nThe ${config.KURS_ROLE} runs.\n`);
  } catch (error) {
    await supervisor.stop();
    release();
    throw error;
  }
}

/** True if this machine serves the site. */
const isServing = ({ KURS_ROLE: role }: Config): boolean => role === 'all' || role === 'api';

/** True if this machine serves the operator's console. */
const hasConsole = ({ KURS_ROLE: role }: Config): boolean => role === 'all' || role === 'console';

async function startAll(config: Config, environment: Environment, supervisor: Supervisor): Promise<void> {
  const isSandbox = config.KURS_MODE === 'sandbox';
  await requireKeys(config);
  Object.assign(environment, {
    ...addresses(config),
    KURS_DATA: config.KURS_DATA,
    KURS_SIGNER_SOCKET: join(config.KURS_DATA, 'signer.sock'),
    // The owner's address isn't passed on, so that no child has the owner's rights.
    ...{ DATABASE_URL: '', KURS_APP_DATABASE_URL: '', KURS_SIGNER_DATABASE_URL: '' },
    ...(isSandbox && (await sandboxPorts(supervisor))),
  });

  say(`Kurs, ${config.KURS_MODE}, data in ${config.KURS_DATA}`);
  // Start nothing else before the database: a sandbox would change its own files.
  const { ownerUrl, url, signerUrl } = await startDatabase(config, environment, supervisor);
  const sandbox = isSandbox ? supervisor.start('sandbox', '../../sandbox/main.ts', environment, [], SMALL) : undefined;
  Object.assign(environment, { DATABASE_URL: url, KURS_SIGNER_DATABASE_URL: signerUrl });
  await migrate(ownerUrl, config.KURS_MODE);
  const learnt = await letKnow(ownerUrl, config);
  if (learnt !== undefined) say(`  ${learnt}`);
  say('  database ready');

  if (sandbox) Object.assign(environment, (await sandbox.ready).environment);
  if (sandbox) say('  sandbox chains ready');
  await supervisor.start('signer', 'signer.ts', environment)?.ready;
  // The signer has published the seed's public keys; their fingerprints are stored for comparing other machines.
  await letKnow(ownerUrl, config);
  await seedIfNew(environment);
  // The worker starts after the api listens: an installation that can't answer people must not send money.
  await supervisor.start('api', 'api.ts', environment)?.ready;
  await supervisor.start('console', 'console.ts', environment)?.ready;
  await supervisor.start('worker', 'worker.ts', environment)?.ready;
  reportRefused(environment);
  await reportRestored(url, config);
}

/** Returns the ports and addresses for the children. */
const addresses = (config: Config): Environment => ({
  ...{ PORT: String(config.PORT), BASE_URL: config.BASE_URL, KURS_API_URL: config.KURS_API_URL },
  ...{ CONSOLE_PORT: String(config.CONSOLE_PORT), CONSOLE_URL: config.CONSOLE_URL },
});

/** Starts one process over a database that another machine has set up. */
async function startOne(role: OneRole, config: Config, environment: Environment, supervisor: Supervisor): Promise<void> {
  say(`Kurs, ${config.KURS_MODE}, the ${role} of ${config.KURS_MACHINE}, data in ${config.KURS_DATA}`);
  // The folder is needed for notes even if all keys are in the environment.
  mkdirSync(join(config.KURS_DATA, 'keys'), { recursive: true, mode: 0o700 });
  const url = await readyAddress(role, config, say);
  const isSigner = role === 'signer';
  Object.assign(environment, {
    ...addresses(config),
    KURS_DATA: config.KURS_DATA,
    // Pass on neither the owner's address nor another process's.
    ...{ DATABASE_URL: isSigner ? '' : url, KURS_APP_DATABASE_URL: '', KURS_SIGNER_DATABASE_URL: isSigner ? url : '' },
  });
  if (role === 'worker') await seedIfNew(environment);
  await supervisor.start(role, `${role}.ts`, environment)?.ready;
  if (isSigner) return;
  reportRefused(environment);
  await reportRestored(url, config);
}

function reportRefused(environment: Environment): void {
  for (const [rail, reason] of refusedBySettings(loadConfig(environment))) say(`  ${rail} is not set up: ${reason}`);
}

/** Prints that nothing is paid out, and why. */
async function reportRestored(url: string, config: Config): Promise<void> {
  const words = await restoredWords(url, config);
  if (words !== undefined) say(`\n${words}`);
}

/**
 * Starts the embedded PostgreSQL on a port that stays until the supervisor ends, or checks the configured database. Returns the
 * addresses for the roles.
 */
async function startDatabase(config: Config, environment: Environment, supervisor: Supervisor): Promise<DatabaseAddresses> {
  if (config.DATABASE_URL) {
    await requireSameKeys(config.DATABASE_URL, config);
    return ownAddresses(config, say);
  }
  const { place, settings, connect } = await prepareDatabase(config);
  const port = await onFreePort(async (free) => {
    supervisor.note({ cluster: place.directory, ports: { postgres: free } });
    const request: KeeperRequest = { place, port: free, settings };
    await supervisor.start('keeper', 'postgres.ts', environment, [JSON.stringify(request)])?.ready;
    return free;
  });
  return connect(port);
}

/**
 * Chooses the sandbox's ports. They stay after a restart of the sandbox, since other processes have its addresses in their
 * environment.
 */
async function sandboxPorts(supervisor: Supervisor): Promise<Environment> {
  const [site, control, smtp] = [await freePort(), await freePort(), await freePort()];
  supervisor.note({ ports: { sandbox: site, sandboxControl: control, sandboxMail: smtp } });
  return {
    KURS_SANDBOX_PORT: String(site),
    KURS_SANDBOX_CONTROL_PORT: String(control),
    KURS_SANDBOX_SMTP_PORT: String(smtp),
    KURS_SANDBOX_URL: `http://127.0.0.1:${site}`,
    KURS_SANDBOX_CONTROL_URL: `http://127.0.0.1:${control}`,
    SMTP_URL: process.env['SMTP_URL'] || `smtp://127.0.0.1:${smtp}`,
  };
}

/** Stores the initial data of a new installation; does nothing on an existing one. */
async function seedIfNew(environment: Environment): Promise<void> {
  const file = fileOf('seed.ts');
  if (!existsSync(file)) return;
  const { seed } = (await import(file)) as { seed: (config: Config, db: ReturnType<typeof openDb>) => Promise<void> };
  const config = loadConfig(environment);
  const db = openDb({ url: config.DATABASE_URL, name: 'kurs-seed', max: 2, budget: 60_000 });
  try {
    await seed(config, db);
  } finally {
    await db.close();
  }
}

type Supervisor = {
  /** Starts a child; returns undefined if its file doesn't exist. */
  start(name: string, path: string, environment: Environment, args?: string[], flags?: string[]): Child | undefined;
  note(part: Partial<Pick<RunNote, 'cluster' | 'ports'>>): void;
  /** Stops the children, the last started first. */
  stop(): Promise<void>;
  kill(): void;
};

/** Number of a process's ends that are stored with their time. */
const STORED_ENDS = 20;

/** Node's flags for the sandbox, whose speed doesn't matter: a quarter less memory. */
const SMALL = ['--max-semi-space-size=2', '--optimize-for-size'];

function createSupervisor(config: Config, logs: string[]): Supervisor {
  const children: Child[] = [];
  const note: RunNote = {
    pid: process.pid,
    address: config.BASE_URL,
    mode: config.KURS_MODE,
    ports: { ...(isServing(config) && { api: config.PORT }), ...(hasConsole(config) && { console: config.CONSOLE_PORT }) },
    pids: {},
  };
  const save = keepRunNote(config.KURS_DATA, note, say);
  const trimming = setInterval(() => logs.forEach(trimLog), 60_000);

  return {
    start(name, path, environment, args = [], flags = []) {
      const file = fileOf(path);
      if (!existsSync(file)) return undefined;
      const logFile = join(config.KURS_DATA, 'log', `${name}.log`);
      logs.push(logFile);
      const changed = (pids: Record<string, number>): void => {
        Object.assign(note.pids, pids);
        save();
      };
      const ended = (): void => {
        const before = note.ended?.[name] ?? [];
        note.ended = { ...note.ended, [name]: [...before, wallClock().toISOString()].slice(-STORED_ENDS) };
        save();
      };
      const own = onlyKeysIn(environment, keysOf(name));
      const child = superviseChild({ name, file, args, flags, environment: own, logFile, changed, ended, say });
      children.unshift(child);
      return child;
    },
    note({ cluster, ports }) {
      if (cluster !== undefined) note.cluster = cluster;
      Object.assign(note.ports, ports);
      save();
    },
    async stop() {
      clearInterval(trimming);
      for (const child of children) await child.stop();
    },
    kill: () => children.forEach((child) => child.kill()),
  };
}

function stopOnSignal(supervisor: Supervisor, release: () => void): void {
  let request = false;
  const stop = async (): Promise<void> => {
    // Second signal: end at once; PostgreSQL recovers at the next start.
    if (request) {
      supervisor.kill();
      process.exit(1);
    }
    request = true;
    say('stopping');
    await supervisor.stop();
    release();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  // A test that forked this process is gone.
  process.on('disconnect', () => void stop());
}

/** Throws a ConfigError if another program has our port. */
async function requireFree(host: string, name: 'PORT' | 'CONSOLE_PORT', port: number): Promise<void> {
  if (!(await isFree(port, host)))
    throw new ConfigError(`Port ${port} is taken. Give another one: ${name}=${port + 1} npm start`);
}

await runCommand(main);
if (process.exitCode === 1) process.exit();
