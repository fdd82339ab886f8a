// Child processes. A child has an IPC channel to its parent. By this channel the child reports that it is ready to serve, and
// the child ends when the channel is closed. A child that dies is started again.

import { fork, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, closeSync, statSync, truncateSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../base/clock.ts';
import { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

/** Message that a child with a wrong configuration sends before it ends. */
interface RefusedMessage {
  readonly refused: string;
}

/** Message that a child sends once it is ready to serve. `environment`: variables for children that are started later. */
export type ReadyMessage = { ready: true; environment?: Record<string, string>; pids?: Record<string, number> };

export type ChildSpec = {
  name: string;
  /** The file to run. */
  file: string;
  args?: string[];
  /** Flags of Node for this child, in addition to those for all children. */
  flags?: string[];
  environment: Record<string, string | undefined>;
  /** Log file: the child's output is appended to it. */
  logFile: string;
  /** Called with process ids by name: at each start, and when the child reports further ids. Must not throw. */
  changed: (pids: Record<string, number>) => void;
  /** Called each time the child has ended unexpectedly and will be started again. */
  ended?: () => void;
  /** Prints a line on the terminal. */
  say: (words: string) => void;
};

export type Child = {
  /** Resolves when the child is ready to serve for the first time. Rejects with a `ConfigError` if the child can't start. */
  readonly ready: Promise<ReadyMessage>;
  /** Closes the channel and waits for the child to end. Kills it after `ms`. */
  stop(ms?: number): Promise<void>;
  /** Kills the child at once. */
  kill(): void;
};

const FIRST_TRIES = 5;
/**
 * Time in ms after which a child is regarded as stable. After the end of a stable child, pauses between restarts are short
 * again.
 */
const SETTLED_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const LOG_BYTES = 20 * 1024 * 1024;
/**
 * Settings that save memory. The young generation is small (three times 8 MB instead of 16). The C library has two heaps for
 * all threads instead of eight. With these settings, an api process under load needs a third less memory.
 */
const NODE_FLAGS = ['--max-semi-space-size=8'];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
/** Folder of Node's compile cache. With the cache a process starts in half the time. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/kurs/compiled', import.meta.url));

/**
 * Starts a child and restarts it until it is stopped. Gives up a child that was never ready to serve, if its configuration is
 * wrong or it has ended five times. `settledMs`: time after which a child is regarded as stable.
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
  /**
   * Starts the child again, and retries if that fails. The cause is usually temporary (a full disk, too many processes), so the
   * supervisor and the other children go on.
   */
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
    // `detached` gives the child its own process group. So Ctrl-C in the terminal reaches only the supervisor, which stops the
    // children in order. `execArgv` excludes the flags of this process's Node, such as those of a test runner.
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

/**
 * Limits a log file to 20 MB, and retains one older file of 20 MB. Processes only append to the file, so truncating it while
 * they write is safe.
 */
export function trimLog(path: string): void {
  try {
    if (statSync(path).size < LOG_BYTES) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // The file is missing, or there is no space for the copy. Neither is a reason to stop.
  }
}

/**
 * For a child, at the beginning of its code: reports a configuration error or a taken port to the parent, without a stack
 * trace. Any other uncaught error ends the process, with the stack trace in the log.
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
 * For a child: reports to the parent that this process is ready to serve. Calls `stop` once, when the channel closes or a
 * signal asks the process to end. The process then ends, even if `stop` fails or takes longer than 9 seconds.
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
  // Writes the compile cache now, since a killed process would write nothing at its end.
  flushCompileCache();
}
