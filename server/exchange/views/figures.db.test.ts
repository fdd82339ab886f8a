// Durations and numbers of orders, from a histogram that counts each order once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { advanceClock } from '../../platform/index.ts';
import { countTimes } from './count-times.ts';
import { doneFigures, timesTaken } from './figures.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const slugOf = (from: string, to: string): string => `${from} ${to}`;
/** Adds a number of paid-out orders, each finished now, `minutes` after its payment was final. */
const fill = async (count: number, minutes: number, day = 0): Promise<void> => {
  const columns = await world.db.row<{ names: string; given: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names, string_agg('made.' || quote_ident(column_name), ', ') as given
     from information_schema.columns where table_name = 'customer_order' and is_generated = 'NEVER'`,
  );
  await world.db.run(
    `with sample as (select * from customer_order where state = 'completed' limit 1), made as (
       insert into customer_order (${columns?.names})
       select ${columns?.given} from sample, generate_series(1, $1::int) n, jsonb_populate_record(null::customer_order, to_jsonb(sample) || jsonb_build_object('id', gen_random_uuid(), 'number', 'N' || $3::int || '-' || $2::int || '-' || n,
         'calculation_id', null, 'finished_at', clock_now() - $3::int * interval '1 day' - n * interval '1 millisecond')) as made
       returning *)
     insert into order_event (id, order_id, seq, at, who, event, from_state, to_state)
     select gen_random_uuid(), id, seq, finished_at - $2::int * interval '1 minute' - seconds, 'S', event, 'awaiting', 'confirming'
     from made, (values (0, 'placed', interval '10 minutes'), (1, 'payin_final', interval '0')) as e (seq, event, seconds)`,
    [count, minutes, day],
  );
};

test('paid-out orders are counted once each, a minute later, by any process', async () => {
  const order = await world.place();
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  assert.equal((await world.order(order)).view.state, 'completed');
  for (const day of [31, 32]) await fill(1_200, 700, day);
  await fill(60, 4);
  await fill(35, 13);
  await fill(5, 100);
  await world.db.run('update customer_order set finished_at = clock_now() where id = $1', [order.view.id]);
  await countTimes(world.db);
  assert.equal((await doneFigures(world.db)).orders_done, 2_400, 'the others may belong to transactions that nobody sees yet');

  await advanceClock(world.db, 161_000);
  const counts = await Promise.all([1, 2, 3].map(() => countTimes(world.db)));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    101,
  );
  assert.equal(await countTimes(world.db), 0);
  assert.deepEqual(await doneFigures(world.db), { orders_done: 2_501, median_minutes: 4 });
  // The 50th, 90th and 95th percentile of the last thirty days.
  const [[, taken] = []] = [...(await timesTaken(world.db, slugOf))];
  assert.deepEqual(taken, { orders: 101, median: 4, max: 15, longest: 15 });
  const steps = await world.db.rows<{ step: string; orders: number }>(
    'select step, sum(orders)::int as orders from order_time group by 1 order by 1',
  );
  const taken30 = await world.db.row<{ orders: number; seconds: number }>(
    'select sum(orders)::int as orders, max(seconds) as seconds from order_taken',
  );
  assert.equal(taken30?.orders, 2_501, 'what the clock said of each, too');
  assert.deepEqual(steps, [
    { step: 'arrived', orders: 2_501 },
    { step: 'paid', orders: 2_501 },
  ]);
});
