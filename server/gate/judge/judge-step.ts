// Judges the steps of test invoices, whose journals are composed and not posted. Pure.

import type { InvoiceStep } from '../invoices/draft.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { judgeJournal } from './judge-journal.ts';
import { ownSums } from './own-sums.ts';

/** Checks a step of a test invoice as the ledger would. `id`: id for the journal. Throws for a fault of the code. */
export const judgeStep = (before: Invoice, { invoice: after, kind, legs }: InvoiceStep, id: string): void =>
  judgeJournal(
    { id, kind, cause: after.id, legs },
    { before: ownSums(before), after: ownSums(after), isOwn: (name) => name.startsWith(`invoice:${after.id}:`) },
  );
