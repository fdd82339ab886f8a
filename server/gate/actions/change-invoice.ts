// Changes of an invoice without its money: a buyer leaves an address for the receipt, a member cancels.

import { Problem } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import type { Db } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { isUnfinished } from '../invoices/invoice.ts';
import { cancel, leaveEmail } from '../invoices/steps.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

/** An address that somebody leaves. `isPayer`: true if they gave the payer's secret. */
interface LeftAddress {
  readonly id: string;
  readonly email: string;
  readonly isPayer?: boolean;
}

/**
 * Stores the address that a buyer leaves for the receipt. Once a method was chosen, an address that somebody leaves without the
 * payer's secret gets no letters about the payer's money, and the payer may replace it. Every other known address stays. Throws `invoice_unknown`,
 * `record_altered`, and `invoice_not_open` for an invoice that has ended.
 */
export async function leaveAddress(db: Db, { id, email, isPayer = false }: LeftAddress): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = requireAsStored(await lockInvoice(unit.tx, id));
    if (!isUnfinished(stored.view) && stored.view.state !== 'settled') throw new Problem('invoice_not_open');
    if (stored.email !== undefined && !(isPayer && stored.view.isEmailOfLink)) return stored;
    const batch = new InvoiceBatch(unit, [{ ...stored, email }]);
    batch.apply(id, leaveEmail(stored.view, isPayer));
    await batch.save();
    return batch.invoice(id);
  });
}

/**
 * Cancels an open invoice of a store. Throws `invoice_unknown` if it is another store's, `record_altered`, and `invoice_not_open`
 * if it is not open or a payment was seen.
 */
export async function cancelInvoice(
  db: Db,
  { store, id }: { readonly store: string; readonly id: string },
): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = await lockInvoice(unit.tx, id);
    if (stored.view.store.id !== store) throw new Problem('invoice_unknown');
    requireAsStored(stored);
    const step = cancel(stored.view);
    if (!step) throw new Problem('invoice_not_open');
    const batch = new InvoiceBatch(unit, [stored]);
    batch.apply(id, step);
    await batch.save();
    return batch.invoice(id);
  });
}
