// Bounds of a payment: those of its option. A payment in another currency of the same address has the bounds of the moment, if the
// store takes that currency. Pure.

import { type Invoice, type InvoicePayment, type PaymentBounds, type TakenCurrency } from './invoice.ts';
import { optionOf } from './options.ts';

type Bounded = Pick<InvoicePayment, 'optionId' | 'currency' | 'foreign' | 'isUnpriced'>;

/** Bounds of the moment for payments in another currency than their option's; undefined if the desk doesn't take it. */
export interface Taking {
  readonly takenNow?: ((currency: string) => TakenCurrency | undefined) | undefined;
}

const isOwnCurrency = (invoice: Pick<Invoice, 'options'>, { optionId, currency }: Bounded): boolean =>
  optionOf(invoice, optionId).currency === currency;

/** Returns the bounds of a payment; undefined for one in a foreign currency whose bounds are not known. */
export function boundsOf(invoice: Pick<Invoice, 'options'>, payment: Bounded): PaymentBounds | undefined {
  if (!isOwnCurrency(invoice, payment)) return payment.foreign;
  const { least, smallestRefund, minFee } = optionOf(invoice, payment.optionId);
  return { least, smallestRefund, minFee: minFee.own };
}

/** True if a payment's currency is that of its option, or another one that the store and the desk take now. */
export const isTakenNow = (invoice: Pick<Invoice, 'options' | 'terms'>, payment: Bounded, { takenNow }: Taking): boolean =>
  boundsOf(invoice, payment) !== undefined ||
  (invoice.terms.methods.includes(payment.currency) && takenNow?.(payment.currency) !== undefined);

/**
 * Returns a payment with the bounds of the moment, if its currency is a foreign one that the store and the desk take now. Without a
 * price they are not known yet.
 */
export function withBounds<P extends Bounded>(invoice: Pick<Invoice, 'options' | 'terms'>, payment: P, { takenNow }: Taking): P {
  if (boundsOf(invoice, payment) || !invoice.terms.methods.includes(payment.currency)) return payment;
  const taken = takenNow?.(payment.currency);
  if (!taken) return payment;
  return taken.bounds ? { ...payment, foreign: taken.bounds, isUnpriced: undefined } : { ...payment, isUnpriced: true };
}
