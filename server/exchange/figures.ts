import type { Output, Routes } from '@kurs/contract';
import type { Statements } from '../platform/index.ts';
import { moneyWire } from './price-wire.ts';
import { currencyOf } from '../payments/index.ts';

type Landing = Output<Routes['landing']>;

/** Fewer orders than this say nothing about how long one takes. */
const SAMPLES = 20;

/** From the payment's finality to the payout, for the orders of the last 30 days that were paid out. */
const TOOK = `select o.give_currency, o.get_currency, extract(epoch from o.finished_at - e.at) as seconds
  from customer_order o
  join lateral (select max(at) as at from order_event where order_id = o.id and event = 'payin_final' and seq < o.version) e on e.at is not null
  where o.state = 'completed' and o.finished_at > clock_now() - interval '30 days'`;

/** How long the orders of one direction took: whole minutes, at least one. */
export interface TimesTaken {
  readonly orders: number;
  /** Half of them took no longer, and nine of ten. */
  readonly median: number;
  readonly most: number;
}

type SlugOf = (from: string, to: string) => string | undefined;

/** How long orders take, by the slug of their direction, where there are enough of them. */
export async function timesTaken(db: Statements, slugOf: SlugOf): Promise<Map<string, TimesTaken>> {
  const rows = await db.rows<TimesTaken & { from: string; to: string }>(
    `select give_currency as "from", get_currency as "to", count(*)::int as orders,
       greatest(1, round(percentile_cont(0.5) within group (order by seconds) / 60))::int as median,
       greatest(1, round(percentile_cont(0.9) within group (order by seconds) / 60))::int as most
     from (${TOOK}) t group by 1, 2 having count(*) >= ${SAMPLES}`,
  );
  return new Map(
    rows.flatMap(({ from, to, ...taken }) => {
      const slug = slugOf(from, to);
      return slug === undefined ? [] : [[slug, taken] as const];
    }),
  );
}

/** Median minutes that an order takes, by the slug of its direction, where there are enough of them. */
export async function usualMinutes(db: Statements, slugOf: SlugOf): Promise<Map<string, number>> {
  return new Map([...(await timesTaken(db, slugOf))].map(([slug, { median }]) => [slug, median]));
}

/** How many orders were paid out, and the median minutes that took; the median is absent where there are too few. */
export async function doneFigures(db: Statements): Promise<Landing['figures']> {
  const row = await db.row<{ done: number; samples: number; minutes: number | null }>(
    `select (select count(*)::int from customer_order where state = 'completed') as done, count(*)::int as samples,
       greatest(1, round(percentile_cont(0.5) within group (order by seconds) / 60))::int as minutes
     from (${TOOK}) t`,
  );
  if (!row || row.done === 0) return {};
  return { orders_done: row.done, ...(row.samples >= SAMPLES && row.minutes !== null && { median_minutes: row.minutes }) };
}

/** A sum of an order's exchange as it was booked, in parts; null before there is one. */
export const bookedSum = (sum: 'give' | 'got'): string => `rtrim(body->'facts'->'exchange'->>'${sum}', 'n')::numeric`;

/** The newest orders that were paid out, without anything that names a customer: amounts, direction and time only. */
export async function latestDone(db: Statements, most: number): Promise<Landing['latest_orders']> {
  const rows = await db.rows<{ give: string; give_parts: string; get: string; get_parts: string; at: Date }>(
    `select give_currency as give, coalesce(${bookedSum('give')}, give_parts) as give_parts,
       get_currency as get, coalesce(${bookedSum('got')}, get_parts) as get_parts, finished_at as at from customer_order
     where state = 'completed' and kind = 'order' and finished_at is not null order by finished_at desc limit $1`,
    [most],
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
