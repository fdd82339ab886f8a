// Child processes: each is started with a channel, reports by it when it serves, and ends when the channel is closed. A child
// that dies is started again.

import { fork, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, closeSync, statSync, truncateSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../base/clock.ts';
import { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

/** Message of a child with a wrong configuration, sent before it ends. */
interface RefusedMessage {
  readonly refused: string;
}

/** Message of a child that serves. `environment`: variables for the children that are started after it. */
export type ReadyMessage = { ready: true; environment?: Record<string, string>; pids?: Record<string, number> };

export type ChildSpec = {
  name: string;
  /** The file to run. */
  file: string;
  args?: string[];
  /** Flags of Node in addition to those of all children. */
  flags?: string[];
  environment: Record<string, string | undefined>;
  /** File that its output goes to. */
  logFile: string;
  /** Called with process ids at each start, and whenever the child reports some. Must not throw. */
  changed: (pids: Record<string, number>) => void;
  /** Called when the child ended unexpectedly and is started again. */
  ended?: () => void;
  /** Prints a line on the terminal. */
  say: (words: string) => void;
};

export type Child = {
  /** Resolves when the child serves for the first time; rejects with a `ConfigError` if it can't start. */
  readonly ready: Promise<ReadyMessage>;
  /** Closes the channel, waits for the child to end, and kills it after `ms`. */
  stop(ms?: number): Promise<void>;
  /** Kills the child at once. */
  kill(): void;
};

const FIRST_TRIES = 5;
/** Time that a child must live to count as started well. After it the pauses between starts are short again. */
const SETTLED_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const LOG_BYTES = 20 * 1024 * 1024;
/**
 * Flags that save memory: a small young generation (three times 8 MB instead of 16), and two heaps of the C library for all
 * threads instead of eight. An api under load needs a third less memory with them.
 */
const NODE_FLAGS = ['--max-semi-space-size=8'];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
/** Cache of compiled files: with it a process starts in half the time. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/kurs/compiled', import.meta.url));

/**
 * Starts a child and restarts it until it is stopped. A child with a wrong configuration, or one that ends five times before it
 * serves, is given up. `settledMs`: life after which it counts as well started.
 */
export function superviseChild(spec: ChildSpec, { settledMs = SETTLED_MS }: { readonly settledMs?: number } = {}): Child {
  const { promise: ready, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  ready.catch(() => {});
  let current: ChildProcess | undefined;
  let stopping = false;
  let served = false;
  let deaths = 0;
  let early = 0;
  let refused: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended: () => void = () => {};

  const start = (): void => {
    const begin = monotonicMs();
    const child = launch(spec);
    current = child;
    spec.changed({ [spec.name]: child.pid ?? 0 });
    log.info('a process was started', { child: spec.name, pid: child.pid });
    child.on('message', (message: ReadyMessage | RefusedMessage) => {
      if ('refused' in message) return void (refused = message.refused);
      if (message.pids) spec.changed(message.pids);
      if (!message.ready) return;
      served = true;
      resolve(message);
    });
    child.on('error', () => {});
    child.once('exit', (code, signal) => {
      current = undefined;
      if (stopping) {
        log.info('a process was stopped', { child: spec.name, exit: code, signal });
        return ended();
      }
      deaths = monotonicMs() - begin > settledMs ? 1 : deaths + 1;
      early += 1;
      if (!served && refused !== undefined) return reject(new ConfigError(refused));
      if (!served && early >= FIRST_TRIES) return reject(new ConfigError(given(spec, signal ?? `code ${code}`)));
      const pause = pauseAfter(deaths);
      spec.ended?.();
      log.error('a process ended and is started again', { child: spec.name, exit: code, signal, deaths, ms: pause });
      if (served) spec.say(`${spec.name} ended (${signal ?? `code ${code}`}) and is started again`);
      timer = setTimeout(startAgain, pause);
    });
  };
  /** Starts the child again, and retries if that fails. A full disk or too many processes ends no other child, and passes. */
  const startAgain = (tries = 1): void => {
    try {
      start();
    } catch (error) {
      if (tries === 1) spec.say(`${spec.name} can’t be started: ${(error as Error).message}; it is tried again`);
      timer = setTimeout(startAgain, pauseAfter(deaths + tries), tries + 1);
    }
  };
  start();

  return {
    ready,
    kill: () => void current?.kill('SIGKILL'),
    async stop(ms = 10_000) {
      stopping = true;
      clearTimeout(timer);
      const child = current;
      if (!child) return;
      const gone = new Promise<void>((done) => (ended = done));
      if (child.connected) child.disconnect();
      const force = setTimeout(() => child.kill('SIGKILL'), ms);
      await gone;
      clearTimeout(force);
    },
  };
}

const given = ({ name, logFile }: ChildSpec, last: string): string =>
  `${name} can't start; its log: ${logFile}. It ended ${FIRST_TRIES} times before it was ready, the last time with ${last}.`;

const pauseAfter = (deaths: number): number => Math.min(LONGEST_PAUSE_MS, 100 * 2 ** (deaths - 1));

function launch({ file, args = [], flags = [], environment, logFile }: ChildSpec): ChildProcess {
  mkdirSync(dirname(logFile), { recursive: true });
  trimLog(logFile);
  const output = openSync(logFile, 'a', 0o640);
  try {
    // In a process group of its own: Ctrl-C in the terminal reaches the supervisor only, which stops the children in order. Flags
    // of this process's Node (a test runner's) are not passed on.
    return fork(file, args, {
      env: { ...FEW_HEAPS, NODE_COMPILE_CACHE: COMPILED, ...environment },
      execArgv: [...NODE_FLAGS, ...flags],
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
  } finally {
    closeSync(output);
  }
}

/** Limits a log to 20 MB, with one older part of that size. Writers append, so the file may be cut while they write. */
export function trimLog(path: string): void {
  try {
    if (statSync(path).size < LOG_BYTES) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // The file is missing, or there is no space for a copy: neither is a reason to stop.
  }
}

/**
 * For the child, before anything else: reports a configuration error to the parent instead of a stack trace. Any other error ends
 * the process, with the stack trace in its log.
 */
export function reportWhyAsChild(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException & { port?: number }) => {
    const taken = error.code === 'EADDRINUSE' && error.port !== undefined ? `Port ${error.port} is taken.` : undefined;
    const words = error instanceof ConfigError ? error.message : taken;
    process.stderr.write(`${words ?? error.stack ?? String(error)}\n`);
    if (words === undefined || !process.send) process.exit(1);
    process.send({ refused: words } satisfies RefusedMessage, () => process.exit(1));
  });
}

/**
 * For the child: reports to the parent that this process serves, and calls `stop` once when the channel closes or a signal asks
 * it to end. The process ends if that takes too long, or fails.
 */
export function serveAsChild(stop: () => Promise<void>, message: Omit<ReadyMessage, 'ready'> = {}): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), 9_000).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (process.send && !process.connected) end();
  process.send?.({ ready: true, ...message });
  // Flushed at the start: a killed process writes nothing at its end.
  flushCompileCache();
}
