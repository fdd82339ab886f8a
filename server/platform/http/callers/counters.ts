// Rate limits that all processes share: events are counted in the database.

import { createHash } from 'node:crypto';
import { Problem } from '@kurs/contract';
import type { Statements } from '../../db/db.ts';
import type { Allowance, Counted, Limit } from './limits.ts';

/** Rate limits whose counts are stored in the database. */
export interface Counters {
  /**
   * Counts one event under `key`, in its own transaction. Once the limit is reached, throws `Problem('rate_limited')` with the
   * seconds to wait. A refused event is not counted.
   */
  take(key: string, limit: Limit): Promise<Allowance & Counted>;
}

/**
 * SQL: number of events in the sliding window. Computed as the count of the current window plus the part of the previous
 * window's count that the sliding window still covers.
 */
const USED = `case c.start
  when excluded.start then c.count + c.before * (c.seconds - (excluded.at - excluded.start)) / c.seconds
  when excluded.start - c.seconds then c.count * (c.seconds - (excluded.at - excluded.start)) / c.seconds
  else 0 end`;

const TAKE = `with moment as (
    select floor(at / $2::int) * $2::int as start, at from (select extract(epoch from clock_timestamp())::float8 as at) as clock
  ), taken as (
    insert into counter as c (key, seconds, start, at, count, before) select $1, $2, start, at, 1, 0 from moment
    on conflict (key) do update set
      start = excluded.start,
      at = excluded.at,
      before = case c.start when excluded.start then c.before when excluded.start - c.seconds then c.count else 0 end,
      count = case c.start when excluded.start then c.count else 0 end + 1
    where ${USED} + 1 <= $3
    returning count, before
  )
  select moment.start, moment.at, taken.count, taken.before from moment left join taken on true`;

interface CounterRow {
  readonly start: number;
  readonly at: number;
  readonly count: number | null;
  readonly before: number | null;
}

/**
 * Opens the counters of a database. The counters approximate a sliding window as `createLimiter` does, by the database's real
 * time.
 */
export function openCounters(db: Statements): Counters {
  return {
    async take(name, { max, seconds }) {
      const key = createHash('sha256').update(`${seconds} ${name}`).digest();
      const row = await db.row<CounterRow>(TAKE, [key, seconds, max], { name: 'platform.count' });
      if (!row) throw new Error('a counter gave no row');
      const { start, at, count, before } = row;
      const left = seconds - (at - start);
      const resetSeconds = Math.max(1, Math.ceil(left));
      if (count === null || before === null) throw new Problem('rate_limited', { retryAfter: resetSeconds, max });
      const used = count + (before * left) / seconds;
      return {
        limit: max,
        remaining: Math.max(0, Math.floor(max - used)),
        resetSeconds,
        async undo() {
          await db.run('update counter set count = greatest(0, count - 1) where key = $1 and start = $2', [key, start], {
            name: 'platform.uncount',
          });
        },
      };
    },
  };
}

/** Deletes counters whose events are too old for any limit. Returns the number of deleted counters. */
export const forgetCounters = (db: Statements): Promise<number> =>
  db.run('delete from counter where at < extract(epoch from clock_timestamp()) - 2 * seconds');
