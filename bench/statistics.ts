// What an affiliate asks of a long history: the days of a campaign, and their own page, over the API of a running system with a
// million clicks and a hundred thousand orders behind them, a tenth of them theirs.

import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import type { System } from '../e2e/harness/system.ts';
import { type Db } from '../server/platform/index.ts';
import { type Holder, addHolders, openSystemDb } from './harness/holders.ts';
import type { SpeedRow } from './ledger.ts';
import { median, quantile } from './harness/measure.ts';
import { row } from './harness/table.ts';

const [CLICKS, ORDERS, AFFILIATES] = [1_000_000, 100_000, 10];
const ASKED = 60;

/** The rows of statistics, of a system whose database is filled for them. */
export async function statisticsRows(system: System): Promise<SpeedRow[]> {
  const db = await openSystemDb(system);
  try {
    const [holder] = (await db.tx((tx) => addHolders(tx, AFFILIATES))) as [Holder];
    const begun = performance.now();
    await fill(db);
    const seconds = (performance.now() - begun) / 1_000;
    const client = clientOf(system, holder);
    const { total } = await client.affiliateStatistics({});
    if (total.clicks < CLICKS / AFFILIATES / 4) throw new Error(`${total.clicks} clicks are shown`);
    const words = `${CLICKS} clicks and ${ORDERS} orders, filled in ${seconds.toFixed(0)} s; one caller`;
    const days = await timesOf(() => client.affiliateStatistics({}));
    const page = await timesOf(async () => [
      await client.affiliate({}),
      await client.affiliateRewards({ page: 1, per_page: 20 }),
    ]);
    const beside = `median ${median(days).toFixed(1)} ms; page with its rewards ${quantile(page, 0.95).toFixed(1)} ms; ${words}`;
    return [row('statistics of an affiliate at the API, p95', '≤', 20, quantile(days, 0.95), ' ms', beside)];
  } finally {
    await db.close();
  }
}

/** Milliseconds of calls, one after the other; the first ones warm up. */
async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let number = -10; number < ASKED; number += 1) {
    const begun = performance.now();
    await call();
    if (number >= 0) times.push(performance.now() - begun);
  }
  return times;
}

function clientOf({ url }: System, { token }: Holder): Client {
  return createClient(httpTransport({ base: url, clientId: 'web', locale: () => 'en', token: () => token, fetch }));
}

/** Clicks of ninety days in five campaigns, with orders and rewards, in one statement. */
const FILL = `
  with holders as (
    select array_agg(id) as ids from (select id from account_holder where email like '%@bench.example' order by created_at desc, id limit $3) as h
  ), clicks as (
    insert into affiliate_click (day, holder_id, campaign, device)
    select (clock_now() at time zone 'UTC')::date - n % 90, ids[1 + n % $3], 'c' || n % 5, 'device ' || n
    from holders, generate_series(1, $1) as n returning day, holder_id, campaign
  ), orders as (
    insert into referred_order (order_id, affiliate, campaign, sub, give, get, customer, placed_at, completed_at, matures_at, profit, worth)
    select gen_random_uuid(), ids[1 + n % $3], 'c' || n % 5, '', 'BTC', 'USDT_ERC20', 'customer ' || n % 20000, at, at, at + interval '7 days',
      1000000, 100000
    from holders, generate_series(1, $2) as n, lateral (select clock_now() - n % 90 * interval '1 day' as at) as t
    returning order_id, affiliate, campaign, completed_at, matures_at
  ), rewards as (
    insert into reward (id, order_id, tier, holder_id, state, parts, matures_at, made_at, state_at)
    select gen_random_uuid(), order_id, 1, affiliate, 'reversed', 300000, matures_at, completed_at, completed_at from orders
  )
  insert into affiliate_day as d (holder_id, day, campaign, clicks, orders, profit, reward)
  select holder_id, day, campaign, sum(clicks), sum(orders), sum(orders) * 1000000, sum(orders) * 300000
  from (
    select holder_id, day, campaign, 1 as clicks, 0 as orders from clicks
    union all select affiliate, (completed_at at time zone 'UTC')::date, campaign, 0, 1 from orders
  ) as each group by 1, 2, 3`;

async function fill(db: Db): Promise<void> {
  await db.run(FILL, [CLICKS, ORDERS, AFFILIATES]);
  for (const table of ['affiliate_click', 'affiliate_day', 'referred_order', 'reward']) await db.run(`analyze ${table}`);
}
