// The steps of an invoice: its next state after an event, with the legs to post and the events to tell. Pure.

import { type Payment, isOverdue, min, move } from '../../collecting/index.ts';
import { type AccountRef, accounts } from '../../ledger/index.ts';
import { count, credit, setAside } from './credit.ts';
import { Draft, type InvoiceStep, type StepContext } from './draft.ts';
import { hold } from './held.ts';
import {
  type Invoice,
  type InvoicePayment,
  type PaymentHold,
  type PaymentOption,
  hasPayer,
  isUnfinished,
  ownOf,
  pendingOf,
} from './invoice.ts';
import { currentOption, isLocked, lockOf, lockedRest, optionFor, optionOf } from './options.ts';
import { converted, isSameUnit } from './option-price.ts';
import { withBounds } from './payment-bounds.ts';

/** A payment as its rail reports it, at a place to pay. */
export interface Reported {
  readonly payment: Payment & Pick<InvoicePayment, 'walletOf'>;
  readonly addressId: string;
  readonly currency: string;
  readonly unit: string;
}

export const find = ({ payments }: Pick<Invoice, 'payments'>, id: string): InvoicePayment | undefined =>
  payments.find((one) => one.id === id);

/** Returns the payment with new data of its rail, or a new one. A payment that comes back begins again. */
function sighted(invoice: Invoice, { payment, addressId, currency, unit }: Reported): InvoicePayment | undefined {
  const known = find(invoice, payment.id);
  if (known && known.stage !== 'dropped' && known.stage !== 'reversed') return { ...known, ...payment, status: payment.status };
  const option = optionFor(invoice, addressId, payment);
  if (!option) return undefined;
  return {
    ...payment,
    ...(known?.handedOver && { handedOver: known.handedOver }),
    ...(known?.givenBack && { givenBack: known.givenBack }),
    ...(known?.unsettled && { unsettled: known.unsettled, settled: known.settled, inReserve: known.inReserve }),
    ...{ currency, unit, addressId, optionId: option.id, stage: 'seen', reserve: 0n, isInKind: false },
    ...{ isLate: !isCounting(invoice, option, currency, payment), pending: 0n, credit: 0n, over: 0n },
    locked: 0n,
  };
}

/** True if a payment is in time for its option, in the option's currency. */
const isCounting = (invoice: Invoice, option: PaymentOption, currency: string, payment: Payment): boolean =>
  option.currency === currency && isLocked(invoice, option, payment);

/** Applies a payment that its rail shows and that is not final. Undefined if nothing changes. */
export function see(invoice: Invoice, reported: Reported, context: StepContext): InvoiceStep | undefined {
  const before = find(invoice, reported.payment.id);
  const payment = sighted(invoice, reported);
  if (!payment || payment.stage !== 'seen') return undefined;
  const draft = new Draft(invoice, 'see');
  const isNew = !before || before.stage !== 'seen';
  if (!isNew) return followSeen(draft, payment, before);
  if (isUnfinished(invoice) && !payment.isLate) {
    expect(draft, payment, context);
    draft.tell('payment_seen', payment.id);
    draft.decide();
  } else {
    draft.payment(payment);
    draft.tell('payment_seen', payment.id);
    draft.tell(invoice.state === 'settled' ? 'over' : 'late', payment.id);
  }
  return draft.step;
}

/** Updates a payment that was seen before. A payment that is no longer in time doesn't count as pending. */
function followSeen(draft: Draft, payment: InvoicePayment, before: InvoicePayment): InvoiceStep {
  const option = optionOf(draft.invoice, payment.optionId);
  const missed = !before.isLate && !isCounting(draft.invoice, option, payment.currency, payment);
  if (missed) lose(draft, payment);
  else draft.payment(payment);
  return draft.step;
}

