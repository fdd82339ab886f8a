// A store's invoices in pages, by filters.

import { type PageRequest, type Statements, beginOf, countSome, nextOf } from '../../platform/index.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceFilter, type InvoiceSelection, selectionOf } from './invoice-filter.ts';

/** Position of a page: the last invoice before it, or an offset. */
interface Place {
  readonly at: string | null;
  readonly id: string | null;
  readonly offset?: number;
}

function listed(db: Statements, { where, values }: InvoiceSelection, { at, id, offset = 0 }: Place, limit: number) {
  const next = values.length + 1;
  const behind = at === null ? '' : `and (created_at, id) < ($${next + 2}, $${next + 3}::uuid)`;
  return db.rows<{ id: string; at: string }>(
    `select id, created_at::text as at from invoice where ${where} ${behind}
     order by created_at desc, id desc limit $${next} offset $${next + 1}`,
    [...values, limit, offset, ...(at === null ? [] : [at, id])],
  );
}

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
  const selection = await selectionOf(db, filter, timezone);
  const rows = await listed(db, selection, beginOf(filter), filter.per_page);
  const counted = await db.row<{ total: number }>(countSome(`select from invoice where ${selection.where}`), selection.values);
  return { invoices: await inOrderOf(db, rows), total: counted?.total ?? 0, next: nextOf(rows, filter) };
}

/** Yields all invoices that match a filter in groups of `size`, the newest first. `timezone`: that of the store. */
export async function* allInvoices(
  db: Statements,
  filter: InvoiceFilter,
  timezone: string,
  size: number,
): AsyncGenerator<StoredInvoice[]> {
  const selection = await selectionOf(db, filter, timezone);
  let place: Place = { at: null, id: null };
  for (;;) {
    const rows = await listed(db, selection, place, size);
    if (rows.length > 0) yield await inOrderOf(db, rows);
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    place = last;
  }
}
