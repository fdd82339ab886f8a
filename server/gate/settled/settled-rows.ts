// Rows of payments that were settled to stores: copies of what the invoices say, for sums. Each has a MAC.

import { type Statements, type Tx, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { isDeepPayment, netOf, takenUsdOf } from './settled.ts';

/** A settled payment as stored. `parts`: what the store has of it; `usd` and `takenUsd` in cents. */
export interface SettledPayment {
  readonly id: string;
  readonly invoiceId: string;
  readonly storeId: string;
  readonly businessId: string | undefined;
  readonly unit: string;
  readonly parts: bigint;
  /** Part of `parts` that stands in the store's reserve. */
  readonly inReserve: bigint;
  readonly isDeep: boolean;
  readonly at: Date;
  readonly usd: bigint;
  readonly takenUsd: bigint;
  readonly takenAt: Date | undefined;
}

type SettledRow = Omit<SettledPayment, 'businessId' | 'takenAt' | 'parts' | 'inReserve' | 'usd' | 'takenUsd'> & {
  readonly businessId: string | null;
  readonly takenAt: Date | null;
  readonly parts: string;
  readonly inReserve: string;
  readonly usd: string;
  readonly takenUsd: string;
  readonly mac: string | null;
};

const COLUMNS = `id, invoice_id as "invoiceId", store_id as "storeId", business_id as "businessId", unit, parts::text, in_reserve::text as "inReserve",
  is_deep as "isDeep", at, usd::text, taken_usd::text as "takenUsd", taken_at as "takenAt", mac`;

/** Returns a row as text, to compare rows. */
export const settledText = ({
  id,
  invoiceId,
  storeId,
  businessId,
  unit,
  parts,
  inReserve,
  isDeep,
  at,
  usd,
  takenUsd,
  takenAt,
}: SettledPayment): string =>
  steady(
    [id, invoiceId, storeId, businessId ?? null, unit, parts, isDeep, at, usd, takenUsd, takenAt ?? null].concat(
      inReserve > 0n ? [inReserve] : [],
    ),
  );

const fromRow = ({ mac: _mac, ...row }: SettledRow): SettledPayment => ({
  ...row,
  businessId: row.businessId ?? undefined,
  takenAt: row.takenAt ?? undefined,
  parts: BigInt(row.parts),
  inReserve: BigInt(row.inReserve),
  usd: BigInt(row.usd),
  takenUsd: BigInt(row.takenUsd),
});

const isAsStored = (row: SettledRow): boolean => isMac('settled payment', settledText(fromRow(row)), row.mac);

/** Returns the rows that an invoice's settled payments should have. */
export const settledOf = ({ id, store, payments }: Invoice): SettledPayment[] =>
  payments.flatMap((payment) => {
    const { settled } = payment;
    if (!settled) return [];
    const { at, unit, usd, takenAt } = settled;
    const takenUsd = takenUsdOf({ ...payment, settled });
    return {
      ...{ id: payment.id, invoiceId: id, storeId: store.id, businessId: store.businessId, unit, parts: netOf(payment) },
      inReserve: payment.inReserve ?? 0n,
      ...{ isDeep: isDeepPayment(payment), at, usd, takenUsd, takenAt },
    };
  });

/**
 * Returns the rows of invoices' settled payments that differ from those of the invoices before. `before`: by the invoices' ids.
 */
export function changedSettled(invoices: readonly Invoice[], before: ReadonlyMap<string, Invoice>): SettledPayment[] {
  return invoices.flatMap((invoice) => {
    const former = before.get(invoice.id);
    const known = new Set((former ? settledOf(former) : []).map(settledText));
    return settledOf(invoice).filter((row) => !known.has(settledText(row)));
  });
}

/** Adds rows, or replaces them. */
export async function saveSettled(tx: Tx, rows: readonly SettledPayment[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row) => ({
    ...{ id: row.id, invoice_id: row.invoiceId, store_id: row.storeId, business_id: row.businessId ?? null, unit: row.unit },
    ...{
      parts: row.parts.toString(),
      in_reserve: row.inReserve.toString(),
      is_deep: row.isDeep,
      at: row.at,
      usd: row.usd.toString(),
    },
    ...{ taken_usd: row.takenUsd.toString(), taken_at: row.takenAt ?? null, mac: macOf('settled payment', settledText(row)) },
  }));
  await tx.run(
    `insert into settled_payment (id, invoice_id, store_id, business_id, unit, parts, in_reserve, is_deep, at, usd, taken_usd,
       taken_at, mac)
     select id, invoice_id, store_id, business_id, unit, parts, in_reserve, is_deep, at, usd, taken_usd, taken_at, mac
     from jsonb_populate_recordset(null::settled_payment, $1::jsonb)
     on conflict (id) do update set parts = excluded.parts, in_reserve = excluded.in_reserve, is_deep = excluded.is_deep, at = excluded.at, usd = excluded.usd,
       taken_usd = excluded.taken_usd, taken_at = excluded.taken_at, unit = excluded.unit, mac = excluded.mac`,
    [JSON.stringify(given)],
    { name: 'gate.save_settled' },
  );
}

