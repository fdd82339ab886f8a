import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient, httpTransport } from '@kurs/contract/client';

/** Options of a system: data folder that outlives it, port, additional environment variables. */
export interface StartOptions {
  readonly data?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** True if payouts are off at the start, so that directions are closed for this reason. */
  readonly isPaused?: boolean;
}

export type ProcessName = 'api' | 'console' | 'worker' | 'signer' | 'sandbox' | 'postgres';

/** Content of `run.json` of a running system. */
export interface RunNote {
  readonly pid: number;
  readonly address: string;
  readonly cluster: string;
  readonly ports: Readonly<Record<'api' | 'console' | 'postgres' | 'sandbox' | 'sandboxControl' | 'sandboxMail', number>>;
  readonly pids: Readonly<Record<ProcessName | 'keeper', number>>;
}

/** Exit code and output of a process. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Supervisor of one system, started like `npm start`, with its own port and folder. */
export interface Launch {
  readonly url: string;
  /** URL of the operator's console. */
  readonly consoleUrl: string;
  readonly data: string;
  readonly ended: Promise<Ended>;
  /** Returns the output so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
}

/** Running product. */
export interface System extends Launch {
  /** Client id of the product's site. */
  readonly clientId: string;
  client(locale?: 'en' | 'ru'): Client;
  run(): Promise<RunNote>;
  /** Sends SIGKILL to a process, which the supervisor restarts. Returns the id of the killed process. */
  kill(name: ProcessName): Promise<number>;
  /** Runs `node server/bin/<file>` for this installation, as its operator would. */
  tool(file: string, ...args: readonly string[]): Promise<Ended>;
  /** Stops the system and removes its folder, unless the folder was given or KEEP_JOURNEYS is set (to read its logs). */
  stop(): Promise<void>;
}

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Longest wait for a start, in ms. On a busy machine a start has taken more than two minutes. */
const FIRST_START_MS = 240_000;
const STOP_MS = 20_000;

/** Creates a temporary folder that PostgreSQL's user can read too. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kurs-journey-'));
  await chmod(folder, 0o755);
  return folder;
}

/**
 * Starts the supervisor and waits only for its address, which is empty if the supervisor ended before it had one. The IPC channel
 * ends the supervisor together with this process, however this process ends.
 */
export async function launch(options: StartOptions & { readonly data: string }): Promise<Launch & { child: ChildProcess }> {
  const { data, env, port = 0 } = options;
  const child = spawn(process.execPath, ['server/bin/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, KURS_DATA: data, PORT: `${port}`, SANDBOX_BLOCK_MS: '100', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const printed = collect(child);
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output: printed() })));
  return {
    child,
    ...(await addressesOf(child, data)),
    data,
    ended,
    output: printed,
    signal: (signal) => void child.kill(signal),
  };
}

/** Returns the URLs that a supervisor announces in `run.json` before it serves. Empty if the supervisor ended before. */
async function addressesOf(child: ChildProcess, data: string): Promise<Pick<Launch, 'url' | 'consoleUrl'>> {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  for (;;) {
    const note = await noteOf(data).catch(() => undefined);
    if (note && note.pid === child.pid) return { url: at(note.ports.api), consoleUrl: at(note.ports.console) };
    if (child.exitCode !== null || child.signalCode !== null) return { url: '', consoleUrl: '' };
    await pause(10);
  }
}

const noteOf = async (data: string): Promise<RunNote> => JSON.parse(await readFile(join(data, 'run.json'), 'utf8')) as RunNote;

/** True if a direction is open or was switched off by people, so that no start has to wait for it. */
export const isReady = ({ open, reason }: { readonly open: boolean; readonly reason?: string | undefined }): boolean =>
  open || reason === 'switched_off';

/**
 * Starts a system and waits until it serves and every direction that is on is open, so that rates and reserves have been read.
 */
export async function startSystem(options: StartOptions = {}): Promise<System> {
  const data = options.data ?? (await freshFolder());
  const started = await launch({ ...options, data });
  const { child, url, output, ended } = started;
  await until('the system to serve', FIRST_START_MS, async () => {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
    const response = await fetch(`${url}/api/v1/calculation/directions`).catch(() => undefined);
    if (!response?.ok) return false;
    const { data: offered } = (await response.json()) as { data: { directions: { open: boolean; reason?: string }[] } };
    return offered.directions.every((one) => isReady(one) || (options.isPaused === true && one.reason === 'payouts_off'));
  }).catch(async (error: unknown) => {
    await end(child, ended);
    throw new Error(`${String(error)}:\n${output()}\n${await logsOf(data)}`, { cause: error });
  });
  const run = (): Promise<RunNote> => noteOf(data);
  const clientId = options.env?.['KURS_SITE_CLIENT'] ?? 'web';
  return {
    ...started,
    clientId,
    run,
    client: (locale = 'en') => createClient(httpTransport({ base: url, clientId, locale: () => locale })),
    kill: async (name) => {
      const pid = (await run()).pids[name];
      process.kill(pid, 'SIGKILL');
      return pid;
    },
    tool: (file, ...args) => toolIn(data, file, ...args),
    stop: async () => {
      await end(child, ended);
      if (options.data === undefined && !process.env['KEEP_JOURNEYS']) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Creates the keys of an empty folder from the words of a seed on standard input. */
export async function initialiseFromWords(data: string, typed: string): Promise<Ended> {
  const child = spawn(process.execPath, ['server/bin/init.ts', '--words'], {
    cwd: ROOT,
    env: { ...process.env, KURS_DATA: data },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  child.stdin.end(typed);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output: printed() };
}

/** Creates the keys of an installation for real money as an operator does, and confirms the words that the tool asks for. */
export async function initialise(data: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, ['server/bin/init.ts'], {
    cwd: ROOT,
    env: { ...process.env, KURS_DATA: data, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const printed = collect(child);
  child.stdout.on('data', () => {
    const [, at] = /Word (\d+): $/.exec(printed()) ?? [];
    const [, word] = new RegExp(` {2}${at} ([a-z]+)`).exec(printed()) ?? [];
    if (at !== undefined) child.stdin.write(`${word}\n`);
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code !== 0) throw new Error(`The keys were not made:\n${printed()}`);
}

/** Returns the end of the log of each process of an installation. */
async function logsOf(data: string): Promise<string> {
  const names = await readdir(join(data, 'log')).catch(() => []);
  const texts = names.map(async (name) => `${name}: ${(await readFile(join(data, 'log', name), 'utf8')).slice(-2_000)}`);
  return (await Promise.all(texts)).join('\n');
}

/** Runs `node server/bin/<file>` for a folder with or without a running system. */
export function toolIn(data: string, file: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [`server/bin/${file}`, ...args], {
    cwd: ROOT,
    env: { ...process.env, KURS_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: printed() }));
  });
}

function collect(child: ChildProcess): () => string {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return () => printed;
}

async function end(child: ChildProcess, ended: Promise<Ended>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const late = pause(STOP_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
  await Promise.race([ended, late]);
  await ended;
}

/** Calls `ask` until its result is truthy, and returns it. Throws an error with `words` after the given time. */
export async function until<T>(
  words: string,
  milliseconds: number,
  ask: () => Promise<T | undefined | false>,
  everyMs = 100,
): Promise<T> {
  const last = performance.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > last) throw new Error(`Waited ${milliseconds} ms for ${words}`);
    await pause(everyMs);
  }
}
