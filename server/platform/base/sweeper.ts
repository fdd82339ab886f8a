// Background loops that poll for due work. A notification may start a poll early.

import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';
import { log } from './log.ts';
import { reasonOf } from './redact.ts';

export type Sweeper = {
  /** Begins the next turn now, or right after the running turn. At least `calmMs` pass after the end of the last turn. */
  wake(): void;
  /** Stops the loop: waits for the running turn, and begins no further turn. */
  stop(): Promise<void>;
};

/** Maximum pause after errors, in ms. Once the database is back, work resumes within this time. */
const LONGEST_PAUSE_MS = 5_000;

/** Time in ms after which a turn is overdue, by default. */
const WITHIN_MS = 300_000;
/**
 * Minimum length of a database outage after which loops that fail because of it are reported, in ms. An outage makes all loops
 * fail.
 */
const AWAY_MS = 60_000;
/**
 * Minimum time in ms for which a loop is reported after two failures, even if the loop works again. Otherwise polls of
 * `loopTroubles` could miss the failures.
 */
const SEEN_MS = 15_000;
/**
 * Time in ms for which a loop must be overdue before it is reported. When a suspended process resumes, all its loops are
 * briefly overdue.
 */
const LATE_MS = 5_000;

/** Health of a loop. Points in time are from `monotonicMs`. */
interface Health {
  readonly name: string;
  /** Time after which a turn is overdue. */
  readonly withinMs: number;
  /** Maximum time between the ends of two turns: a pause and a turn. */
  readonly dueMs: number;
  /** Start of the running turn. */
  begunAt: number | undefined;
  /** End of the last turn. */
  endedAt: number;
  /** End of the last successful turn. */
  workedAt: number;
  /** Number of consecutive failures. */
  failures: number;
  error: unknown;
  /** Time until which the loop is reported after two failures, even if it works again. */
  troubledUntil: number;
  lateSince: number | undefined;
}

/** Running loops of this process. */
const loops = new Set<Health>();

/** A loop that has failed twice in a row, or whose turn is overdue. */
export interface LoopTrouble {
  readonly name: string;
  /** The trouble in one sentence for people. */
  readonly words: string;
}

/** Returns the loops of this process that are in trouble. Meant to be polled every few seconds. */
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
  /** Time after which a turn is overdue; 5 minutes by default. */
  readonly withinMs?: number;
  /** Minimum time between the end of a turn and a turn that `wake` begins. Frequent notifications then start few turns. */
  readonly calmMs?: number;
  /** Base of the pause after errors: the first pause is twice as long. By default the pause between turns. */
  readonly retryMs?: number;
}

/**
 * Runs `work` in a loop, with a pause of `ms` milliseconds between two turns. Turns never overlap. After an error, which is
 * logged, the pause doubles with each further error, up to 5 s, until a turn succeeds. `loopTroubles` reports a loop after two
 * consecutive errors, or if a turn takes longer than `withinMs`.
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
      // `wake` must not shorten the pause after an error: during an outage the loop would never pause.
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

/** Longest pause between two turns of a loop that is woken by one poll for many loops, in ms: a fallback if the poll misses it. */
const BY_ITSELF_MS = 600_000;
/** Base of the pause after errors in a loop that a shared poll wakes, in ms (`Pace.retryMs`). */
const AFTER_ERROR_MS = 500;

/** Loops that share one poll. */
export interface DueSweeper extends Sweeper {
  /** Begins a turn of the named loops without a poll, for callers that know of due work. */
  wakeOnly(keys: Iterable<string>): void;
}

/**
 * Runs several loops that share one poll, so that an idle loop costs nothing. Every `ms` milliseconds `due` returns the names of
 * the loops with due work, and those loops begin a turn. `wake` polls at once.
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

/** Logs the failure of a turn. An unavailable database is logged only as a warning, since it is not the loop's fault. */
function report(name: string, errors: number, error: unknown): void {
  log[isAway(error) ? 'warn' : 'error']('sweeper failed', { sweeper: name, errors, error });
}
