// Payments of invoices that can be taken back for months: the bounds of their business are asked again when they arrive. One beyond
// them is not credited, and goes back to its payer.

import { countReceipt, dropUses, isReversible, lockReceipts } from '../../compliance/index.ts';
import type { Tx } from '../../platform/index.ts';
import { type Invoice, type InvoicePayment, type PaymentOption, isUnfinished } from '../invoices/invoice.ts';
import { optionFor, optionOf } from '../invoices/options.ts';
import { openBounds } from '../businesses/open-bounds.ts';
import { type Reported, find } from '../invoices/steps.ts';

const ownerOf = (paymentId: string) => ({ kind: 'invoice', id: paymentId });

/** Locks the sums that payments of a currency in `paid` count towards, before an invoice's reserves are locked. */
export async function lockForReceipts(
  tx: Tx,
  paid: readonly { readonly currency: string; readonly businessId: string | undefined }[],
): Promise<void> {
  const found = paid.flatMap(({ currency, businessId }) =>
    businessId !== undefined && isReversible(currency) ? [businessId] : [],
  );
  if (found.length > 0) await lockReceipts(tx, found);
}

/**
 * Counts a payment as a receipt of its business. Returns false if it is beyond the business's bounds now, or if such methods were
 * switched off. True for all other payments.
 */
export async function isWithinBounds(
  tx: Tx,
  { store, terms }: Invoice,
  { id, parts }: Pick<InvoicePayment, 'id' | 'parts'>,
  option: PaymentOption | undefined,
): Promise<boolean> {
  if (!option?.isReversible || terms.isTest) return true;
  const { businessId } = store;
  const [bounds, { worth, parts: asked = parts }] = [await openBounds(tx, businessId), option];
  if (!bounds || businessId === undefined || !worth || worth.invoiceUsd > bounds.invoiceUsd) return false;
  const usd = (worth.usd * parts + asked - 1n) / asked;
  return countReceipt(tx, { businessId, maxUsd: bounds.receiptsUsd, owner: ownerOf(id), usd });
}

/** Like `isWithinBounds`, for a payment as its rail reports it. One that its invoice doesn't count isn't asked about. */
export async function isWithinBoundsOnArrival(
  tx: Tx,
  invoice: Invoice,
  { payment, addressId, currency }: Reported,
): Promise<boolean> {
  const option = optionFor(invoice, addressId, payment);
  if (!isUnfinished(invoice) || !option?.isReversible) return true;
  // No rate of it was pinned in another currency.
  return option.currency === currency && isWithinBounds(tx, invoice, payment, option);
}

/** Like `isWithinBounds`, for a held payment that people release. */
export async function isWithinBoundsWhenReleased(tx: Tx, invoice: Invoice, payment: InvoicePayment): Promise<boolean> {
  const option = optionOf(invoice, payment.optionId);
  return !isUnfinished(invoice) || isWithinBounds(tx, invoice, payment, option);
}

/** Stops counting a payment that its business doesn't get: it vanished, or goes back to its payer. */
export async function dropReceipt(tx: Tx, invoice: Invoice, paymentId: string): Promise<void> {
  const payment = find(invoice, paymentId);
  if (!payment || !isReversible(payment.currency)) return;
  if (payment.stage === 'unallocated' || payment.stage === 'dropped') await dropUses(tx, [ownerOf(paymentId)]);
}
