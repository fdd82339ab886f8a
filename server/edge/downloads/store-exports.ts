// The files of a store that its members download.

import { EXPORTS, type Routes, routes } from '@kurs/contract';
import { grantsOf } from '../../auth/index.ts';
import { asResource, entryRows, invoiceRows, paymentRows, refundRows } from '../../gate/index.ts';
import { type User, requirePermission } from '../../platform/index.ts';
import { type Download, type DownloadDeps, mountDownload } from './mount-download.ts';

/** Serves the exports of a store's entries, invoices, payments and refunds, and issues the one-use links for them. */
export function mountStoreExports(deps: DownloadDeps): void {
  const { db } = deps;
  const check = async ({ id }: User, { store }: { readonly store: string }): Promise<void> => {
    const on = asResource({ id: store });
    requirePermission(await grantsOf(db, id, on.kind), 'reports.read', on);
  };
  mountDownload(deps, {
    ticket: routes.storeEntryExportTicket,
    path: EXPORTS.storeEntries.path,
    name: 'entries',
    widths: [20, 26, 16, 10, 16, 24, 16, 14, 16, 12, 22, 22, 16, 16, 22, 18, 44],
    ...{ check, rows: (_context, filter) => entryRows(db, filter) },
  } satisfies Download<Routes['storeEntryExportTicket']>);
  mountDownload(deps, {
    ticket: routes.storeInvoiceExportTicket,
    path: EXPORTS.storeInvoices.path,
    name: 'invoices',
    widths: [16, 24, 12, 20, 26, 26, 10, 16, 12, 16, 16, 16, 26, 20, 30, 8],
    ...{ check, rows: (_context, filter) => invoiceRows(db, filter) },
  } satisfies Download<Routes['storeInvoiceExportTicket']>);
  mountDownload(deps, {
    ticket: routes.storePaymentExportTicket,
    path: EXPORTS.storePayments.path,
    name: 'payments',
    widths: [20, 26, 16, 24, 14, 14, 14, 20, 14, 16, 16, 8, 20, 16, 18, 16, 16, 8, 16, 14, 66, 38],
    ...{ check, rows: (_context, filter) => paymentRows(db, filter) },
  } satisfies Download<Routes['storePaymentExportTicket']>);
  mountDownload(deps, {
    ticket: routes.storeRefundExportTicket,
    path: EXPORTS.storeRefunds.path,
    name: 'refunds',
    widths: [16, 12, 20, 26, 26, 16, 24, 10, 16, 16, 12, 24, 24, 30, 30, 40, 8],
    ...{ check, rows: (_context, filter) => refundRows(db, filter) },
  } satisfies Download<Routes['storeRefundExportTicket']>);
}
