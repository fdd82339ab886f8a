import type { Output, Routes } from '@kurs/contract';
import { creditedOf, dueOf, pendingOf } from '../invoices/invoice.ts';
import { sumText } from './sum-text.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';

type InvoiceInList = Output<Routes['invoices']>[number];
/** Sums of an invoice, in its currency. */
type InvoiceSums = Pick<InvoiceInList, 'currency' | 'amount' | 'credited' | 'pending' | 'due'>;

/** Returns the sums of an invoice in the form of the API. */
export function invoiceSums({ view }: Pick<StoredInvoice, 'view'>): InvoiceSums {
  const { terms } = view;
  const due = dueOf(view);
  return {
    currency: terms.currency,
    ...(terms.amount !== undefined && { amount: sumText(terms, terms.amount) }),
    ...{ credited: sumText(terms, creditedOf(view)), pending: sumText(terms, pendingOf(view)) },
    ...(due !== undefined && { due: sumText(terms, due) }),
  };
}

/** Returns the fields of an invoice that lists have, too. */
export function invoiceRow(stored: StoredInvoice): Omit<InvoiceInList, 'decision'> {
  const { view, number, createdAt, orderId, email, isArchived } = stored;
  const { id, state, terms, expiresAt, version } = view;
  return {
    ...{ id, number, state, archived: isArchived },
    ...(view.mark && { mark: view.mark }),
    ...invoiceSums(stored),
    ...(orderId !== undefined && { order_id: orderId }),
    ...(email !== undefined && { email }),
    ...{ created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString(), test: terms.isTest, version },
  };
}
