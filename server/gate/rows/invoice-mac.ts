import { Problem } from '@kurs/contract';
import { alarmOnce, isMac, macOf, steady } from '../../platform/index.ts';
import type { StoredInvoice } from './stored-invoice.ts';

/** The parts of an invoice that its MAC covers: all but the time of its last change, and its place in the archive. */
export type MarkedInvoice = Omit<StoredInvoice, 'updatedAt' | 'isArchived' | 'isAltered'>;

function contentOf({ view, number, createdAt, orderId, email, locale, details, metadata }: MarkedInvoice): string {
  return steady([view, number, createdAt, orderId ?? null, email ?? null, locale, details, metadata]);
}

/** Returns the MAC of an invoice. */
export const invoiceMac = (invoice: MarkedInvoice): string => macOf('invoice', contentOf(invoice));

/** True if an invoice's row matches the MAC that was stored with it. */
export const isAsStored = (invoice: MarkedInvoice, mac: string | null): boolean => isMac('invoice', contentOf(invoice), mac);

const report = alarmOnce('an invoice’s row was changed outside the product: nothing is credited to it');

/** Raises an alarm, once for each invoice, about a row that was changed outside the product. */
export const reportAltered = ({ view, number }: StoredInvoice): void =>
  report(view.id, { invoiceId: view.id, invoiceNumber: number });

/** Returns the invoice. Throws `record_altered`, and raises an alarm, if its row was changed outside the product. */
export function requireAsStored(invoice: StoredInvoice): StoredInvoice {
  if (!invoice.isAltered) return invoice;
  reportAltered(invoice);
  throw new Problem('record_altered');
}
