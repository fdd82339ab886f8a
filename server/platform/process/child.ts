// Child processes: started with a channel, told by it when they serve, ended by closing it, started again when they die.

import { fork, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, closeSync, statSync, truncateSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../base/clock.ts';
import { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

/** Message of a child with a wrong configuration, before it ends. */
interface RefusedMessage {
  readonly refused: string;
}

/** What a child sends once it serves; `environment` is for the children after it. */
export type ReadyMessage = { ready: true; environment?: Record<string, string>; pids?: Record<string, number> };

export type ChildSpec = {
  name: string;
  /** The file to run. */
  file: string;
  args?: string[];
  /** Flags of Node beside those of every child. */
  flags?: string[];
  environment: Record<string, string | undefined>;
  /** Where its output goes. */
  logFile: string;
  /** Called at each start and death, with the process ids it told of; doesn't throw. */
  changed: (pids: Record<string, number>) => void;
  /** Called when it ended by itself and is started again. */
  ended?: () => void;
  /** A line for the terminal. */
  say: (words: string) => void;
};

export type Child = {
  /** Resolves when it serves for the first time; rejects with a ConfigError when it can't. */
  readonly ready: Promise<ReadyMessage>;
  /** Closes the channel, waits, and kills it after `ms`. */
  stop(ms?: number): Promise<void>;
  /** Kills it at once. */
  kill(): void;
};

const FIRST_TRIES = 5;
/** A child that lived this long had started well: the back-off begins anew. */
const SETTLED_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const LOG_BYTES = 20 * 1024 * 1024;
/**
 * Memory is given back early: the young generation stays small (three times 8 MB instead of 16), and threads share two
 * of the C library's heaps instead of fragmenting eight. An api under load holds a third less for it.
 */
const NODE_FLAGS = ['--max-semi-space-size=8'];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
/** What Node has made of our files: a process that starts again is there in half the time. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/kurs/compiled', import.meta.url));

/**
 * Starts a child and keeps it running until stopped. One that is set up wrongly, or that ends five times before it is ready, is
 * given up. `settledMs`: after so long it had started well.
 */
export function keepChild(spec: ChildSpec, { settledMs = SETTLED_MS }: { readonly settledMs?: number } = {}): Child {
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
  /** A disk without room, or a machine without a process to spare, ends no other child: it passes. */
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
    // A group of its own: Ctrl-C in the terminal reaches the supervisor only, which stops the children in order. Flags
    // of our own Node (a test runner's) aren't the child's.
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

/** Keeps a log and one older part, 20 MB each; writers append, so that it may be cut under them. */
export function trimLog(path: string): void {
  try {
    if (statSync(path).size < LOG_BYTES) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // Missing, or no space for a copy: the log isn't worth a stop.
  }
}

/**
 * The child's side, before anything else of it: tells the parent what this process is set up wrongly by, instead of a stack. Any
 * other error ends it with its stack in its log.
 */
export function tellWhyAsChild(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException & { port?: number }) => {
    const taken = error.code === 'EADDRINUSE' && error.port !== undefined ? `Port ${error.port} is taken.` : undefined;
    const words = error instanceof ConfigError ? error.message : taken;
    process.stderr.write(`${words ?? error.stack ?? String(error)}\n`);
    if (words === undefined || !process.send) process.exit(1);
    process.send({ refused: words } satisfies RefusedMessage, () => process.exit(1));
  });
}

/**
 * The child's side: tells the parent that this process serves, and calls `stop` once when the channel closes or a
 * signal asks to end. Anything unexpected ends the process, to be started again.
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
  // Now: anyone who is killed writes nothing at their end.
  flushCompileCache();
}
