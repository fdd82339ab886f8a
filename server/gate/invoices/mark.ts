// Marks: a member or a shop's program states that an invoice counts as settled or invalid. A mark moves no money. Pure.

import { Draft, type InvoiceStep } from './draft.ts';
import { type Invoice, type InvoiceMark, creditedOf } from './invoice.ts';

/** True if an invoice may be marked so. One that money settled keeps its state; one that ended as invalid needs no such mark. */
export const mayMark = ({ state }: Pick<Invoice, 'state'>, as: InvoiceMark): boolean =>
  state !== 'settled' && (as === 'settled' || (state !== 'cancelled' && state !== 'invalid'));

/**
 * Marks an invoice; the last mark counts. Marking an open one invalid ends it: it is short if something is credited, else
 * cancelled, and all reserves go back. Undefined if the invoice may not be marked so.
 */
export function mark(invoice: Invoice, as: InvoiceMark): InvoiceStep | undefined {
  if (!mayMark(invoice, as)) return undefined;
  const draft = new Draft({ ...invoice, mark: as }, 'mark');
  draft.tell('marked');
  if (as === 'settled' || invoice.state !== 'open') {
    draft.moveTo(invoice.state);
    return draft.step;
  }
  for (const payment of invoice.payments) if (payment.reserve > 0n) draft.payment(draft.releaseReserve(payment));
  draft.moveTo(creditedOf(invoice) > 0n ? 'short' : 'cancelled');
  return draft.step;
}
