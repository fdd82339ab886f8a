// Loops that poll for due work, with or without a notification.

import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';
import { reasonOf } from './redact.ts';

export type Sweeper = {
  /** Begins the next turn now, or right after the running one, but at least `calmMs` after the end of the last. */
  wake(): void;
  /** Stops the loop: waits for the running turn and begins no other. */
  stop(): Promise<void>;
};

/** Longest pause after errors. Once the database is back, work resumes within this time. */
const LONGEST_PAUSE_MS = 5_000;

/** Longest time of a turn, unless its loop sets another. */
const WITHIN_MS = 300_000;
/** Time for which an unavailable database must last before loops are reported for it: it fails all loops at once. */
const AWAY_MS = 60_000;
/** Shortest time for which a loop that failed twice counts as in trouble, so that a poll sees it even if it works again. */
const SEEN_MS = 15_000;
/**
 * Time for which a loop must be late before it is reported. After a process was suspended, all of its loops are late for a
 * moment.
 */
const LATE_MS = 5_000;

/** Health of a loop. Times are `monotonicMs`. */
interface Health {
  readonly name: string;
  /**
   * Longest time of a turn before it is overdue (`withinMs`), and longest time between the ends of two turns: a pause and a turn
   * (`dueMs`).
   */
  readonly withinMs: number;
  readonly dueMs: number;
  /** Begin of the running turn. */
  begunAt: number | undefined;
  /** End of the last turn, and end of the last successful turn. */
  endedAt: number;
  workedAt: number;
  /** Failures in a row. */
  failures: number;
  error: unknown;
  /** Time until which the loop counts as in trouble, even if it works again. */
  troubledUntil: number;
  lateSince: number | undefined;
}

/** Running loops of this process. */
const loops = new Set<Health>();

/** A loop that has failed twice in a row, or whose turn is overdue. */
export interface LoopTrouble {
  readonly name: string;
  /** One sentence for people. */
  readonly words: string;
}

/** Returns the loops of this process that are in trouble. Poll it every few seconds. */
export function loopTroubles(now = monotonicMs()): LoopTrouble[] {
  return [...loops].flatMap((loop) => {
    const words = troubleOf(loop, now);
    return words === undefined ? [] : [{ name: loop.name, words }];
  });
}

function troubleOf(loop: Health, now: number): string | undefined {
  const { name, failures, error, workedAt, endedAt, begunAt, withinMs, dueMs } = loop;
  const isReported = isAway(error) ? failures > 1 && now - workedAt >= AWAY_MS : failures > 1 || now < loop.troubledUntil;
  if (isReported)
    return `The loop ${name} has failed ${failures > 1 ? `${failures} times` : 'twice'} in a row: ${reasonOf(error)}`;
  const isLate = now - endedAt > dueMs || (begunAt !== undefined && now - begunAt > withinMs);
  loop.lateSince = isLate ? (loop.lateSince ?? now) : undefined;
  if (loop.lateSince === undefined || now - loop.lateSince < LATE_MS) return undefined;
  return `The loop ${name} is overdue: its turn is not over after ${Math.round((now - (begunAt ?? endedAt)) / 1_000)} seconds.`;
}

const isAway = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

/** Times of a loop that differ from the defaults, in ms. */
export interface Pace {
  /** Longest time of a turn before it is overdue. */
  readonly withinMs?: number;
  /** Shortest time between the end of a turn and the next one that a wake begins. It bundles frequent notifications. */
  readonly calmMs?: number;
  /** Half of the pause after a first error, in ms; by default the pause between turns. */
  readonly retryMs?: number;
}

/**
 * Runs `work` repeatedly with a pause of `ms` between the end of a turn and the begin of the next, so that turns never overlap.
 * An error is logged and doubles the pause, up to 5 s, until a turn succeeds. `loopTroubles` reports a loop after two errors in a
 * row, or if a turn takes longer than `withinMs`.
 */
export function every(
  ms: number,
  name: string,
  work: () => Promise<unknown>,
  { withinMs = WITHIN_MS, calmMs = 0, retryMs = ms }: Pace = {},
): Sweeper {
  let stopped = false;
  let woken = false;
  let calm = false;
  const begin = monotonicMs();
  const health: Health = {
    ...{ name, withinMs, dueMs: ms + withinMs, endedAt: begin, workedAt: begin, failures: 0, error: undefined },
    ...{ begunAt: undefined, troubledUntil: -Infinity, lateSince: undefined },
  };
  loops.add(health);
  let resume: (() => void) | undefined;

  const pause = (length: number): Promise<void> =>
    new Promise((done) => {
      const timer = setTimeout(done, length);
      resume = () => {
        clearTimeout(timer);
        done();
      };
    });

  const turn = async (): Promise<void> => {
    health.begunAt = monotonicMs();
    try {
      await work();
      if (health.failures > 0) log.info('sweeper works again', { sweeper: name, errors: health.failures });
      health.failures = 0;
      health.workedAt = monotonicMs();
    } catch (error) {
      health.failures += 1;
      health.error = error;
      if (health.failures > 1) health.troubledUntil = monotonicMs() + SEEN_MS;
      report(name, health.failures, error);
    }
    health.endedAt = monotonicMs();
    health.begunAt = undefined;
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      woken = false;
      await turn();
      if (stopped) return;
      // A wake must not defeat the back-off: it would turn an outage into a busy loop.
      const { failures } = health;
      if (failures > 0) await pause(Math.max(retryMs, Math.min(LONGEST_PAUSE_MS, Math.max(retryMs, 50) * 2 ** failures)));
      else {
        calm = calmMs > 0;
        if (calm) await pause(calmMs);
        calm = false;
        if (!woken && !stopped) await pause(ms - calmMs);
      }
      resume = undefined;
    }
  };

  const running = loop().finally(() => loops.delete(health));
  return {
    wake() {
      woken = true;
      if (health.failures === 0 && !calm) resume?.();
    },
    stop() {
      stopped = true;
      resume?.();
      return running;
    },
  };
}

/** Pause between turns of a loop that a shared poll wakes, and half of its pause after an error. */
const BY_ITSELF_MS = 600_000;
const AFTER_ERROR_MS = 500;

/** Loops that share one poll. */
export interface DueSweeper extends Sweeper {
  /** Begins the next turn of some loops without a poll, if their rows are known to exist. */
  wakeOnly(keys: Iterable<string>): void;
}

/**
 * Runs loops that share one poll, so that an idle loop costs nothing. Every `ms` milliseconds `due` returns the names of the
 * loops that have something to do, and these begin a turn. A wake polls at once.
 */
export function everyDue(
  ms: number,
  name: string,
  due: () => Promise<Iterable<string>>,
  tasks: ReadonlyMap<string, () => Promise<unknown>>,
): DueSweeper {
  const each = new Map(
    [...tasks].map(([key, work]) => [key, every(BY_ITSELF_MS, `${name}:${key}`, work, { retryMs: AFTER_ERROR_MS })]),
  );
  const wakeOnly = (keys: Iterable<string>): void => {
    for (const key of keys) each.get(key)?.wake();
  };
  const poll = every(ms, name, async () => wakeOnly(await due()));
  return {
    wake: () => poll.wake(),
    wakeOnly,
    async stop() {
      await poll.stop();
      await Promise.all([...each.values()].map((loop) => loop.stop()));
    },
  };
}

/** Logs the failure of a turn. An unavailable database is only a warning: it is no fault of the loop. */
function report(name: string, errors: number, error: unknown): void {
  log[isAway(error) ? 'warn' : 'error']('sweeper failed', { sweeper: name, errors, error });
}
