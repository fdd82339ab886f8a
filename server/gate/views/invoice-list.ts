// A store's invoices in pages, by filters.

import { type PageRequest, type Statements, beginOf, countSome, nextOf } from '../../platform/index.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

export interface InvoiceFilter extends PageRequest {
  readonly store: string;
  readonly state?: readonly InvoiceState[] | undefined;
  /** Days in the store's time zone, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
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
    union select invoice_id from invoice_payment where txid = $6 and store_id = $1))`;

/** Returns a page of invoices, the newest first, and their number. `timezone`: that of the store. */
export async function invoicePage(
  db: Statements,
  filter: InvoiceFilter,
  timezone: string,
): Promise<{ readonly invoices: StoredInvoice[]; readonly total: number; readonly next: string | undefined }> {
  const q = filter.q?.trim();
  const values = [
    ...[filter.store, filter.state?.length ? filter.state : null, filter.from ?? null, filter.to ?? null, timezone],
    q === undefined || q === '' ? null : q,
  ];
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<{ id: string; at: string }>(
    `select id, created_at::text as at ${FILTERED}
       and ($7::timestamptz is null or (created_at, id) < ($7, $8::uuid))
     order by created_at desc, id desc limit $9 offset $10`,
    [...values, at, id, filter.per_page, offset],
  );
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), values);
  const ids = rows.map((row) => row.id);
  const found = new Map((await invoicesById(db, ids)).map((invoice) => [invoice.view.id, invoice]));
  return { invoices: ids.flatMap((one) => found.get(one) ?? []), total: counted?.total ?? 0, next: nextOf(rows, filter) };
}
