// Changes of the desk's own money within a period, summed by day, unit, kind of journal, pair of currencies and place.

import type { Statements } from '../../platform/index.ts';
import { EXCHANGED } from '../chart/chart.ts';
import { type JournalKind, KINDS, kindOf } from '../chart/journal.ts';
import { accountTypeExpression } from '../chart/account-types-sql.ts';
import { type Usd, usdOf } from './usd.ts';

/** SQL queries for rows of other rooms that reports need. */
export interface ReportedRows {
  /** Query for `(id, give, get)`: the two currencies of each row for which a journal may be posted, such as an order. */
  readonly pairs: string;
  /** Query for `(id, currency)`: the currency of each payout. */
  readonly payouts: string;
}

export interface MovesPeriod {
  /** Start of the period, inclusive. */
  readonly from: Date;
  /** End of the period, exclusive. */
  readonly until: Date;
  /** True if each day (UTC) is summed separately. */
  readonly isByDay: boolean;
}

/**
 * Sum of the changes of own money with the same `day`, `unit`, `kind`, `pair`, `place`, `isCost` and `isOut`. A sum may be
 * negative.
 */
export interface OwnMove {
  /** The day in UTC; undefined if days are not summed separately. */
  readonly day: string | undefined;
  readonly unit: string;
  readonly kind: JournalKind;
  /**
   * The currencies of the order that caused the changes, if an order did. `get` is undefined until the customer has chosen that
   * currency.
   */
  readonly pair: { readonly give: string; readonly get: string | undefined } | undefined;
  /** The currency of the custody account or payout on the other side of the changes. */
  readonly place: string | undefined;
  /** True for an expense, and for a difference between books and rail. */
  readonly isCost: boolean;
  /** True if the money came from an order's reserve, or went to or from the money that the order pays out. */
  readonly isOut: boolean;
  /** Change of own money, in parts. */
  readonly change: bigint;
  /** Value of the change in USD, as in `Profit.operating`; 0 for capital. */
  readonly operating: Usd;
  /** Value in USD of the amounts that customers gave in exchanges. Unwound exchanges are subtracted. */
  readonly turnover: Usd;
  /** Number of exchanges. Unwound exchanges are subtracted. */
  readonly exchanges: number;
}

const CAPITAL: readonly number[] = [KINDS.capital_in, KINDS.capital_out];

/** SQL: legs between the desk's own money and other money, as in `profit`. $1: start, inclusive; $2: end, exclusive. */
const CROSSING = `
  select source.unit, posting.at, posting.journal, posting.leg, posting.kind, posting.cause, posting.price,
         case when target.class in ('own', 'spent') then posting.parts else -posting.parts end as change,
         case when target.class in ('own', 'spent') then target.name else source.name end as own,
         case when target.class in ('own', 'spent') then source.name else target.name end as other
  from posting join account source on source.id = from_id join account target on target.id = to_id
  where (source.class in ('own', 'spent')) <> (target.class in ('own', 'spent')) and posting.at >= $1 and posting.at < $2`;

/**
 * Returns the SQL query for `OwnMove`. The query recognises exchanges by their legs, since a journal of several steps has the
 * kind of its last step. Exchanges that were unwound or bought back are subtracted. The fee of a later refund is not
 * subtracted.
 */
const moves = ({ pairs, payouts }: ReportedRows): string => `
  with crossing as (${CROSSING}),
  numbered as (
    select crossing.*, count(price) over (partition by unit order by at, journal, leg rows unbounded preceding) as prices_so_far
    from crossing
  ),
  carried as (
    select numbered.*, coalesce(max(price) over (partition by unit, prices_so_far), ($3::jsonb ->> unit)::numeric, 0) as known_price,
           ${accountTypeExpression('own')} as own_type, ${accountTypeExpression('other')} as other_type
    from numbered
  ),
  said as (
    select carried.*, caused.give, caused.get,
           bool_or(own_type = '${EXCHANGED.promised}' and other_type = '${EXCHANGED.got}') over one_journal as is_exchange,
           bool_or(own_type = '${EXCHANGED.free}' and other_type = '${EXCHANGED.got}') over one_journal as is_unwound,
           case when $4 then to_char(at at time zone 'UTC', 'YYYY-MM-DD') end as day,
           case when other like 'custody:%' then split_part(other, ':', 2) else paid.currency end as place,
           own_type like 'spent:%' or own_type = 'suspense' as is_cost,
           own_type = '${EXCHANGED.promised}' or other_type = '${EXCHANGED.got}' as is_out
    from carried
    left join (${pairs}) as caused on caused.id = carried.cause
    left join (${payouts}) as paid on paid.id = case when other like 'payout:%' then split_part(other, ':', 2)::uuid end
    window one_journal as (partition by journal)
  )
  select day, unit, kind, give, get, place, is_cost, is_out, sum(change) as change,
         coalesce(sum(change * known_price) filter (where kind <> all ($5::smallint[])), 0) as operating,
         coalesce(sum(change * known_price) filter (where other_type = '${EXCHANGED.given}'
           and (is_exchange or is_unwound and not (own_type = '${EXCHANGED.fee}' and change > 0))), 0) as turnover,
         count(distinct journal) filter (where other_type = '${EXCHANGED.given}' and not is_cost and is_exchange)
           - count(distinct journal) filter (where other_type = '${EXCHANGED.given}' and not is_cost and is_unwound) as exchanges
  from said group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`;

