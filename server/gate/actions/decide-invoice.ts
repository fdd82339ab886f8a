// A member decides about money that came short: the invoice is accepted as it is, or given back.

import { Problem } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import type { Db } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { handOver } from '../apply/hand-over.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import { accept, giveBack } from '../invoices/decide.ts';
import { mailPaid } from '../letters.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

interface DecideDeps {
  readonly db: Db;
  readonly sender: Sender;
}

/** An invoice, and its version on the page on which the member decided. */
export interface Decided {
  readonly store: string;
  readonly id: string;
  readonly version: number;
}

/**
 * Accepts a short invoice. Throws `invoice_unknown` if it is another store's, `record_altered`, `invoice_not_open` if there is
 * nothing to decide, and `invoice_changed` if it has changed since the member saw it.
 */
export const acceptInvoice = (deps: DecideDeps, decided: Decided): Promise<StoredInvoice> =>
  decide(deps, decided, async (batch, { view }) => accept(batch.invoice(view.id).view));

/** Gives a short invoice back. Throws as `acceptInvoice`. */
export const giveInvoiceBack = (deps: DecideDeps, decided: Decided): Promise<StoredInvoice> =>
  decide(deps, decided, async (batch, { view }) => giveBack(view, await batch.returnContext(view.id)));

type Decision = (batch: InvoiceBatch, stored: StoredInvoice) => Promise<InvoiceStep | undefined>;

function decide({ db, sender }: DecideDeps, { store, id, version }: Decided, decision: Decision): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = await lockInvoice(unit.tx, id);
    if (stored.view.store.id !== store) throw new Problem('invoice_unknown');
    requireAsStored(stored);
    const batch = new InvoiceBatch(unit, [stored]);
    const step = await decision(batch, stored);
    if (!step) throw new Problem('invoice_not_open');
    if (stored.view.version !== version) throw new Problem('invoice_changed');
    batch.apply(id, step);
    await handOver(unit, sender, batch);
    await batch.save();
    await mailPaid(unit.tx, sender, batch.settled());
    return batch.invoice(id);
  });
}
