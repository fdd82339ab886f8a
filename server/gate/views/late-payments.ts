// Late payments that the page of an invoice names before its buyer pays again.

import type { Statements } from '../../platform/index.ts';
import { type Invoice, type InvoicePayment, hasEnded, isUnfinished, ownOf } from '../invoices/invoice.ts';
import { boundsOf, isTakenNow, withBounds } from '../invoices/payment-bounds.ts';
import { takenNow } from '../methods/methods.ts';
import { acceptableLate } from './decision-wire.ts';

/**
 * True if a late payment may still count: it is on its way, it waits for a price, or the store may still accept it. Undecided money
 * of a settled invoice is its payer's, and a marked invoice asks for no payment.
 */
export async function hasLatePayment(db: Statements, view: Invoice, now: Date): Promise<boolean> {
  if (view.mark !== undefined || !(isUnfinished(view) || hasEnded(view))) return false;
  if (view.payments.some((payment) => isComing(view, payment))) return true;
  if (view.terms.isTest) return hasEnded(view) && view.payments.some(isLateInTest);
  const acceptable = await acceptableLate(db, [view], now);
  return (acceptable.get(view.id) ?? []).length > 0;
}

/**
 * True if a late payment is not final or has no price yet. One that is too small, or in a currency that isn't taken, counts nothing
 * and is left out. Otherwise anybody could fold an invoice's methods by sending dust.
 */
function isComing(view: Invoice, payment: InvoicePayment): boolean {
  const { stage, isLate } = payment;
  if ((stage !== 'seen' && stage !== 'waiting') || !(isLate || hasEnded(view))) return false;
  const taking = { takenNow: (currency: string) => takenNow(view.terms, currency) };
  const least = boundsOf(view, withBounds(view, payment, taking))?.least ?? 0n;
  return isTakenNow(view, payment, taking) && ownOf(payment) >= least;
}

/** True for a late payment of a test invoice. Its money is nobody's, so no payer decides about it. */
const isLateInTest = ({ isLate, stage, hold }: InvoicePayment): boolean => isLate && stage === 'unallocated' && !hold;
