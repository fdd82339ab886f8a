import type { Output, Routes } from '@kurs/contract';
import { railHistories } from '../payments/index.ts';
import type { Db } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';

/** Durations of recent orders, by the slug of their direction, if there are enough of them. */
export type Times = (
  db: Db,
) => Promise<ReadonlyMap<string, { readonly orders: number; readonly median: number; readonly max: number }>>;

const DAYS = 30;

/**
 * Returns the health of the rails, their last thirty days, and the durations of orders in each direction with enough of them.
 * Only the desk sees why a rail is down.
 */
export async function statusOf(db: Db, times: Times): Promise<Output<Routes['status']>> {
  const [rails, taken, clock] = await Promise.all([
    railHistories(db, DAYS),
    times(db),
    db.row<{ now: Date }>('select clock_now() as now') as Promise<{ now: Date }>,
  ]);
  return {
    at: clock.now.toISOString(),
    rails: rails.map(({ rail, isUp, isOn, since, checkedAt, days }) => ({
      rail,
      up: isUp,
      on: isOn,
      since: since.toISOString(),
      checked_at: checkedAt.toISOString(),
      days: [...days],
    })),
    directions: directionsWire().directions.flatMap(({ from, to, slug }) => {
      const known = taken.get(slug);
      return known ? [{ from, to, slug, orders: known.orders, median_minutes: known.median, most_minutes: known.max }] : [];
    }),
  };
}
