import type { Output, Routes } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { moneyWire } from '../wire/price-wire.ts';
import { type Bucket, reached } from './time-buckets.ts';
import { currencyOf } from '../../payments/index.ts';

type Landing = Output<Routes['landing']>;

/** Minimum number of orders for showing a figure about their duration. */
const SAMPLES = 20;

/** Durations of one direction's orders, from a histogram: each is the upper bound of its bucket, in whole minutes, at least 1. */
export interface TimesTaken {
  readonly orders: number;
  /** The 50th percentile. */
  readonly median: number;
  /** The 90th percentile. */
  readonly max: number;
  /** The 95th percentile. */
  readonly longest: number;
}

type SlugOf = (from: string, to: string) => string | undefined;

/** SQL for the durations from the final payment to the payout, by bucket, of the orders of the last 30 days. */
const TOOK = `from order_time where step = 'paid' and day > (clock_now() at time zone 'UTC')::date - 30`;

/** Returns the durations of orders, by the slug of their direction. Directions with too few orders are left out. */
export async function timesTaken(db: Statements, slugOf: SlugOf): Promise<Map<string, TimesTaken>> {
  const rows = await db.rows<{ from: string; to: string; buckets: Bucket[] }>(
    `select give_currency as "from", get_currency as "to", json_agg(json_build_object('minutes', minutes, 'orders', orders)) as buckets
     ${TOOK} group by 1, 2`,
    [],
    { name: 'exchange.times_taken' },
  );
  return new Map(
    rows.flatMap(({ from, to, buckets }) => {
      const slug = slugOf(from, to);
      const taken = takenOf(buckets);
      return slug === undefined || !taken ? [] : [[slug, taken] as const];
    }),
  );
}

function takenOf(buckets: readonly Bucket[]): TimesTaken | undefined {
  const orders = buckets.reduce((sum, one) => sum + one.orders, 0);
  const [median, max, longest] = [reached(buckets, 0.5), reached(buckets, 0.9), reached(buckets, 0.95)];
  if (orders < SAMPLES || median === undefined || max === undefined || longest === undefined) return undefined;
  return { orders, median, max, longest };
}

/** Returns the median duration of orders in minutes, by the slug of their direction. Directions with too few orders are left out. */
export async function usualMinutes(db: Statements, slugOf: SlugOf): Promise<Map<string, number>> {
  return new Map([...(await timesTaken(db, slugOf))].map(([slug, { median }]) => [slug, median]));
}

/**
 * Returns the median minutes from placing an order to its final payment in the last 30 days, by the currency that was paid.
 * Currencies with too few orders are left out.
 */
export async function arrivedMinutes(db: Statements): Promise<Map<string, number>> {
  const rows = await db.rows<{ code: string; buckets: Bucket[] }>(
    `select give_currency as code, json_agg(json_build_object('minutes', minutes, 'orders', orders)) as buckets
     from order_time where step = 'arrived' and day > (clock_now() at time zone 'UTC')::date - 30 group by 1`,
    [],
    { name: 'exchange.arrived_minutes' },
  );
  return new Map(
    rows.flatMap(({ code, buckets }) => {
      const taken = takenOf(buckets);
      return taken ? [[code, taken.median] as const] : [];
    }),
  );
}

/** Returns the number of orders that were paid out, and their median duration in minutes. With too few orders, the median is absent. */
export async function doneFigures(db: Statements): Promise<Landing['figures']> {
  const [counted, buckets] = await Promise.all([
    db.row<{ done: string }>('select done from order_counted', [], { name: 'exchange.orders_done' }),
    db.rows<Bucket>(`select minutes, sum(orders)::int as orders ${TOOK} group by 1`, [], { name: 'exchange.took' }),
  ]);
  const done = Number.parseInt(counted?.done ?? '0', 10);
  const taken = takenOf(buckets);
  return done === 0 ? {} : { orders_done: done, ...(taken && { median_minutes: taken.median }) };
}

/**
 * Returns the newest orders that were paid out, without anything that identifies a customer: only amounts, direction and time.
 */
export async function latestDone(db: Statements, max: number): Promise<Landing['latest_orders']> {
  const rows = await db.rows<{ give: string; give_parts: string; get: string; get_parts: string; at: Date }>(
    `select give_currency as give, coalesce(gave, give_parts) as give_parts,
       get_currency as get, coalesce(got, get_parts) as get_parts, finished_at as at from customer_order
     where state = 'completed' and kind = 'order' and finished_at is not null order by finished_at desc limit $1`,
    [max],
    { name: 'exchange.latest_done' },
  );
  return rows.flatMap((row) => {
    const [give, get] = [currencyOf(row.give), currencyOf(row.get)];
    if (!give || !get) return [];
    return [
      {
        from: moneyWire({ currency: give.code, unit: give.unit, parts: BigInt(row.give_parts) }),
        to: moneyWire({ currency: get.code, unit: get.unit, parts: BigInt(row.get_parts) }),
        status: 'done' as const,
        at: row.at.toISOString(),
      },
    ];
  });
}