/** Counts a payment in time as pending, and reserves the desk's money for its conversion. */
function expect(draft: Draft, payment: InvoicePayment, { reservable }: StepContext): void {
  const { id, terms } = draft.invoice;
  const option = optionOf(draft.invoice, payment.optionId);
  const locked = min(lockedRest(draft.invoice, option, payment.id), payment.parts);
  // A top-up holds no rate: its payments count at the price of the option for the time being.
  const expected = converted(option.price, option.parts === undefined ? payment.parts : locked);
  const isCredited = payment.parts >= option.least;
  const hasReserve = isCredited && option.parts !== undefined && !isSameUnit(option.price);
  const needed = hasReserve ? (expected?.got ?? 0n) : 0n;
  const isThere = needed <= reservable;
  const [free, reserve] = [accounts.deskFree(terms.settlement.unit), accounts.invoiceReserve(id, terms.settlement.unit)];
  draft.post('invoice_reserve', isThere ? move(free, reserve, needed) : []);
  draft.payment({
    ...payment,
    reserve: isThere ? needed : 0n,
    isInKind: !isThere,
    locked,
    pending: isCredited ? (expected?.credit ?? 0n) : 0n,
  });
}

/**
 * Makes a payment late: its reserve goes back and it no longer counts as pending. After its invoice is settled or has ended this is
 * no news, since the payment belongs to its payer anyhow.
 */
function lose(draft: Draft, payment: InvoicePayment): void {
  draft.payment({ ...draft.releaseReserve(payment), isLate: true, locked: 0n, pending: 0n });
  if (!isUnfinished(draft.invoice)) return;
  draft.tell('late', payment.id);
  draft.decide();
}

/** Returns payments that were in time and have no confirmation in their window. */
export const overdueOf = (invoice: Invoice, now: Date): readonly InvoicePayment[] =>
  invoice.payments.filter(
    (one) => one.stage === 'seen' && !one.isLate && isOverdue(lockOf(invoice, optionOf(invoice, one.optionId)), one, now),
  );

/** Applies the end of the windows of payments that have no confirmation. Undefined if there is no such payment. */
export function miss(invoice: Invoice, now: Date): InvoiceStep | undefined {
  const overdue = overdueOf(invoice, now);
  if (overdue.length === 0 || !isUnfinished(invoice)) return undefined;
  const draft = new Draft(invoice, 'miss');
  for (const payment of overdue) lose(draft, payment);
  return draft.step;
}

/** Applies a payment that is gone before it was final. Undefined if the invoice never saw it, or it is final. */
export function drop(invoice: Invoice, paymentId: string): InvoiceStep | undefined {
  const payment = find(invoice, paymentId);
  if (payment?.stage !== 'seen') return undefined;
  const draft = new Draft(invoice, 'drop');
  draft.payment({ ...draft.releaseReserve(payment), stage: 'dropped', status: 'reversed', pending: 0n });
  draft.tell('payment_dropped', paymentId);
  if (isUnfinished(draft.invoice)) draft.decide();
  return draft.step;
}

/** Final stages: a final payment that has one is counted already. */
export const isCounted = (payment: InvoicePayment | undefined): boolean =>
  payment !== undefined && payment.stage !== 'seen' && payment.stage !== 'dropped' && payment.stage !== 'reversed';

/** Part of a payment that came again after its rail had taken it back: what its payer has of it again, and what is still away. */
export type CameBack = Pick<InvoicePayment, 'handedOver' | 'taken'>;

/** Arrival of a final payment. `flag`: the desk must check it first. `from`: account that pays: custody, or a wallet. */
export interface Arrival {
  readonly flag?: PaymentHold['cause'] | undefined;
  readonly from: AccountRef;
  readonly back?: CameBack;
}

/** Applies a final payment. Undefined if it was counted before, or if its place has no option. */
export function arrive(
  invoice: Invoice,
  reported: Reported,
  { flag, from, back = {} }: Arrival,
  context: StepContext,
): InvoiceStep | undefined {
  if (isCounted(find(invoice, reported.payment.id))) return undefined;
  const payment = sighted(invoice, reported);
  if (!payment) return undefined;
  const draft = new Draft(invoice, flag ? 'hold' : 'arrive');
  const option = optionOf(invoice, payment.optionId);
  const isLate = payment.isLate || !isCounting(invoice, option, payment.currency, payment);
  const known = withBounds(invoice, payment, context);
  const final: InvoicePayment = { ...known, status: 'final', isLate, ...(!flag && { unsettled: undefined }), ...back };
  draft.post('invoice_payin', move(from, accounts.invoiceIn(invoice.id, final.unit), ownOf(final)));
  if (flag) hold(draft, final, flag, context);
  else count(draft, final, context);
  return draft.step;
}

