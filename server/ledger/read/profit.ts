import type { Statements } from '../../platform/index.ts';
import { KINDS } from '../chart/journal.ts';
import { type Usd, formatUsd, usdOf } from './usd.ts';

/** USD for one whole unit, as plain decimals by unit. */
export type Prices = Readonly<Record<string, string>>;

export interface ProfitPeriod {
  /** Start of the period, exclusive; by default before the first posting. */
  readonly after?: Date;
  /** End of the period, inclusive; by default after the last posting. */
  readonly until?: Date;
  /** Prices at the start of the period. A missing unit gets the last price of an earlier posting. */
  readonly opening?: Prices;
  /** Prices at the end of the period. A missing unit gets the last price of an earlier posting. */
  readonly closing?: Prices;
}

/** The desk's own money in one unit at the start and at the end of the period, in parts. */
export interface OwnMoney {
  readonly unit: string;
  readonly opening: bigint;
  readonly closing: bigint;
  /** Number of changes of own money without a price. Such changes are valued at the unit's last known price. */
  readonly unpriced: number;
}

/**
 * The desk's profit in USD, as exact plain decimals. `profit` is computed in two ways: closing − opening − capital, and
 * operating + revaluation.
 */
export interface Profit {
  readonly units: readonly OwnMoney[];
  readonly opening: string;
  readonly closing: string;
  readonly capital: string;
  readonly operating: string;
  readonly revaluation: string;
  readonly profit: string;
  /** True if both ways to compute `profit` give exactly the same result. */
  readonly isExact: boolean;
}

// SQL: the parts of the profit, by unit. Only legs between the desk's own money and other money change the own money. A change
// without a price uses the unit's last price. Own money is constant between two changes, so the revaluation between them is the
// own money × (new price − previous price).
const PROFIT = `
  with crossing as (
    select source.unit, posting.at, posting.journal, posting.leg, posting.price,
           posting.kind = any ($5::smallint[]) as is_capital,
           case when target.class in ('own', 'spent') then posting.parts else -posting.parts end as change
    from posting join account source on source.id = from_id join account target on target.id = to_id
    where (source.class in ('own', 'spent')) <> (target.class in ('own', 'spent'))
      and posting.at <= coalesce($2::timestamptz, 'infinity')
  ),
  numbered as (
    select crossing.*, at > coalesce($1::timestamptz, '-infinity') as is_inside,
           sum(change) over past - change as own_before,
           count(price) over past as prices_so_far
    from crossing window past as (partition by unit order by at, journal, leg rows unbounded preceding)
  ),
  carried as (
    select numbered.*, coalesce(max(price) over (partition by unit, prices_so_far), 0) as known_price from numbered
  ),
  walked as (
    select carried.*, lead(is_inside) over past as next_is_inside,
           case when lag(is_inside) over past then lag(known_price) over past end as price_before
    from carried window past as (partition by unit order by at, journal, leg)
  ),
  ends as (
    select unit,
           coalesce(sum(change) filter (where not is_inside), 0) as own_opening,
           sum(change) as own_closing,
           coalesce(($3::jsonb ->> unit)::numeric,
                    max(known_price) filter (where not is_inside and next_is_inside is distinct from false), 0) as opening_price,
           coalesce(($4::jsonb ->> unit)::numeric, max(known_price) filter (where next_is_inside is null)) as closing_price,
           max(known_price) filter (where next_is_inside is null) as last_price
    from walked group by unit
  ),
  sums as (
    select unit,
           coalesce(sum(change * known_price) filter (where is_capital), 0) as capital,
           coalesce(sum(change * known_price) filter (where not is_capital), 0) as operating,
           coalesce(sum(own_before * (known_price - coalesce(price_before, opening_price))), 0) as revaluation,
           count(*) filter (where price is null) as unpriced,
           count(*) as changes
    from walked join ends using (unit) where is_inside group by unit
  )
  select unit, own_opening, own_closing,
         own_opening * opening_price as opening, own_closing * closing_price as closing,
         coalesce(capital, 0) as capital, coalesce(operating, 0) as operating,
         coalesce(revaluation, 0)
           + own_closing * (closing_price - case when changes > 0 then last_price else opening_price end) as revaluation,
         coalesce(unpriced, 0) as unpriced
  from ends left join sums using (unit) order by unit`;

type ProfitRow = Record<'unit' | 'own_opening' | 'own_closing' | 'unpriced', string> & Record<Sum, string>;
type Sum = 'opening' | 'closing' | 'capital' | 'operating' | 'revaluation';

/**
 * Returns the desk's profit: the change in value of its own money, less capital put in or taken out. For verification, the
 * profit is also computed as operating result (each change of own money at its journal's price) + revaluation (own money ×
 * price changes).
 */
export async function profit(db: Statements, { after, until, opening, closing }: ProfitPeriod = {}): Promise<Profit> {
  const capitalKinds = [KINDS.capital_in, KINDS.capital_out];
  const values = [after ?? null, until ?? null, opening ?? {}, closing ?? {}, capitalKinds];
  const rows = await db.rows<ProfitRow>(PROFIT, values);
  const total = (sum: Sum): Usd => rows.reduce((usd, row) => usd + usdOf(row.unit, row[sum]), 0n);
  const earned = total('closing') - total('opening') - total('capital');
  return {
    units: rows.map((row) => ({
      unit: row.unit,
      opening: BigInt(row.own_opening),
      closing: BigInt(row.own_closing),
      unpriced: +row.unpriced,
    })),
    opening: formatUsd(total('opening')),
    closing: formatUsd(total('closing')),
    capital: formatUsd(total('capital')),
    operating: formatUsd(total('operating')),
    revaluation: formatUsd(total('revaluation')),
    profit: formatUsd(earned),
    isExact: earned === total('operating') + total('revaluation'),
  };
}
