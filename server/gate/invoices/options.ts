// Payment options of an invoice: the one that a payment belongs to, what each still asks for, and how long its rate holds. Pure.

import { type Payment, type Terms, isInTime, min } from '../../collecting/index.ts';
import { type Invoice, type InvoicePayment, type PaymentOption, type PaymentStage, dueOf, ownOf } from './invoice.ts';

/** Returns the terms by which a payment to an option is in time. */
export const lockOf = ({ terms }: Pick<Invoice, 'terms'>, { lockUntil }: PaymentOption): { readonly pinned: Terms } => ({
  pinned: {
    ...{ lockUntil, confirmWithin: terms.confirmWithin, outageWithin: terms.outageWithin },
    ...{ minimum: 0n, shortPercent: 0, tolerance: 0n },
  },
});

/** Returns the invoice's option with an id. Throws if there is none. */
export function optionOf({ options }: Pick<Invoice, 'options'>, id: string): PaymentOption {
  const found = options.find((option) => option.id === id);
  if (!found) throw new Error(`the invoice has no option ${id}`);
  return found;
}

/**
 * Returns the sum that an option still asks for: the sum that it was chosen for, less its payments, at most what is due. Undefined
 * for a top-up of any sum.
 */
export function askedBy(invoice: Pick<Invoice, 'terms' | 'payments'>, { id, pays }: PaymentOption): bigint | undefined {
  if (pays === undefined) return undefined;
  const own = invoice.payments.filter(({ optionId }) => optionId === id);
  const rest = pays - own.reduce((sum, { credit, pending }) => sum + credit + pending, 0n);
  const due = dueOf(invoice) ?? rest;
  return rest < due ? rest : due;
}

/** Returns the option that the buyer has now: the last one that was chosen. */
export const currentOption = ({ options }: Pick<Invoice, 'options'>): PaymentOption | undefined => options.at(-1);

/**
 * True if a payment was made within the lock of an option. Nothing can arrive at a place before its first option, so only later
 * ones must have been chosen before the payment.
 */
export function isLocked(invoice: Invoice, option: PaymentOption, payment: Payment): boolean {
  const first = invoice.options.find(({ addressId }) => addressId === option.addressId);
  return (option.id === first?.id || option.openedAt <= payment.seenAt) && isInTime(lockOf(invoice, option), payment);
}

/**
 * Returns the option to which a payment at a place belongs: the last one there in whose lock the payment was made, else the last
 * one there. Undefined if no option has that place.
 */
export function optionFor(invoice: Invoice, addressId: string, payment: Payment): PaymentOption | undefined {
  const there = invoice.options.filter((option) => option.addressId === addressId);
  return there.findLast((option) => isLocked(invoice, option, payment)) ?? there.at(-1);
}

/** Returns an amount of the option's unit that still has the locked rate, beside its other payments. */
export function lockedRest(invoice: Invoice, option: PaymentOption, paymentId: string): bigint {
  if (option.parts === undefined) return 0n;
  const allowed = (option.parts * invoice.terms.lockedPercent) / 100n;
  const used = invoice.payments.reduce((sum, one) => (isUsing(one, option, paymentId) ? sum + lockedOf(one) : sum), 0n);
  return allowed > used ? allowed - used : 0n;
}

/** Returns the part of a payment that has the locked rate and was not taken back. */
const lockedOf = (one: InvoicePayment): bigint => min(one.locked, ownOf(one) - one.over);

const USES: ReadonlySet<PaymentStage> = new Set(['seen', 'held', 'waiting', 'credited']);
const isUsing = (one: InvoicePayment, option: PaymentOption, but: string): boolean =>
  one.id !== but && one.optionId === option.id && USES.has(one.stage);
