// Hands money that an invoice doesn't need over to its payer, as unallocated payments of the exchange.

import { type Payment, type UnitOfWork, cutPayment } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { type PayersMoney, openForOwner } from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import { type InvoicePayment, handedOver, hasPayersMoney, payersPart } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { InvoiceBatch } from './batch.ts';

/**
 * Opens an unallocated payment for the payer's part of each payment of the batch's changed invoices, and notes it with the
 * payment. Call it after all steps, before the batch is saved.
 */
export async function handOver(unit: UnitOfWork, sender: Sender, batch: InvoiceBatch): Promise<void> {
  const due = batch
    .changed()
    .filter(({ view }) => hasPayersMoney(view))
    .flatMap((stored) => stored.view.payments.filter((one) => payersPart(one) > 0n).map((payment) => ({ stored, payment })));
  const orderIds = await openForOwner(
    unit,
    sender,
    due.map(({ stored, payment }) => payersMoney(stored, payment)),
  );
  for (const [at, { stored, payment }] of due.entries()) {
    const { id } = stored.view;
    const now = batch.invoice(id);
    batch.revise(id, { ...now, view: handedOver(now.view, payment, orderIds[at] as string) });
  }
}

/** Returns the payer's part of a payment. Throws for a payment from a wallet: it is refused instead, if the invoice doesn't need it. */
function payersMoney({ view, email = '', locale }: StoredInvoice, payment: InvoicePayment): PayersMoney {
  const { currency, unit, walletOf } = payment;
  if (walletOf !== undefined) throw new Error(`the payment ${payment.id} from a wallet has money that its invoice doesn't need`);
  const { piece } = cutPayment(asPayment(payment), payersPart(payment));
  return { currency, piece, from: accounts.invoiceIn(view.id, unit), customer: { email, locale } };
}

/** Returns a payment without what only its invoice knows. */
function asPayment(payment: InvoicePayment): Payment {
  const { id, parts, place, txid, seenAt, seenAfter, isFeeOk, firstConfirmedAt, confirmations, needed, source, retained } =
    payment;
  return {
    ...{ id, parts, status: 'final', place, txid, seenAt, isFeeOk, confirmations, needed },
    ...(seenAfter && { seenAfter }),
    ...(firstConfirmedAt && { firstConfirmedAt }),
    ...(source && { source }),
    ...(retained !== undefined && { retained }),
  };
}
