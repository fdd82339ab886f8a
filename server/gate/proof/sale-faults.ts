// Compares the sales of invoices with what the invoices say that their stores received.

import { type Fault, accuse } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { receivedByUnit, receivedOf } from '../invoices/sales.ts';
import { salesOfInvoices } from '../rows/sale-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

/** Returns faults of invoices whose sales were changed by SQL, or don't add up to what their stores received. */
export async function saleFaults(db: Statements, invoices: readonly StoredInvoice[]): Promise<Fault[]> {
  const ids = invoices.map(({ view }) => view.id);
  const sales = Map.groupBy(await salesOfInvoices(db, ids), ({ invoiceId }) => invoiceId);
  const wrong = invoices.filter(({ view }) => {
    const own = sales.get(view.id) ?? [];
    const rest = view.terms.isTest ? new Map<string, bigint>() : receivedByUnit(view);
    for (const sale of own) rest.set(sale.unit, (rest.get(sale.unit) ?? 0n) - receivedOf(sale));
    return own.some(({ isAltered }) => isAltered) || [...rest.values()].some((parts) => parts !== 0n);
  });
  return accuse(
    'invoice',
    wrong.map(({ view }) => view.id),
    'the sales of the invoice are not what its store received',
  );
}
