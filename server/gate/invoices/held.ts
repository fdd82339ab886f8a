// Final payments that were flagged: the desk checks them before they count. Pure.
//
// A held payment counts as pending until its hold's time is over. Then a soft hold ends with a refusal, and a hard one goes on
// until people end it. The money of a refused payment belongs to its payer, and people of the desk watch it further.

import { convertLots, count, lotsOf } from './credit.ts';
import { Draft, type InvoiceStep, type StepContext } from './draft.ts';
import { type Invoice, type InvoicePayment, type PaymentHold, isUnfinished, ownOf } from './invoice.ts';
import { boundsOf } from './payment-bounds.ts';

/** A payment that is held. */
export type HeldPayment = InvoicePayment & { readonly hold: PaymentHold };

const isHeld = (payment: InvoicePayment): payment is HeldPayment => payment.stage === 'held' && payment.hold !== undefined;

/** Returns the invoice's held payments. */
export const heldOf = ({ payments }: Pick<Invoice, 'payments'>): HeldPayment[] => payments.filter(isHeld);

const findHeld = (invoice: Invoice, paymentId: string): HeldPayment | undefined =>
  heldOf(invoice).find(({ id }) => id === paymentId);

/** Holds a flagged payment. The sum that the invoice will be credited with counts as pending for a while. */
export function hold(draft: Draft, payment: InvoicePayment, cause: PaymentHold['cause'], context: StepContext): void {
  const { now } = context;
  const until = new Date(now.getTime() + draft.invoice.terms.holdWithin);
  const pending = isUnfinished(draft.invoice) ? expectedOf(draft, payment, context) : 0n;
  draft.payment({ ...draft.releaseReserve(payment), stage: 'held', pending, hold: { cause, since: now, until } });
  draft.tell('held', payment.id);
  if (isUnfinished(draft.invoice)) draft.decide();
}

/** Returns the sum that an unfinished invoice will be credited with: that of the seen payment, else by the prices of now. */
function expectedOf(draft: Draft, payment: InvoicePayment, context: StepContext): bigint {
  if (payment.pending > 0n) return payment.pending;
  const bounds = boundsOf(draft.invoice, payment);
  const own = ownOf(payment);
  if (!bounds || own < bounds.least) return 0n;
  const lots = lotsOf(draft, payment, own, context);
  return (lots && convertLots(lots)?.credit) ?? 0n;
}

/**
 * Releases a held payment: it counts as final and clean in the invoice's present state. `keepRate`: longest hold, in ms, after
 * which the locked rate still counts although papers were requested. Undefined if the payment is not held. One that was settled
 * before is settled again instead (`releaseSettled`).
 */
export function release(
  invoice: Invoice,
  paymentId: string,
  { keepRate, context }: { readonly keepRate: number; readonly context: StepContext },
): InvoiceStep | undefined {
  const payment = findHeld(invoice, paymentId);
  if (!payment) return undefined;
  const draft = new Draft(invoice, 'clear');
  count(draft, withRate(payment, keepRate, context.now), context);
  return draft.step;
}

/**
 * Returns a released payment with its rate. The locked rate is kept until the hold's time is over; if there were papers, only
 * after a short hold. Otherwise the current rate counts, or with papers the lower of both.
 */
function withRate({ hold: ended, ...payment }: HeldPayment, keepRate: number, now: Date): InvoicePayment {
  const span = now.getTime() - ended.since.getTime();
  if (now < ended.until && (ended.papers === undefined || span <= keepRate)) return payment;
  return ended.papers === undefined ? { ...payment, isLate: true } : { ...payment, hasLowerRate: true };
}

/** Refuses a held payment: its money belongs to the payer. Undefined if the payment is not held. */
export function refuse(invoice: Invoice, paymentId: string): InvoiceStep | undefined {
  const payment = findHeld(invoice, paymentId);
  if (!payment) return undefined;
  const draft = new Draft(invoice, 'refuse');
  giveUp(draft, payment);
  if (isUnfinished(draft.invoice)) draft.decide();
  return draft.step;
}

function giveUp(draft: Draft, payment: HeldPayment): void {
  draft.payment({ ...payment, stage: 'unallocated', pending: 0n, over: ownOf(payment), unsettled: undefined });
  draft.tell('refused', payment.id);
}

/** Notes that the desk requested papers, or that they came. Undefined if the payment is not held, or if that is noted already. */
export function notePapers(invoice: Invoice, paymentId: string, papers: 'asked' | 'came'): InvoiceStep | undefined {
  const payment = findHeld(invoice, paymentId);
  if (!payment || payment.hold.papers === papers) return undefined;
  const draft = new Draft(invoice, 'papers');
  draft.payment({ ...payment, hold: { ...payment.hold, papers } });
  draft.moveTo(invoice.state);
  return draft.step;
}

/** Returns when the time of a hold changes something; undefined for a hard hold that no longer counts as pending. */
export const holdEndOf = ({ hold: { cause, until }, pending }: HeldPayment): Date | undefined =>
  cause === 'soft' || pending > 0n ? until : undefined;

/**
 * Ends the time of holds: payments with a soft one are refused, and others no longer count as pending. Undefined if no hold's
 * time is over.
 */
export function holdOver(invoice: Invoice, now: Date): InvoiceStep | undefined {
  const due = heldOf(invoice).filter((payment) => (holdEndOf(payment) ?? Infinity) <= now);
  if (due.length === 0) return undefined;
  const draft = new Draft(invoice, 'hold_over');
  for (const payment of due) {
    if (payment.hold.cause === 'soft') giveUp(draft, payment);
    else {
      draft.payment({ ...payment, pending: 0n });
      draft.tell('hold_over', payment.id);
    }
  }
  if (isUnfinished(draft.invoice)) draft.decide();
  return draft.step;
}
