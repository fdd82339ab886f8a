// Capital that was booked, but that its rail's balance does not show yet. Until the balance shows it, the capital promises
// nothing.

import { type Money, money } from '@kurs/money';
import type { Statements, Tx } from '../../platform/index.ts';
import { currencyOf } from '../rails/registry.ts';
import { capitalTwoPeople } from '../rails/settings.ts';
import { type Values, marketValues } from '../rails/values.ts';

export interface CapitalClaim {
  /** Id of the desk's action that books the capital. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
}

/** Records capital that is about to be booked at a hot wallet. */
export async function claimCapital(tx: Tx, { id, currency, parts }: CapitalClaim): Promise<void> {
  const unit = currencyOf(currency)?.unit ?? currency;
  await tx.run(
    `insert into capital_claim (id, currency, place, unit, parts, at) values ($1, $2, 'hot', $3, $4, $5) on conflict do nothing`,
    [id, currency, unit, parts, tx.now],
  );
}

/**
 * Returns the number of people needed to book an amount of capital: two if the amount is above a limit or of unknown value.
 * Capital that no balance shows yet is added to the amount first, so splitting an amount doesn't avoid the limit. Takes a lock:
 * concurrent callers wait for this transaction.
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

/** Returns the capital that no rail's balance shows yet, in parts, by unit. */
export async function unshownCapital(db: Statements): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ unit: string; parts: string }>(
    'select unit, sum(parts) as parts from capital_claim group by unit',
    [],
    { name: 'payments.unshown_capital' },
  );
  return new Map(rows.map(({ unit, parts }) => [unit, BigInt(parts)]));
}

/** Returns the capital that no rail's balance shows yet, in parts, by currency. */
export async function claimsOf(db: Statements): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ currency: string; parts: string }>(
    'select currency, sum(parts) as parts from capital_claim group by currency',
  );
  return new Map(rows.map(({ currency, parts }) => [currency, BigInt(parts)]));
}

/** SQL: the journal that each capital claim should have. The proof of the books compares these journals with the posted ones. */
export const CLAIMED = `select id as cause, 'custody:' || currency || ':' || place as source, 'desk:free:' || unit as target, parts
  from capital_claim`;

/** Deletes a currency's capital claims made up to `until`, because the rail's balance now includes that capital. */
export async function shownCapital(db: Statements, currency: string, until: Date): Promise<void> {
  await db.run('delete from capital_claim where currency = $1 and at <= $2', [currency, until]);
}
