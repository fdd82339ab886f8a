// A payment that was settled, that its rail took back, and that comes again: its postings are made again at their own amounts. Pure.

import { conversion, min, move } from '../../collecting/index.ts';
import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import { cutCredit } from './cut-booked.ts';
import { Draft, type InvoiceStep } from '../invoices/draft.ts';
import { isConverted } from '../invoices/decide.ts';
import { heldOf } from '../invoices/held.ts';
import { joinBooked } from './given-back.ts';
import { debtAccount } from '../stores/debtor.ts';
import {
  type Booked,
  type HandedOver,
  type Invoice,
  type InvoicePayment,
  creditedOf,
  neededOf,
  ownOf,
} from '../invoices/invoice.ts';

/** Returns a payment after a settled part of it (`gone`) was turned round. `left`: what is left of its credit. */
export function afterUnsettled(
  { unsettled, credit }: InvoicePayment,
  { gone, left }: { readonly gone: Booked | undefined; readonly left: Pick<InvoicePayment, 'credit'> },
): Pick<InvoicePayment, 'unsettled'> {
  if (gone?.fee === undefined) return {};
  const lost = credit - left.credit;
  return { unsettled: { booked: joinBooked(unsettled?.booked, gone), credit: (unsettled?.credit ?? 0n) + lost } };
}

/** A settled payment that comes again, or a part of it. */
export interface SettledAgain {
  /** The payment with the new data of its rail. */
  readonly payment: InvoicePayment;
  /** Account that pays; absent for a payment that was held, whose money stands in `invoice:in`. */
  readonly from?: AccountRef;
  /** Parts of it that its payer has as excess, after the exchange got back what it had given up. */
  readonly handedOver: readonly HandedOver[];
  /** Amount that comes to the invoice, in parts. */
  readonly parts: bigint;
  /** Debt of the store, in parts of the unit in which the payment was settled. */
  readonly debt: bigint;
}

/**
 * Books a settled payment again that comes again. What the store owes is repaid first. The invoice is settled again once it is paid
 * again. Undefined if nothing of the payment was settled.
 */
export function settleAgain(invoice: Invoice, { payment, from, handedOver, parts, debt }: SettledAgain): InvoiceStep | undefined {
  const { unsettled, unit } = payment;
  if (!unsettled) return undefined;
  const draft = new Draft(invoice, from ? 'arrive' : 'clear');
  const { gone: again, left } = cutCredit({ ...payment, ...unsettled }, parts);
  if (from) draft.post('invoice_payin', move(from, accounts.invoiceIn(invoice.id, unit), parts));
  if (again) draft.post('invoice_settled_again', settledLegs(invoice, payment, again, debt));
  const booked = again ? joinBooked(payment.booked, again) : payment.booked;
  const over = payment.over + parts - (again?.parts ?? 0n);
  const had = handedOver.reduce((sum, one) => sum + one.parts - one.taken, 0n);
  draft.payment({
    ...payment,
    ...{ stage: 'credited', status: 'final', handedOver, booked, over },
    credit: payment.credit + unsettled.credit - left.credit,
    ...(again && payment.inReserve !== undefined && { inReserve: payment.inReserve + intoReserveOf(payment, again, debt) }),
    unsettled: left.booked && { booked: left.booked, credit: left.credit },
    taken: payment.parts - (booked?.parts ?? 0n) - over - had,
  });
  draft.tell('payment_final', payment.id);
  const isPaid = creditedOf(draft.invoice) >= (neededOf(draft.invoice) ?? 0n);
  draft.moveTo(invoice.state === 'invalid' && isPaid ? 'settled' : invoice.state);
  return draft.step;
}

/**
 * Releases a held payment that was settled before its rail took it back: its postings are made again at their own amounts. `debt`:
 * of the store, in parts of the unit in which it was settled. Undefined if no such payment is held.
 */
export function releaseSettled(invoice: Invoice, paymentId: string, debt: bigint): InvoiceStep | undefined {
  const held = heldOf(invoice).find(({ id }) => id === paymentId);
  if (!held?.unsettled) return undefined;
  const { hold: _, ...payment } = held;
  return settleAgain(invoice, { payment, handedOver: payment.handedOver ?? [], parts: ownOf(payment), debt });
}

/**
 * Returns the legs of a conversion and its settlement. The desk's money for it passes the invoice's reserve. What doesn't repay a
 * debt comes to the store's reserve, until the payment was released from there, else to its balance.
 */
function settledLegs({ id, store }: Invoice, payment: InvoicePayment, booked: Booked, debt: bigint): Leg[] {
  const { unit, set, components, exchanged, fee = 0n } = booked;
  const [given, got] = [accounts.invoiceIn(id, payment.unit), accounts.invoiceSet(id, unit)];
  const isExchanged = isConverted(payment, booked);
  const promised = isExchanged ? accounts.invoiceReserve(id, unit) : given;
  const merchant = accounts.merchant(store.id, unit);
  const inReserve = intoReserveOf(payment, booked, debt);
  return [
    ...(isExchanged ? move(accounts.deskFree(unit), promised, set) : []),
    ...conversion({ given, promised, got }, { components, exchanged, got: set, provision: booked.provision ?? 0n }),
    ...move(got, accounts.merchantReserve(store.id, unit), inReserve),
    ...move(got, merchant, set - fee - inReserve),
    ...move(got, accounts.income('gate', unit), fee),
    ...move(merchant, debtAccount(store, unit), min(debt, set - fee)),
  ];
}

/** Returns the part of a settled amount that comes to the store's reserve again. */
const intoReserveOf = ({ inReserve }: InvoicePayment, { set, fee = 0n }: Booked, debt: bigint): bigint =>
  inReserve === undefined ? 0n : set - fee - min(debt, set - fee);
