// Rate limits, counted in this process. A rate limit is a maximum number of events within a time window.

import { Problem } from '@kurs/contract';
import { monotonicMs } from '../../base/clock.ts';

export type Limit = { max: number; seconds: number };
export type Allowance = { limit: number; remaining: number; resetSeconds: number };
/** A counted event. */
export type Counted = {
  /** Stops counting the event, for example when a password turned out to be right. */
  undo(): void | Promise<void>;
};

export type Limiter = {
  /**
   * Counts one event under `key`. Once the limit is reached, throws `Problem('rate_limited')` with the seconds to wait. A
   * refused event is not counted.
   */
  take(key: string, limit: Limit): Allowance & Counted;
};

type Window = { start: number; ms: number; count: number; before: number };

/** Maximum number of keys. The oldest keys are dropped, so that an attacker with many addresses can't fill the memory. */
const MAX_KEYS = 100_000;

/**
 * Creates a limiter with a sliding window. The number of events in the sliding window is approximated. It is the count of the
 * current window plus the part of the previous window's count that the sliding window still covers. `now`: a monotonic clock in
 * ms.
 */
export function createLimiter(now: () => number = monotonicMs): Limiter {
  const windows = new Map<string, Window>();

  const current = (key: string, ms: number): Window => {
    const at = now();
    const start = at - (at % ms);
    const window = windows.get(key);
    if (window && window.ms === ms && window.start === start) return window;
    const before = window && window.ms === ms && window.start === start - ms ? window.count : 0;
    const fresh = { start, ms, count: 0, before };
    windows.delete(key);
    windows.set(key, fresh);
    if (windows.size > MAX_KEYS) windows.delete(windows.keys().next().value!);
    return fresh;
  };

  return {
    take(key, { max, seconds }) {
      const window = current(key, seconds * 1_000);
      const left = window.ms - (now() - window.start);
      const used = window.count + (window.before * left) / window.ms;
      const resetSeconds = Math.max(1, Math.ceil(left / 1_000));
      if (used + 1 > max) throw new Problem('rate_limited', { retryAfter: resetSeconds, max });
      window.count += 1;
      const undo = (): void => void (window.count = Math.max(0, window.count - 1));
      return { limit: max, remaining: Math.max(0, Math.floor(max - used - 1)), resetSeconds, undo };
    },
  };
}
