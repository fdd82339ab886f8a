// Within how long a payout is promised: what nearly all orders of a direction took us lately, and some slack. Reckoned each hour
// behind the pages; a review says it, and its order keeps what its review said.

import { type Db, type Statements, every, log } from '../../platform/index.ts';
import { promisedSettings as settings } from './promised-settings.ts';

const HOUR_MS = 3_600_000;
const RETRY_MS = 5_000;
/** Days that count, and days that are kept of them. */
const DAYS = 30;

/** What of a promise is the operator's. */
export interface PromiseRule {
  readonly minimumMinutes: number;
  readonly slackMinutes: number;
  readonly slackPercent: number;
}

/**
 * The seconds that are promised: b is what 95 of 100 orders took no longer than, or the operator's minimum where that is more or
 * there were too few; promised is b and the larger of both slacks, in whole minutes, up.
 */
export function promisedOf(taken: number | undefined, rule: PromiseRule): number {
  const least = rule.minimumMinutes * 60;
  const base = Math.max(taken ?? least, least);
  // In hundredths of a second, so that nothing is rounded before the minutes are.
  const slack = Math.max(rule.slackMinutes * 6_000, base * rule.slackPercent);
  return Math.ceil((base * 100 + slack) / 6_000) * 60;
}

/** What 95 of 100 took no longer than, in seconds, by `FROM TO`, where so many orders were paid out in the last 30 days. */
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

/** Drops days that count no more. */
export const forgetTaken = (db: Statements): Promise<number> =>
  db.run(`delete from order_taken where day <= (clock_now() at time zone 'UTC')::date - $1::int`, [DAYS]);

let taken: ReadonlyMap<string, number> = new Map();

/** Keeps what this process promises by fresh until stopped; until the first reading the operator's minimum is promised. */
export async function watchTaken(db: Db): Promise<{ refresh(): Promise<void>; stop(): Promise<void> }> {
  const refresh = async (): Promise<void> => {
    taken = await readTaken(db);
  };
  await refresh().catch((error: unknown) => log.warn('what orders took is not known yet', { error }));
  const loop = every(HOUR_MS, 'exchange.taken', refresh, { retryMs: RETRY_MS });
  return {
    refresh,
    async stop() {
      await loop.stop();
      taken = new Map();
    },
  };
}

/** The seconds that are promised now in a direction. */
export const promisedSeconds = (from: string, to: string): number =>
  promisedOf(taken.get(`${from} ${to}`), {
    minimumMinutes: settings.get('late.minimum_minutes'),
    slackMinutes: settings.get('late.slack_minutes'),
    slackPercent: settings.get('late.slack_percent'),
  });
