import { REWARD_UNIT } from '@kurs/money';
import { type Fault, type BooksCheck, accounts, accuse, holdings, unlikeBooks } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { prizeOf } from './draw.ts';
import { alteredDraws } from './draw-store.ts';
import { alteredSums } from './macs.ts';
import { alteredOrders, missingOrders } from './orders.ts';

/** Draws that were claimed and tasks that were paid: what each moved. */
const WON = `select id, holder_id, prize as parts from earn_draw where state = 'claimed'
  union all select id, holder_id, parts from earn_task`;
const WON_MOVED = `select id as cause, 'promo:earn:${REWARD_UNIT}' as source,
  'earn:' || holder_id || ':${REWARD_UNIT}' as target, parts from (${WON}) as won`;
const PAID_MOVED = `select id as cause, 'earn:' || holder_id || ':${REWARD_UNIT}' as source,
  'wallet:' || holder_id || ':${REWARD_UNIT}' as target, parts from earn_out where way = 'wallet'`;

/** Holders whose sums are not those of their draws, tasks and what went on. */
const WRONG_HOLDERS = `select h.holder_id as id from earn_holder as h
  left join (select holder_id, sum(parts) as won from (${WON}) as all_won group by 1) as w using (holder_id)
  left join (
    select holder_id, sum(parts) as used, coalesce(sum(parts) filter (where way = 'wallet'), 0) as to_wallet from earn_out group by 1
  ) as o using (holder_id)
  where ($1::uuid[] is null or h.holder_id = any ($1))
    and (h.won, h.used, h.to_wallet) is distinct from (coalesce(w.won, 0), coalesce(o.used, 0), coalesce(o.to_wallet, 0))
  order by 1`;

/** Days from `$1` on that bound more, or less, than their draws and tasks come to, one without a row among them. */
const WRONG_DAYS = `with said as (
    select day, sum(parts) as parts from (
      select (hour at time zone 'UTC')::date as day, case state when 'open' then max when 'claimed' then prize else 0 end as parts
      from earn_draw where hour >= $1
      union all select (at at time zone 'UTC')::date, parts from earn_task where at >= $1
    ) as each group by day
  )
  select day::text as id from said full join earn_day using (day)
  where day >= ($1 at time zone 'UTC')::date and coalesce(earn_day.parts, 0) <> coalesce(said.parts, 0)
  order by 1`;

/** Checks that prizes and tasks follow seeds and rules, that the books hold them, and the limits of a day. */
export const earnCheck: BooksCheck = {
  accountTypes: ['earn', 'promo:earn'],
  causes: [
    { kinds: ['earn'], rows: 'select id from earn_draw union all select id from earn_task' },
    { kinds: ['earn_paid', 'earn_given_up'], rows: 'select id from earn_out' },
  ],
  async balances(db) {
    const rows = await db.rows<{ holder_id: string; parts: string }>(
      'select holder_id, won - used as parts from earn_holder where won > used order by holder_id',
    );
    const pot = await db.row<{ parts: string }>(
      `select (select coalesce(sum(won), 0) from earn_holder)
         - (select coalesce(sum(parts), 0) from earn_out where way = 'given_up') as parts`,
    );
    return [
      { account: potAccount('earn'), parts: -BigInt(pot?.parts ?? '0'), of: 'prizes and tasks' },
      ...rows.map(({ holder_id: id, parts }) => ({
        ...{ account: accounts.earn(id, REWARD_UNIT), parts: BigInt(parts), of: `the prizes of ${id}` },
      })),
    ];
  },
  async faults(db, scope) {
    const holders = scope ? (await holdings(db, 'earn', scope)).map(({ id }) => id) : null;
    const wrong = await db.rows<{ id: string }>(WRONG_HOLDERS, [holders]);
    const today = new Date((await clock(db)).setUTCHours(0, 0, 0, 0));
    const days = await db.rows<{ id: string }>(WRONG_DAYS, [today]);
    const unlike = [
      await unlikeBooks(db, 'earn', WON_MOVED, scope),
      await unlikeBooks(db, 'earn_paid', PAID_MOVED, scope),
    ].flat();
    return [
      ...accuse('earn', unlike, 'what was won, or paid of it, is not in the books so'),
      ...accuse(
        'earn',
        wrong.map(({ id }) => id),
        'what the holder has won is not what their draws and tasks say',
      ),
      ...accuse(
        'earn',
        days.map(({ id }) => id),
        'what the day’s prizes come to is not what its draws and tasks say',
      ),
      ...accuse('earn', await alteredDraws(db, scope?.causes), 'the draw is not as it was begun or claimed'),
      ...accuse('earn', await alteredSums(db, scope?.causes), 'the task, or what went on of prizes, is not as it was written'),
      ...accuse('earn', await alteredOrders(db, scope?.causes), 'what is kept of the order is not as it was told'),
      ...accuse('earn', await missingOrders(db, scope?.causes), 'the order was completed, and nothing is kept of it'),
      ...(await unfairDraws(db, scope?.causes)),
    ];
  },
};

async function clock(db: Statements): Promise<Date> {
  return (await db.row<{ now: Date }>('select clock_now() as now'))?.now ?? new Date(0);
}

interface Claimed {
  id: string;
  seed: Buffer;
  prizes: { prize: string; weight: number }[];
  client_seed: string;
  prize: string;
}
const BATCH_SIZE = 5_000;

/** Claimed draws whose prize is not what their seed gives. `among`: of these alone. */
async function unfairDraws(db: Statements, among: readonly string[] | undefined): Promise<Fault[]> {
  const faults: Fault[] = [];
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db.rows<Claimed>(
      `select id, seed, prizes, client_seed, prize from earn_draw
       where state = 'claimed' and id > $1 and ($2::uuid[] is null or id = any ($2)) order by id limit ${BATCH_SIZE}`,
      [last, among ?? null],
    );
    const unfair = rows.filter((one) => prizeOf({ ...one, table: one.prizes }, one.client_seed) !== BigInt(one.prize));
    faults.push(
      ...accuse(
        'earn',
        unfair.map(({ id }) => id),
        'the prize of the draw is not what its seed gives',
      ),
    );
    const next = rows.at(-1)?.id;
    if (next === undefined || rows.length < BATCH_SIZE) return faults;
    last = next;
  }
}