type MoveRow = Record<'unit' | 'change' | 'operating' | 'turnover' | 'exchanges', string> &
  Record<'day' | 'give' | 'get' | 'place', string | null> & { kind: number; is_cost: boolean; is_out: boolean };

/**
 * Returns the changes of own money within a period. The sum of all `operating` is exactly the `operating` of `profit` for the
 * same period. Reads only the period's postings, by the index over their times.
 */
export async function ownMoves(db: Statements, { from, until, isByDay }: MovesPeriod, rows: ReportedRows): Promise<OwnMove[]> {
  const prices = await pricesBefore(db, await unitsBegunWithoutPrice(db, from, until), from);
  const found = await db.rows<MoveRow>(moves(rows), [from, until, prices, isByDay, CAPITAL]);
  return found.map(({ day, unit, kind, give, get, place, is_cost: isCost, is_out: isOut, ...row }) => ({
    ...{ day: day ?? undefined, unit, kind: kindOf(kind), place: place ?? undefined, isCost, isOut },
    pair: give === null ? undefined : { give, get: get ?? undefined },
    change: BigInt(row.change),
    operating: usdOf(unit, row.operating),
    turnover: usdOf(unit, row.turnover),
    exchanges: +row.exchanges,
  }));
}

/** Returns the units whose first change of own money in the period has no price. */
async function unitsBegunWithoutPrice(db: Statements, from: Date, until: Date): Promise<string[]> {
  const rows = await db.rows<{ unit: string }>(
    `select unit from (select distinct on (unit) unit, price from (${CROSSING}) as crossing order by unit, at, journal, leg) as first
     where price is null`,
    [from, until],
  );
  return rows.map(({ unit }) => unit);
}

const DAY_MS = 24 * 3_600_000;
/** Maximum step of the search for a price, in days. Exceeds the age of any books. */
const MAX_DAYS = 16_384;

/**
 * Returns the last price of each unit before `end`, taken from changes of own money. Units without a price are missing in the
 * result.
 */
export async function pricesBefore(db: Statements, units: readonly string[], end: Date): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  if (units.length === 0) return found;
  // Searches backwards in growing steps. A unit in use has a price within days, and steps before the first posting cost nothing.
  for (let until = end.getTime(), days = 1; days <= MAX_DAYS; days *= 2) {
    const missing = units.filter((unit) => found[unit] === undefined);
    if (missing.length === 0) break;
    const from = until - days * DAY_MS;
    const rows = await db.rows<{ unit: string; price: string }>(
      `select distinct on (unit) unit, price from (${CROSSING}) as crossing
       where price is not null and unit = any ($3) order by unit, at desc, journal desc, leg desc`,
      [new Date(from), new Date(until), missing],
    );
    for (const { unit, price } of rows) found[unit] = price;
    until = from;
  }
  return found;
}

/**
 * Returns the desk's own money by unit just before `at`, in parts. Computed as the current balances less the changes since
 * `at`.
 */
export async function ownBefore(db: Statements, at: Date): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ unit: string; parts: string }>(
    `select unit, sum(parts) as parts from (
       select unit, balance as parts from account where class in ('own', 'spent')
       union all
       select unit, -change from (${CROSSING}) as crossing) as all_parts group by unit order by unit`,
    [at, 'infinity'],
  );
  return new Map(rows.map(({ unit, parts }) => [unit, BigInt(parts)]));
}
