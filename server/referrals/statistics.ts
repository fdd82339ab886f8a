// Results of an affiliate's links, by day and campaign. Rows are counted as events happen, so the cost of reading them doesn't
// depend on the number of clicks and orders.

import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import type { Cell, Db, Statements, Tx } from '../platform/index.ts';
import type { Sender } from './campaigns.ts';

/** Additions to a day's results, or subtractions if an exchange was undone. Amounts are minor units of the unit of rewards. */
export interface DayCounted extends Sender {
  readonly at: Date;
  readonly signUps?: number;
  readonly orders?: number;
  readonly profit?: bigint;
  readonly reward?: bigint;
}

/** Counts events, in the transaction of the change. */
export async function countDays(tx: Tx, counted: readonly DayCounted[]): Promise<void> {
  if (counted.length === 0) return;
  await tx.run(
    `insert into affiliate_day as d (holder_id, day, campaign, sign_ups, orders, profit, reward)
     select holder, day, campaign, sum(sign_ups), sum(orders), sum(profit), sum(reward)
     from unnest($1::uuid[], $2::date[], $3::text[], $4::int[], $5::int[], $6::numeric[], $7::numeric[])
       as c (holder, day, campaign, sign_ups, orders, profit, reward)
     group by 1, 2, 3 order by 1, 2, 3
     on conflict (holder_id, day, campaign) do update set sign_ups = d.sign_ups + excluded.sign_ups,
       orders = d.orders + excluded.orders, profit = d.profit + excluded.profit, reward = d.reward + excluded.reward`,
    [
      counted.map(({ holderId }) => holderId),
      counted.map(({ at }) => at.toISOString().slice(0, 10)),
      counted.map(({ campaign }) => campaign),
      counted.map(({ signUps = 0 }) => signUps),
      counted.map(({ orders = 0 }) => orders),
      counted.map(({ profit = 0n }) => profit.toString()),
      counted.map(({ reward = 0n }) => reward.toString()),
    ],
    { name: 'referrals.count_days' },
  );
}

type Shown = Output<Routes['affiliateStatistics']>;
type Asked = Partial<Pick<Input<Routes['affiliateStatistics']>, 'from' | 'to' | 'campaign'>>;

interface Row {
  readonly day: string;
  readonly campaign: string;
  readonly clicks: number;
  readonly sign_ups: number;
  readonly orders: number;
  readonly profit: string;
  readonly reward: string;
}

/** Number of days shown by default, and the maximum. */
const USUAL_DAYS = 30;
const MAX_DAYS = 92;
const DAY_MS = 86_400_000;

/**
 * Returns the requested days (UTC), both included. Throws `validation` for more than the maximum, and on `to` if it lies before
 * `from`.
 */
export function daysRequested(
  { from, to }: Pick<Asked, 'from' | 'to'>,
  now: Date,
): { readonly from: string; readonly to: string } {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(new Date(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS));
  if (first > last) throw fieldProblem('to', 'to_before_from');
  if (Date.parse(last) - Date.parse(first) >= MAX_DAYS * DAY_MS)
    throw fieldProblem('from', 'days_too_many', { max: String(MAX_DAYS) });
  return { from: first, to: last };
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Returns an affiliate's days with results, the newest first, each campaign separately; and their sums. */
export async function statisticsOf(db: Statements, holderId: string, request: Asked, now: Date): Promise<Shown> {
  const days = daysRequested(request, now);
  const rows = await rowsOf(db, holderId, { ...days, campaign: request.campaign });
  return {
    ...days,
    total: wire(totalOf(rows)),
    days: rows.map((row) => ({ day: row.day, campaign: row.campaign, ...wire(row) })),
  };
}

/** Returns the rows between two days, of one campaign if it is named. */
async function rowsOf(
  db: Statements,
  holderId: string,
  { from, to, campaign }: { readonly from: string; readonly to: string; readonly campaign?: string | undefined },
): Promise<Row[]> {
  return db.rows<Row>(STATISTICS, [holderId, from, to, campaign ?? null], { name: 'referrals.statistics' });
}

const STATISTICS = `select to_char(day, 'YYYY-MM-DD') as day, campaign, clicks, sign_ups, orders, profit::text, reward::text
  from affiliate_day where holder_id = $1 and day between $2::date and $3::date and ($4::text is null or campaign = $4)
  order by day desc, campaign`;

type Counts = Omit<Row, 'day' | 'campaign'>;

function totalOf(rows: readonly Counts[]): Counts {
  const count = (name: 'clicks' | 'sign_ups' | 'orders'): number => rows.reduce((all, row) => all + row[name], 0);
  const sum = (name: 'profit' | 'reward'): string => rows.reduce((all, row) => all + BigInt(row[name]), 0n).toString();
  return {
    ...{ clicks: count('clicks'), sign_ups: count('sign_ups'), orders: count('orders') },
    ...{ profit: sum('profit'), reward: sum('reward') },
  };
}

const wire = ({ clicks, sign_ups, orders, profit, reward }: Counts): Shown['total'] => ({
  ...{ clicks, sign_ups, orders },
  profit: written(profit),
  reward: written(reward),
});

const written = (parts: string): string => format(money(REWARD_UNIT, BigInt(parts)));

const HEADING = ['Day', 'Campaign', 'Clicks', 'Sign-ups', 'Orders', 'Profit, USDT', 'Reward, USDT'];

/** Returns the same as rows of a file. Throws as `daysRequested`. */
export async function* statisticsRows(db: Db, holderId: string, request: Asked): AsyncGenerator<readonly (readonly Cell[])[]> {
  const rows = await rowsOf(db, holderId, { ...daysRequested(request, await db.now()), campaign: request.campaign });
  yield [HEADING];
  yield rows.map(({ day, campaign, ...counts }): Cell[] => {
    const { clicks, sign_ups, orders, profit, reward } = wire(counts);
    return [day, campaign, ...[clicks, sign_ups, orders].map(String), { amount: profit }, { amount: reward }];
  });
}
