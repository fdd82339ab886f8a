import type { Db, Tx } from '../../platform/index.ts';
import { BUCKETS } from './time-buckets.ts';

/**
 * Age in seconds from which a paid-out order is counted. A younger order may have been paid out in a transaction that isn't
 * visible yet. No transaction lasts longer than this time.
 */
const SETTLED_SECONDS = 60;
/** Maximum number of orders to read for one transaction. */
const BATCH_SIZE = 2_000;

/**
 * Adds the orders that were paid out since the last call to the histograms of durations, each once. Returns the number of these
 * orders. Does nothing while another worker counts.
 */
export async function countTimes(db: Db): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await db.tx(countSome);
    total += count;
    if (count < BATCH_SIZE) return total;
  }
}

async function countSome(tx: Tx): Promise<number> {
  const counted = await tx.row<{ until: string }>('select until::text from order_counted for update skip locked');
  if (!counted) return 0;
  // Each batch ends at the time of a payout, and includes all orders with that time, because several orders may be paid out
  // together.
  const next = await tx.row<{ until: string | null; orders: number }>(NEXT, [counted.until, SETTLED_SECONDS, BATCH_SIZE], {
    name: 'exchange.next_to_count',
  });
  if (!next?.until) return 0;
  await tx.run(COUNT, [counted.until, next.until, BUCKETS], { name: 'exchange.count_times' });
  await tx.run(COUNT_TAKEN, [counted.until, next.until], { name: 'exchange.count_taken' });
  await tx.run('update order_counted set until = $1, done = done + $2', [next.until, next.orders]);
  return next.orders;
}

const NEXT = `
  with next as (
    select finished_at from customer_order
    where state = 'completed' and finished_at > $1 and finished_at <= clock_now() - $2 * interval '1 second'
    order by finished_at limit $3
  ), last as (select max(finished_at) as until from next)
  select until::text, (select count(*)::int from customer_order
    where state = 'completed' and finished_at > $1 and finished_at <= until) as orders
  from last`;

/** SQL that adds two durations of each order to the histograms: from the placing to the final payment, and from there to the payout. */
const COUNT = `
  with took as (
    select o.finished_at, o.give_currency, o.get_currency, step, seconds
    from customer_order o
    cross join lateral (
      select min(at) filter (where event = 'placed') as placed, max(at) filter (where event = 'payin_final') as final
      from order_event e where e.order_id = o.id and e.seq < o.version) e
    cross join lateral (values
      ('arrived', extract(epoch from e.final - e.placed)), ('paid', extract(epoch from o.finished_at - e.final))) as s (step, seconds)
    where o.state = 'completed' and o.finished_at > $1 and o.finished_at <= $2 and seconds is not null
  ), placed as (
    select (finished_at at time zone 'UTC')::date as day, give_currency, get_currency, step,
      coalesce((select min(ending) from unnest($3::int[]) as ending where seconds <= ending * 60),
        (select max(ending) from unnest($3::int[]) as ending)) as minutes
    from took
  )
  insert into order_time (day, give_currency, get_currency, step, minutes, orders)
  select day, give_currency, get_currency, step, minutes, count(*) from placed group by 1, 2, 3, 4, 5
  on conflict (day, give_currency, get_currency, step, minutes) do update set orders = order_time.orders + excluded.orders`;

/** SQL that counts orders by the time that their clock shows, in whole seconds, rounded up. */
const COUNT_TAKEN = `
  insert into order_taken (day, give_currency, get_currency, seconds, orders)
  select (finished_at at time zone 'UTC')::date, give_currency, get_currency,
    ceil((body #>> '{facts,clock,ran}')::numeric / 1000)::int, count(*)
  from customer_order
  where state = 'completed' and finished_at > $1 and finished_at <= $2 and body #>> '{facts,clock,ran}' is not null
  group by 1, 2, 3, 4
  on conflict (day, give_currency, get_currency, seconds) do update set orders = order_taken.orders + excluded.orders`;
