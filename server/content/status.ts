import type { Output, Routes } from '@kurs/contract';
import { railHistories } from '../payments/index.ts';
import type { Db } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';

/** How long orders took lately, by the slug of their direction, where there are enough of them. */
export type Times = (
  db: Db,
) => Promise<ReadonlyMap<string, { readonly orders: number; readonly median: number; readonly most: number }>>;

const DAYS = 30;

/**
 * How the rails run, how they ran on the last thirty days, and how long orders took in each direction that had enough of
 * them. Why a rail is down is for the desk alone.
 */
export async function statusOf(db: Db, times: Times): Promise<Output<Routes['status']>> {
  const [rails, taken, clock] = await Promise.all([
    railHistories(db, DAYS),
    times(db),
    db.row<{ now: Date }>('select clock_now() as now') as Promise<{ now: Date }>,
  ]);
  return {
    at: clock.now.toISOString(),
    rails: rails.map(({ rail, up, on, since, checkedAt, days }) => ({
      rail,
      up,
      on,
      since: since.toISOString(),
      checked_at: checkedAt.toISOString(),
      days: [...days],
    })),
    directions: directionsWire().directions.flatMap(({ from, to, slug }) => {
      const known = taken.get(slug);
      return known ? [{ from, to, slug, orders: known.orders, median_minutes: known.median, most_minutes: known.most }] : [];
    }),
  };
}
