// Stores the desk's money that is set aside for owners (orders, deposits) that are not paid yet, and the totals of this money.
// Names of totals: `USDT`, `USDT visitors`, `USDT 203.0.113.0/24`.

import type { Owner, Statements, Tx } from '../../platform/index.ts';

/** Returns the parts of totals, by name. Totals that were never used are missing. */
export async function heldUnder(db: Statements, keys: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ key: string; parts: string }>('select key, parts from hold_total where key = any ($1)', [keys], {
    name: 'compliance.held_under',
  });
  return new Map(rows.map(({ key, parts }) => [key, BigInt(parts)]));
}

/**
 * Releases the money set aside for owners: subtracts it from their totals, which are locked in sequence. Owners without such
 * money are skipped.
 */
export async function freeHolds(tx: Tx, owners: readonly Owner[]): Promise<void> {
  if (owners.length === 0) return;
  const freed = await tx.rows<{ key: string; parts: string }>(
    `with freed as (delete from unpaid_hold where owner_id = any ($1::uuid[]) returning parts, totals)
     select key, sum(parts) as parts from freed, unnest(totals) as key group by key order by key collate "C"`,
    [owners.map(({ id }) => id)],
  );
  if (freed.length === 0) return;
  await tx.run(
    `insert into hold_total (key, parts) select key, 0 from unnest($1::text[]) with ordinality as given (key, place)
     order by place on conflict (key) do update set parts = hold_total.parts`,
    [freed.map(({ key }) => key)],
  );
  await tx.run(
    `update hold_total set parts = hold_total.parts - freed.parts
     from unnest($1::text[], $2::numeric[]) as freed (key, parts) where hold_total.key = freed.key`,
    [freed.map(({ key }) => key), freed.map(({ parts }) => parts)],
  );
}

/** Returns the parts that are set aside, by unit. */
export async function heldByUnit(db: Statements): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ key: string; parts: string }>(`select key, parts from hold_total where key not like '% %'`, [], {
    name: 'compliance.held_by_unit',
  });
  return new Map(rows.map(({ key, parts }) => [key, BigInt(parts)]));
}

/** Returns the names of totals that differ from the sum of the amounts that they include. */
export async function wrongTotals(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(
    `select key from hold_total full join
       (select key, sum(parts) as held from unpaid_hold, unnest(totals) as key group by key) as sums using (key)
     where coalesce(hold_total.parts, 0) <> coalesce(held, 0) order by key`,
  );
  return rows.map(({ key }) => key);
}
