import type { Fault } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settledAfter, settledOf, settledText } from './settled-rows.ts';

/** Maximum number of rows of settled payments of a group of invoices. */
const MAX_ROWS = 100_000;

/** Returns faults of invoices whose settled payments differ from their rows, by which sums are made. */
export async function settledFaults(db: Statements, invoices: readonly StoredInvoice[]): Promise<Fault[]> {
  const invoiceIds = invoices.map(({ view }) => view.id);
  const rows = await settledAfter(db, { behind: undefined, max: MAX_ROWS, invoiceIds });
  const stored = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
  return invoices.flatMap(({ view, number }): Fault[] => {
    const known = new Set((stored.get(view.id) ?? []).map(settledText));
    const isRight = settledOf(view).every((row) => known.has(settledText(row)));
    const words = `the rows of its settled payments are not those of the invoice ${number}`;
    return isRight ? [] : [{ check: 'settled', account: view.id, words }];
  });
}
