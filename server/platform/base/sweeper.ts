// Loops that look for due work, whether or not a hint came.

import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';
import { reasonOf } from './redact.ts';

export type Sweeper = {
  /** Begins the next turn now, or right after the running one; no sooner than the loop's `calmMs` after the last. */
  wake(): void;
  /** Waits for the running turn; none begins after it. */
  stop(): Promise<void>;
};

/** The longest pause after errors: when the database is back, work goes on within this time. */
const LONGEST_PAUSE_MS = 5_000;

/** How long a turn may take unless its loop says otherwise. */
const WITHIN_MS = 300_000;
/** A database that is away fails every loop at once: people hear of a loop by that only once it lasts. */
const AWAY_MS = 60_000;
/** What failed twice counts as in trouble for so long, whether or not it works again: a look comes by meanwhile. */
const SEEN_MS = 15_000;
/** A loop is late once a second look finds it late: a process that stood still wakes up with all of them late. */
const LATE_MS = 5_000;

/** How a loop fares. Times are `monotonicMs`. */
interface Health {
  readonly name: string;
  /** A turn that takes longer is overdue, and so is one that is not over so long after the last: a pause and a turn. */
  readonly withinMs: number;
  readonly dueMs: number;
  /** Since when a turn runs. */
  begunAt: number | undefined;
  /** When the last turn was over, and when the last was that did not fail. */
  endedAt: number;
  workedAt: number;
  /** Failures in a row. */
  failures: number;
  error: unknown;
  /** Until when it counts as in trouble, although it may work again. */
  troubledUntil: number;
  lateSince: number | undefined;
}

/** The loops of this process that run. */
const loops = new Set<Health>();

/** A loop that has failed twice in a row, or whose turn is overdue. */
export interface LoopTrouble {
  readonly name: string;
  /** One sentence for people. */
  readonly words: string;
}

/** The loops of this process that are in trouble at a moment. To be asked every few seconds. */
export function loopTroubles(now = monotonicMs()): LoopTrouble[] {
  return [...loops].flatMap((loop) => {
    const words = troubleOf(loop, now);
    return words === undefined ? [] : [{ name: loop.name, words }];
  });
}

function troubleOf(loop: Health, now: number): string | undefined {
  const { name, failures, error, workedAt, endedAt, begunAt, withinMs, dueMs } = loop;
  const isTold = isAway(error) ? failures > 1 && now - workedAt >= AWAY_MS : failures > 1 || now < loop.troubledUntil;
  if (isTold) return `The loop ${name} has failed ${failures > 1 ? `${failures} times` : 'twice'} in a row: ${reasonOf(error)}`;
  const isLate = now - endedAt > dueMs || (begunAt !== undefined && now - begunAt > withinMs);
  loop.lateSince = isLate ? (loop.lateSince ?? now) : undefined;
  if (loop.lateSince === undefined || now - loop.lateSince < LATE_MS) return undefined;
  return `The loop ${name} is overdue: its turn is not over after ${Math.round((now - (begunAt ?? endedAt)) / 1_000)} seconds.`;
}

const isAway = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

/** How a loop differs from others, in milliseconds. */
export interface Pace {
  /** A turn that takes longer is overdue. */
  readonly withinMs?: number;
  /** Wakes begin no turn sooner than so long after the end of the last: what is told of all the time is looked at in between. */
  readonly calmMs?: number;
  /** The pause after a first error is twice as long; without it the pause between turns counts. */
  readonly retryMs?: number;
}

/**
 * Runs `work` over and over with a pause of `ms` between the end of one turn and the begin of the next, so that turns
 * never overlap. An error is logged and doubles the pause, up to 5 s, until a turn succeeds. Two in a row, or a turn that
 * takes longer than `withinMs`, are told by `loopTroubles`.
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

/** How often a loop that others look for looks by itself, and how soon after an error. */
const BY_ITSELF_MS = 600_000;
const AFTER_ERROR_MS = 500;

/** Loops that share one look. */
export interface DueSweeper extends Sweeper {
  /** Begins the next turn of some of the loops, without a look: of those whose rows are known to be there. */
  wakeOnly(keys: Iterable<string>): void;
}

/**
 * Loops that share one look, so that what has nothing to do costs nothing: each `ms` milliseconds `due` tells by name
 * which of `works` have something to do, and those begin their turn. A wake is a look at once.
 */
export function everyDue(
  ms: number,
  name: string,
  due: () => Promise<Iterable<string>>,
  works: ReadonlyMap<string, () => Promise<unknown>>,
): DueSweeper {
  const each = new Map(
    [...works].map(([key, work]) => [key, every(BY_ITSELF_MS, `${name}:${key}`, work, { retryMs: AFTER_ERROR_MS })]),
  );
  const wakeOnly = (keys: Iterable<string>): void => {
    for (const key of keys) each.get(key)?.wake();
  };
  const look = every(ms, name, async () => wakeOnly(await due()));
  return {
    wake: () => look.wake(),
    wakeOnly,
    async stop() {
      await look.stop();
      await Promise.all([...each.values()].map((loop) => loop.stop()));
    },
  };
}

/** A database that is away is no alarm of this loop. */
function report(name: string, errors: number, error: unknown): void {
  log[isAway(error) ? 'warn' : 'error']('sweeper failed', { sweeper: name, errors, error });
}
