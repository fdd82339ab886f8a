// Loops that look for due work, whether or not a hint came.

import { Problem } from '@kurs/contract';
import { log } from './log.ts';

export type Sweeper = {
  /** Begins the next turn now, or right after the running one. */
  wake(): void;
  /** Waits for the running turn; none begins after it. */
  stop(): Promise<void>;
};

/** The longest pause after errors: when the database is back, work goes on within this time. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs `work` over and over with a pause of `ms` between the end of one turn and the begin of the next, so that turns
 * never overlap. An error is logged and doubles the pause, up to 5 s, until a turn succeeds.
 */
export function every(ms: number, name: string, work: () => Promise<unknown>): Sweeper {
  let stopped = false;
  let woken = false;
  let errors = 0;
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
    try {
      await work();
      if (errors > 0) log.info('sweeper works again', { sweeper: name, errors });
      errors = 0;
    } catch (error) {
      errors += 1;
      report(name, errors, error);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      woken = false;
      await turn();
      if (stopped) return;
      // A wake must not defeat the back-off: it would turn an outage into a busy loop.
      if (errors > 0) await pause(Math.max(ms, Math.min(LONGEST_PAUSE_MS, Math.max(ms, 50) * 2 ** errors)));
      else if (!woken) await pause(ms);
      resume = undefined;
    }
  };

  const running = loop();
  return {
    wake() {
      woken = true;
      if (errors === 0) resume?.();
    },
    stop() {
      stopped = true;
      resume?.();
      return running;
    },
  };
}

/** How often a loop that others look for looks by itself. */
const BY_ITSELF_MS = 1_000;

/**
 * Loops that share one look, so that what has nothing to do costs nothing: each `ms` milliseconds `due` tells by name
 * which of `works` have something to do, and those begin their turn. A wake is a look at once.
 */
export function everyDue(
  ms: number,
  name: string,
  due: () => Promise<Iterable<string>>,
  works: ReadonlyMap<string, () => Promise<unknown>>,
): Sweeper {
  const loops = new Map([...works].map(([key, work]) => [key, every(BY_ITSELF_MS, `${name}:${key}`, work)]));
  const look = every(ms, name, async () => {
    for (const key of await due()) loops.get(key)?.wake();
  });
  return {
    wake: () => look.wake(),
    async stop() {
      await look.stop();
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
    },
  };
}

/** The first error of a row and each tenth after it; a database that is away is no alarm of this loop. */
function report(name: string, errors: number, error: unknown): void {
  if (errors % 10 !== 1) return;
  const away = error instanceof Problem && error.code === 'unavailable';
  log[away ? 'warn' : 'error']('sweeper failed', { sweeper: name, errors, error });
}
