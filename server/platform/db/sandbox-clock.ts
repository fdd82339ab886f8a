// The sandbox's clock. People can move it forward to try out locks, deadlines and maturities.

import { Problem, fieldProblem } from '@kurs/contract';
import type { Db, Statements } from './db.ts';

/**
 * Moves the sandbox's clock forward by `ms` and returns the new time. Throws `Problem('forbidden')` in live mode and
 * `Problem('validation')` for a step backwards, which would break the order of events.
 */
export async function advanceClock(db: Db, ms: number): Promise<Date> {
  if (!Number.isSafeInteger(ms) || ms < 0) throw fieldProblem('ms', 'wrong_value');
  const moved = await db.run(
    `update installation set clock_offset = clock_offset + $1 * interval '1 millisecond' where mode = 'sandbox'`,
    [ms],
  );
  if (moved === 0) throw new Problem('forbidden');
  return db.now();
}

/** Returns the offset of the product's clock from real time, in ms: zero except in a sandbox whose clock was moved. */
export async function clockAhead(db: Statements): Promise<number> {
  const row = await db.row<{ ms: number }>(
    `select (extract(epoch from clock_offset) * 1000)::float8 as ms from installation`,
    [],
    { name: 'platform.clock_ahead' },
  );
  return row?.ms ?? 0;
}
