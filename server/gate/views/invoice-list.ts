// A store's invoices in pages, by filters.

import { UNITS, assetOf, scaleOf } from '@kurs/money';
import { type PageRequest, type Statements, type Values, beginOf, countSome, nextOf } from '../../platform/index.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

export interface InvoiceFilter {
  readonly store: string;
  readonly state?: readonly InvoiceState[] | undefined;
  /** Days in the store's time zone, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Bounds of the amount, in the invoice's own currency. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly q?: string | undefined;
}

/** SQL: condition of the filter. An exact number, order id or e-mail address is searched, each by an index of its own. */
const FILTERED = `from invoice where store_id = $1
  and ($2::text[] is null or state = any ($2))
  and ($3::date is null or created_at >= ($3::date)::timestamp at time zone $5)
  and ($4::date is null or created_at < ($4::date + 1)::timestamp at time zone $5)
  and ($6::text is null or id in (
    select id from invoice where number = upper($6) and store_id = $1
    union select id from invoice where store_id = $1 and order_id = $6
    union select id from invoice where store_id = $1 and lower(email) = lower($6)
    union select invoice_id from invoice_payment where txid = $6 and store_id = $1))
  and ($7::text[] is null or exists (
    select from unnest($7, $8::numeric[], $9::numeric[]) as bound (currency, low, high)
    where bound.currency = invoice.currency and invoice.amount between low and high))
  and ($10::uuid[] is null or id = any ($10))`;

/** SQL: ids of invoices whose amounts are within bounds, by the index of amounts. */
const WITHIN = `select listed.id from unnest($2::text[], $3::numeric[], $4::numeric[]) as bound (currency, low, high)
  cross join lateral (
    select id from invoice
    where store_id = $1 and invoice.currency = bound.currency and amount between bound.low and bound.high limit $5) as listed
  limit $5`;

/** Number of invoices within bounds of the amount up to which the others aren't read. */
const FEW = 2_000;
const LARGEST = 10n ** 38n - 1n;

type Bounds = readonly [currencies: string[], lows: string[], highs: string[]];

/** Returns the bounds of amounts in parts, for each asset; undefined without bounds. */
function boundsOf({ min, max }: InvoiceFilter): Bounds | undefined {
  if (min === undefined && max === undefined) return undefined;
  const assets = [...new Set(Object.keys(UNITS).map(assetOf))];
  const bound = (asset: string, text: string, isUp: boolean): string => {
    const [whole = '', behind = ''] = text.split('.');
    const [above, below] = [BigInt(whole + behind) * 10n ** BigInt(scaleOf(asset)), 10n ** BigInt(behind.length)];
    const parts = (isUp ? above + below - 1n : above) / below;
    return `${parts > LARGEST ? LARGEST : parts}`;
  };
  return [
    assets,
    assets.map((asset) => (min === undefined ? '0' : bound(asset, min, true))),
    assets.map((asset) => (max === undefined ? `${LARGEST}` : bound(asset, max, false))),
  ];
}

/** Returns the values of `FILTERED`. A few invoices within bounds of the amount are found first, so that no others are read. */
async function valuesOf(db: Statements, filter: InvoiceFilter, timezone: string): Promise<Values> {
  const q = filter.q?.trim();
  const bounds = boundsOf(filter);
  const within = bounds && (await db.rows<{ id: string }>(WITHIN, [filter.store, ...bounds, FEW + 1]));
  return [
    ...[filter.store, filter.state?.length ? filter.state : null, filter.from ?? null, filter.to ?? null, timezone],
    q === undefined || q === '' ? null : q,
    ...(bounds ?? [null, null, null]),
    within && within.length <= FEW ? within.map(({ id }) => id) : null,
  ];
}

/** Position of a page: the last invoice before it, or an offset. */
interface Place {
  readonly at: string | null;
  readonly id: string | null;
  readonly offset?: number;
}

const listed = (db: Statements, values: Values, { at, id, offset = 0 }: Place, limit: number) =>
  db.rows<{ id: string; at: string }>(
    `select id, created_at::text as at ${FILTERED}
       and ($11::timestamptz is null or (created_at, id) < ($11, $12::uuid))
     order by created_at desc, id desc limit $13 offset $14`,
    [...values, at, id, limit, offset],
  );

async function inOrderOf(db: Statements, rows: readonly { readonly id: string }[]): Promise<StoredInvoice[]> {
  const ids = rows.map(({ id }) => id);
  const found = new Map((await invoicesById(db, ids)).map((invoice) => [invoice.view.id, invoice]));
  return ids.flatMap((one) => found.get(one) ?? []);
}

/** Returns a page of invoices, the newest first, and their number. `timezone`: that of the store. */
export async function invoicePage(
  db: Statements,
  filter: InvoiceFilter & PageRequest,
  timezone: string,
): Promise<{ readonly invoices: StoredInvoice[]; readonly total: number; readonly next: string | undefined }> {
  const values = await valuesOf(db, filter, timezone);
  const rows = await listed(db, values, beginOf(filter), filter.per_page);
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), values);
  return { invoices: await inOrderOf(db, rows), total: counted?.total ?? 0, next: nextOf(rows, filter) };
}

/** Yields all invoices that match a filter in groups of `size`, the newest first. `timezone`: that of the store. */
export async function* allInvoices(
  db: Statements,
  filter: InvoiceFilter,
  timezone: string,
  size: number,
): AsyncGenerator<StoredInvoice[]> {
  const values = await valuesOf(db, filter, timezone);
  let place: Place = { at: null, id: null };
  for (;;) {
    const rows = await listed(db, values, place, size);
    if (rows.length > 0) yield await inOrderOf(db, rows);
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    place = last;
  }
}
