// Detects that the database's clock has gone back: somebody set the clock, or a copy of the database runs on another machine.
// Scheduled work would start hours too late, so its due times are made earlier by the same amount.
//
// In all rooms, the time of scheduled work is a column `due_at`. Work that starts too early does no harm, since it compares
// locks and deadlines with the clock.

import { monotonicMs } from '../base/clock.ts';
import type { Db } from '../db/db.ts';
import { log } from '../base/log.ts';
import { every } from '../base/sweeper.ts';

const EVERY_MS = 5_000;
/**
 * Minimum jump that is corrected, in ms. Smaller differences come from drift between two clocks, or from the time of a query.
 */
const MIN_MS = 2_000;

/** SQL: tables with scheduled work. */
const WAITING = `
  select table_name as "table" from information_schema.columns
  where table_schema = 'public' and column_name = 'due_at' order by table_name`;

/**
 * Returns a function that compares how far the database's clock and this process's clock have moved since the function's last
 * call. Its result is the number of milliseconds by which the database's clock has gone back, or 0; the first call returns 0.
 * After a jump, all later due times are made earlier by the same amount, and an alarm is raised. If two processes correct the
 * same jump, work starts too early, which does no harm.
 */
export function clockCheck(db: Db, monotonic: () => number = monotonicMs): () => Promise<number> {
  let before: { readonly clock: number; readonly own: number } | undefined;
  return async () => {
    const own = monotonic();
    const clock = (await db.now()).getTime();
    const expected = before && before.clock + own - before.own;
    before = { clock, own };
    const back = expected === undefined ? 0 : Math.round(expected - clock);
    if (back < MIN_MS) return 0;
    await bringForward(db, back);
    log.alarm('the clock of the database went back', { seconds: Math.round(back / 1_000) });
    return back;
  };
}

async function bringForward(db: Db, ms: number): Promise<void> {
  for (const { table } of await db.rows<{ table: string }>(WAITING)) {
    await db.run(
      `update "${table}" set due_at = greatest(clock_now(), due_at - $1 * interval '1 millisecond') where due_at > clock_now()`,
      [ms],
    );
  }
}

/** Watches the clock every five seconds until stopped. */
export const watchClock = (db: Db): { stop(): Promise<void> } => every(EVERY_MS, 'clock', clockCheck(db));
