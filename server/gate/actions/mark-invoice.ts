// Marks an invoice as settled or invalid, and moves an invoice to the archive and back. Neither moves money.

import { Problem } from '@kurs/contract';
import { type UnitOfWork, alone } from '../../collecting/index.ts';
import type { Db } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { type InvoiceMark, isUnfinished } from '../invoices/invoice.ts';
import { mark } from '../invoices/mark.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice, setArchived } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

/** An invoice of a store. */
export interface OfStore {
  readonly store: string;
  readonly id: string;
}

async function lockOf({ tx }: UnitOfWork, { store, id }: OfStore): Promise<StoredInvoice> {
  const stored = await lockInvoice(tx, id);
  if (stored.view.store.id !== store) throw new Problem('invoice_unknown');
  return requireAsStored(stored);
}

/**
 * Marks an invoice of a store. The same mark again changes nothing. Throws `invoice_unknown` if it is another store's,
 * `record_altered`, and `mark_refused` if money settled it, or if it is cancelled or invalid and is to be marked invalid.
 */
export async function markInvoice(db: Db, { as, ...which }: OfStore & { readonly as: InvoiceMark }): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = await lockOf(unit, which);
    if (stored.view.mark === as) return stored;
    const step = mark(stored.view, as);
    if (!step) throw new Problem('mark_refused');
    const batch = new InvoiceBatch(unit, [stored]);
    batch.apply(which.id, step);
    await batch.save();
    return batch.invoice(which.id);
  });
}

/**
 * Moves an invoice of a store to the archive, or back. Throws `invoice_unknown` if it is another store's, `record_altered`, and
 * `invoice_unfinished` if it is neither settled nor ended.
 */
export async function archiveInvoice(
  db: Db,
  { isArchived, ...which }: OfStore & { readonly isArchived: boolean },
): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = await lockOf(unit, which);
    if (isUnfinished(stored.view)) throw new Problem('invoice_unfinished');
    if (stored.isArchived === isArchived) return stored;
    await setArchived(unit.tx, which.id, isArchived);
    return { ...stored, isArchived };
  });
}
