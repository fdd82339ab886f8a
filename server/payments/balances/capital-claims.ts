// Capital that somebody has booked and that its rail has not shown: it promises nothing until it has.

import { type Money, money } from '@kurs/money';
import type { Statements, Tx } from '../../platform/index.ts';
import { currencyOf } from '../rails/registry.ts';
import { capitalTwoPeople } from '../rails/settings.ts';
import { type Values, marketValues } from '../rails/values.ts';

export interface CapitalClaim {
  /** The id of the action that books it. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
}

/** Notes capital at a hot wallet that is about to be booked. */
export async function claimCapital(tx: Tx, { id, currency, parts }: CapitalClaim): Promise<void> {
  const unit = currencyOf(currency)?.unit ?? currency;
  await tx.run(
    `insert into capital_claim (id, currency, place, unit, parts, at) values ($1, $2, 'hot', $3, $4, $5) on conflict do nothing`,
    [id, currency, unit, parts, tx.now],
  );
}

/**
 * How many people book so much capital: two above a bound, or where nobody knows what it is worth. All that no rail has shown
 * yet counts with it: in pieces it is as much. Until the transaction ends nobody else is told.
 */
export async function peopleForCapital(
  tx: Tx,
  unit: string,
  parts: bigint,
  { usd }: Pick<Values, 'usd'> = marketValues,
): Promise<1 | 2> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('payments.capital'))`);
  const claimed = await unshownCapital(tx);
  const sums = new Map(claimed).set(unit, parts + (claimed.get(unit) ?? 0n));
  let whole = 0n;
  for (const [one, sum] of sums) {
    const worth = usd(money(one, sum) as Money);
    if (worth === null) return 2;
    whole += worth;
  }
  return whole > capitalTwoPeople() ? 2 : 1;
}

/** Capital that no rail has shown yet, in parts, by unit. */
export async function unshownCapital(db: Statements): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ unit: string; parts: string }>(
    'select unit, sum(parts) as parts from capital_claim group by unit',
    [],
    { name: 'payments.unshown_capital' },
  );
  return new Map(rows.map(({ unit, parts }) => [unit, BigInt(parts)]));
}

/** The same by currency. */
export async function claimsOf(db: Statements): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ currency: string; parts: string }>(
    'select currency, sum(parts) as parts from capital_claim group by currency',
  );
  return new Map(rows.map(({ currency, parts }) => [currency, BigInt(parts)]));
}

/** What claims say was booked, for the proof of the books. */
export const CLAIMED = `select id as cause, 'custody:' || currency || ':' || place as source, 'desk:free:' || unit as target, parts
  from capital_claim`;

/** A rail has shown what was booked of a currency until a moment. */
export async function shownCapital(db: Statements, currency: string, until: Date): Promise<void> {
  await db.run('delete from capital_claim where currency = $1 and at <= $2', [currency, until]);
}
