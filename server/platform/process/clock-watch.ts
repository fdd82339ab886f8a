// The database's clock may go back: its machine's is set, or a copy of it runs on another machine. What waits for a moment
// would then wait for hours longer than it was to; here it is brought forward by as much.
//
// What waits, in every room, has a column `due_at`, and is looked at again when its time has come. Anyone who looks too early
// finds nothing to do: locks and choices keep the times that people were told, which are asked of the clock itself.

import { monotonicMs } from '../base/clock.ts';
import type { Db } from '../db/db.ts';
import { log } from '../base/log.ts';
import { every } from '../base/sweeper.ts';

const EVERY_MS = 5_000;
/** Less is how far two clocks of one machine drift apart, or how long an answer took. */
const LEAST_MS = 2_000;

/** Tables whose rows wait for a moment. */
const WAITING = `
  select table_name as "table" from information_schema.columns
  where table_schema = 'public' and column_name = 'due_at' order by table_name`;

/**
 * A look at the database's clock, compared with the look before by this process's own; the first compares nothing. Gives by
 * how many milliseconds it has gone back, 0 where it hasn't. What was going to be due later is then due so much sooner, and
 * an alarm is raised. Two processes that see the same jump do no harm: something is looked at early.
 */
export function clockLook(db: Db, monotonic: () => number = monotonicMs): () => Promise<number> {
  let before: { readonly clock: number; readonly own: number } | undefined;
  return async () => {
    const own = monotonic();
    const clock = (await db.now()).getTime();
    const expected = before && before.clock + own - before.own;
    before = { clock, own };
    const back = expected === undefined ? 0 : Math.round(expected - clock);
    if (back < LEAST_MS) return 0;
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
export const watchClock = (db: Db): { stop(): Promise<void> } => every(EVERY_MS, 'clock', clockLook(db));
