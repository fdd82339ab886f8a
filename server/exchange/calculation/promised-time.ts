// Computes the time within which a payout is promised: the time that nearly all recent orders of a direction took, plus some
// slack. The durations are read again every hour. An order keeps the promise of its review.

import { type Db, type Statements, every, log } from '../../platform/index.ts';
import { promisedSettings as settings } from './promised-settings.ts';

const HOUR_MS = 3_600_000;
const RETRY_MS = 5_000;
/** Number of days whose orders decide the promised time. Durations of older days are deleted. */
const DAYS = 30;

/** The operator's settings for promised times. */
export interface PromiseRule {
  readonly minimumMinutes: number;
  readonly slackMinutes: number;
  readonly slackPercent: number;
}

/**
 * Returns the promised seconds. The base is `taken`, the 95th percentile of past orders, but at least the operator's minimum. The
 * larger of both slacks is added to the base, and the sum is rounded up to whole minutes.
 */
export function promisedOf(taken: number | undefined, rule: PromiseRule): number {
  const min = rule.minimumMinutes * 60;
  const base = Math.max(taken ?? min, min);
  // In hundredths of a second, so that only the final minutes are rounded.
  const slack = Math.max(rule.slackMinutes * 6_000, base * rule.slackPercent);
  return Math.ceil((base * 100 + slack) / 6_000) * 60;
}

/**
 * Returns the 95th percentile of the seconds that orders took, by direction (`FROM TO`). Directions with fewer than `orders`
 * payouts in the last 30 days are left out.
 */
export async function readTaken(db: Statements, orders = settings.get('late.orders')): Promise<Map<string, number>> {
  const rows = await db.rows<{ direction: string; seconds: number }>(TAKEN, [DAYS, orders], { name: 'exchange.taken' });
  return new Map(rows.map(({ direction, seconds }) => [direction, seconds]));
}

const TAKEN = `
  with counted as (
    select give_currency || ' ' || get_currency as direction, seconds, sum(orders) as orders from order_taken
    where day > (clock_now() at time zone 'UTC')::date - $1::int group by 1, 2
  ), running as (
    select direction, seconds, sum(orders) over (partition by direction) as total,
      sum(orders) over (partition by direction order by seconds) as up_to
    from counted
  )
  select direction, min(seconds) as seconds from running
  where total >= $2::int and up_to * 100 >= total * 95 group by 1`;

/** Deletes the durations of days that no longer decide the promised time. */
export const forgetTaken = (db: Statements): Promise<number> =>
  db.run(`delete from order_taken where day <= (clock_now() at time zone 'UTC')::date - $1::int`, [DAYS]);

let taken: ReadonlyMap<string, number> = new Map();

/**
 * Refreshes this process's promised times until stopped. As long as the first reading fails, promises are based on the operator's
 * minimum.
 */
export async function watchTaken(db: Db): Promise<{ refresh(): Promise<void>; stop(): Promise<void> }> {
  const refresh = async (): Promise<void> => {
    taken = await readTaken(db);
  };
  await refresh().catch((error: unknown) => log.warn('the durations of past orders could not be read yet', { error }));
  const loop = every(HOUR_MS, 'exchange.taken', refresh, { retryMs: RETRY_MS });
  return {
    refresh,
    async stop() {
      await loop.stop();
      taken = new Map();
    },
  };
}

/** Returns the seconds currently promised in a direction. */
export const promisedSeconds = (from: string, to: string): number =>
  promisedOf(taken.get(`${from} ${to}`), {
    minimumMinutes: settings.get('late.minimum_minutes'),
    slackMinutes: settings.get('late.slack_minutes'),
    slackPercent: settings.get('late.slack_percent'),
  });