/** True if a payment waits for a price of the moment. */
export const waitsForPrice = ({ payments }: Pick<Invoice, 'payments'>): boolean =>
  payments.some(({ stage }) => stage === 'waiting');

/** Credits the payments that waited for a price. Undefined if none is credited. */
export function price(invoice: Invoice, context: StepContext): InvoiceStep | undefined {
  const draft = new Draft(invoice, 'price');
  for (const payment of invoice.payments.filter(({ stage }) => stage === 'waiting')) {
    if (!isUnfinished(draft.invoice)) setAside(draft, payment, draft.invoice.state === 'settled' ? 'over' : 'late');
    else if (context.priceNow(payment.currency)) {
      credit(draft, payment, context);
      draft.decide();
    }
  }
  return draft.invoice === invoice ? undefined : draft.step;
}

/** True if the invoice's time is over and nothing of it is pending. */
export const isOver = (invoice: Invoice, now: Date): boolean =>
  invoice.state === 'open' && now >= invoice.expiresAt && pendingOf(invoice) === 0n;

/** Ends the time of an open invoice. Undefined if it is not over. */
export function timeOver(invoice: Invoice, now: Date): InvoiceStep | undefined {
  if (!isOver(invoice, now)) return undefined;
  const draft = new Draft(invoice, 'time_over');
  draft.decide(true);
  return draft.step;
}

/** Stages of payments that are none of the invoice's: gone, or their payer's. */
const IDLE: ReadonlySet<InvoicePayment['stage']> = new Set(['dropped', 'reversed', 'unallocated']);

/** Cancels an open invoice. Undefined if it is not open, or if something is credited, seen or held. */
export function cancel(invoice: Invoice): InvoiceStep | undefined {
  if (invoice.state !== 'open' || !invoice.payments.every(({ stage }) => IDLE.has(stage))) return undefined;
  const draft = new Draft(invoice, 'cancel');
  draft.moveTo('cancelled');
  return draft.step;
}

/** Notes that somebody left an e-mail address. `isPayer`: true if they gave the payer's secret. */
export function leaveEmail(invoice: Invoice, isPayer: boolean): InvoiceStep {
  const isEmailOfLink = !isPayer && hasPayer(invoice) ? true : undefined;
  const draft = new Draft({ ...invoice, isEmailOfLink }, 'choose');
  draft.tell('email_left');
  return draft.step;
}

/**
 * Stores a payment system's answer about a place to pay: how the payment is made, or that the system refused it. Undefined if no
 * option has that place.
 */
export function answerOption(
  invoice: Invoice,
  addressId: string,
  way: NonNullable<PaymentOption['way']>,
): InvoiceStep | undefined {
  if (!invoice.options.some((option) => option.addressId === addressId)) return undefined;
  const draft = new Draft(invoice, 'choose');
  draft.invoice = {
    ...invoice,
    options: invoice.options.map((option) => (option.addressId === addressId ? { ...option, way } : option)),
  };
  draft.tell(way === 'refused' ? 'option_refused' : 'option_ready');
  return draft.step;
}

/** Notes that a buyer chose the method that the store had named. The payer's secret is the buyer's. */
export function confirmChoice(invoice: Invoice): InvoiceStep {
  const draft = new Draft({ ...invoice, isChosenByStore: undefined }, 'choose');
  draft.tell('option_chosen');
  return draft.step;
}

/** Adds a payment option, chosen by a buyer or by the store. The former one's lock ends. */
export function choose(invoice: Invoice, option: PaymentOption, by: 'store' | 'buyer' = 'buyer'): InvoiceStep {
  const draft = new Draft(invoice, 'choose');
  const former = currentOption(invoice);
  const options = invoice.options.map((one) =>
    one === former && one.lockUntil > option.openedAt ? { ...one, lockUntil: option.openedAt } : one,
  );
  const isByStore = by === 'store' || (invoice.isChosenByStore && hasPayer(invoice));
  draft.invoice = { ...invoice, options: [...options, option], isChosenByStore: isByStore ? true : undefined };
  draft.moveTo(invoice.state);
  draft.tell('option_chosen');
  return draft.step;
}