/** Days for which rows count as recent: their MACs are checked before money leaves the store. */
const RECENT_DAYS = 2;

/**
 * Returns the sums of a store's balance that are not deep yet, by unit, in parts. `isAltered`: true if a row that isn't deep, or a
 * recent one, was changed by SQL.
 */
export async function shallowOf(
  db: Statements,
  storeId: string,
): Promise<{ readonly sums: ReadonlyMap<string, bigint>; readonly isAltered: boolean }> {
  const rows = await db.rows<SettledRow>(
    `select ${COLUMNS} from settled_payment where store_id = $1 and not is_deep and parts > 0
     union all
     select ${COLUMNS} from settled_payment
     where store_id = $1 and at > clock_now() - ${RECENT_DAYS} * interval '1 day' and (is_deep or parts = 0)`,
    [storeId],
    { name: 'gate.shallow' },
  );
  const sums = new Map<string, bigint>();
  for (const { unit, parts, inReserve, isDeep } of rows)
    if (!isDeep) sums.set(unit, (sums.get(unit) ?? 0n) + BigInt(parts) - BigInt(inReserve));
  return { sums, isAltered: !rows.every(isAsStored) };
}

/** True if one of some payments was settled to a store, or to another store of its business. */
export async function isAnySettled(
  db: Statements,
  { id, businessId }: { readonly id: string; readonly businessId: string | undefined },
  paymentIds: readonly string[],
): Promise<boolean> {
  if (paymentIds.length === 0) return false;
  const found = await db.row(
    'select from settled_payment where id = any ($1::uuid[]) and (store_id = $2 or business_id = $3) limit 1',
    [paymentIds, id, businessId ?? null],
    { name: 'gate.is_any_settled' },
  );
  return found !== undefined;
}

/** Returns a settled payment; undefined if there is none with this id. */
export async function settledById(
  db: Statements,
  id: string,
): Promise<(SettledPayment & { readonly isAltered: boolean }) | undefined> {
  const row = await db.row<SettledRow>(`select ${COLUMNS} from settled_payment where id = $1`, [id], {
    name: 'gate.settled_by_id',
  });
  return row && { ...fromRow(row), isAltered: !isAsStored(row) };
}

/** Returns the worth in cents of what a business settled since a moment. */
export async function settledUsdSince(db: Statements, businessId: string, since: Date): Promise<bigint> {
  const row = await db.row<{ usd: string }>(
    'select coalesce(sum(usd), 0)::text as usd from settled_payment where business_id = $1 and at > $2',
    [businessId, since],
    { name: 'gate.settled_since' },
  );
  return BigInt(row?.usd ?? 0);
}

/** Returns the worth in cents of what was settled to a store on each of the last days of its time zone, the oldest first. */
export async function settledByDay(
  db: Statements,
  { id, timezone }: { readonly id: string; readonly timezone: string },
  days: number,
): Promise<{ readonly day: string; readonly usd: bigint }[]> {
  const rows = await db.rows<{ day: string; usd: string }>(
    `with today as (select (clock_now() at time zone $2)::date as day)
     select to_char(given.day, 'YYYY-MM-DD') as day, coalesce(sum(usd), 0)::text as usd
     from today cross join lateral generate_series(today.day - $3::int + 1, today.day, interval '1 day') as given (day)
     left join settled_payment on store_id = $1
       and at >= given.day::timestamp at time zone $2 and at < (given.day + interval '1 day')::timestamp at time zone $2
     group by given.day order by given.day`,
    [id, timezone, days],
    { name: 'gate.settled_by_day' },
  );
  return rows.map(({ day, usd }) => ({ day, usd: BigInt(usd) }));
}

/** Returns settled payments in the order of their ids, from the first after `behind`. With `invoiceIds`, only those of them. */
export async function settledAfter(
  db: Statements,
  {
    behind,
    max,
    invoiceIds,
  }: { readonly behind: string | undefined; readonly max: number; readonly invoiceIds?: readonly string[] | undefined },
): Promise<(SettledPayment & { readonly isAltered: boolean })[]> {
  const rows = await db.rows<SettledRow>(
    `select ${COLUMNS} from settled_payment
     where ($1::uuid is null or id > $1) and ($3::uuid[] is null or invoice_id = any ($3)) order by id limit $2`,
    [behind ?? null, max, invoiceIds ?? null],
  );
  return rows.map((row) => ({ ...fromRow(row), isAltered: !isAsStored(row) }));
}

/** Returns the ids of settled payments whose rows were changed by SQL: of the given invoices, or of all. */
export const alteredSettled = (db: Statements, invoiceIds: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    (behind, max) => settledAfter(db, { behind, max, invoiceIds }),
    ({ isAltered }) => !isAltered,
  );

/** Returns the sums of settled payments that stand in the reserves of stores, by store and unit. */
export async function reservesOfStores(
  db: Statements,
): Promise<{ readonly storeId: string; readonly unit: string; readonly parts: bigint }[]> {
  const rows = await db.rows<{ storeId: string; unit: string; parts: string }>(
    `select store_id as "storeId", unit, sum(in_reserve)::text as parts from settled_payment where in_reserve > 0
     group by store_id, unit order by store_id, unit`,
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}
