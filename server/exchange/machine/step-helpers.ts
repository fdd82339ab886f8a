// Helpers for the order machine's steps. Pure: each works on the draft of one event.

import { arrivedInTime, cutPayment, isInTime, joinPieces, observedPayments, withinTerms } from '../../collecting/index.ts';
import { heldBy } from './derived-orders.ts';
import type { Draft } from './draft.ts';
import type { EventOf } from '../order/events/events.ts';
import { lockedPrice } from './offers.ts';
import type { OrderView, Payment, Transfer } from '../order/order.ts';
import { canRefund } from '../order/money/sent-back.ts';
import * as postings from './postings.ts';

/** A step of the machine: changes the draft of an order by an event. */
export type Step = (draft: Draft, event: never) => void;

export const withoutObservedPayment = (order: OrderView, id: string): readonly Payment[] =>
  order.payments.filter((one) => one.id !== id || one.status !== 'seen');

/** Returns the payment with this id and status. Throws if there is none: the caller knows which payments an order has. */
export function paymentOf(order: OrderView, id: string, status: Payment['status']): Payment {
  const found = order.payments.find((one) => one.id === id && one.status === status);
  if (!found) throw new Error(`${order.id} has no ${status} payment ${id}`);
  return found;
}

/** Returns the order's payments after `parts` of one payment changed between `final` and `reversed`. */
export function turn(
  order: OrderView,
  id: string,
  parts: bigint,
  from: 'final' | 'reversed',
  to: 'final' | 'reversed',
): readonly Payment[] {
  const source = paymentOf(order, id, from);
  const target = order.payments.find((one) => one.id === id && one.status === to);
  const others = order.payments.filter((one) => one !== source && one !== target);
  const { piece, rest } = cutPayment(source, parts);
  const turned = target ? joinPieces(piece, target) : piece;
  return [...others, ...(rest ? [rest] : []), { ...turned, status: to }];
}

/**
 * Decides how an order goes on after a payment arrived. The order is held, exchanged at the locked rate, waits for further
 * payments, or its customer has to choose.
 */
export function settle(draft: Draft): void {
  const { order, context } = draft;
  if (context.screening !== 'clean') return draft.hold(context.screening);
  if (order.kind === 'order' && !order.facts.isLate) {
    const arrived = arrivedInTime(order);
    if (arrived >= order.give.parts) {
      if (goOnAtLockedRate(draft, arrived)) return;
      // The desk can't keep its promise for lack of reserve, so a refund is free.
      return draft.go('choosing', { isFreeRefund: true });
    }
    if (observedPayments(order).some((payment) => isInTime(order, payment))) return draft.go('seen');
  }
  draft.go('choosing');
}

/**
 * Exchanges the amount that arrived, including a tolerated overpayment, if the reserve allows it; else only the requested amount.
 * Returns false if neither is possible.
 */
export function goOnAtLockedRate(draft: Draft, arrived: bigint): boolean {
  const { order } = draft;
  const max = withinTerms(order, arrived);
  const request = max < order.give.parts ? max : order.give.parts;
  return [...new Set([max, request])].some((parts) => {
    const price = lockedPrice(order, parts, draft.context.again);
    return price !== undefined && draft.exchange(price);
  });
}

/**
 * Ends the locked rate after a reversal. If money is left, the customer chooses what happens to it; otherwise the order becomes
 * `reversed`.
 */
export function afterUnwind(draft: Draft): void {
  draft.becomeLate({ lateFor: 'undone' });
  draft.go(draft.order.positions.in > 0n ? 'choosing' : 'reversed');
}

/** Reverses the intent of the order's transfer, if there is one, and its exchange: all money is then in `order:in` again. */
export function unwindAll(draft: Draft): void {
  if (draft.order.facts.transfer) takeBackIntent(draft);
  unexchange(draft);
}

/** Reverses the intent of the order's stopped transfer, and returns the transfer. Throws if there is none. */
export function takeBackIntent(draft: Draft): Transfer {
  const { transfer } = draft.order.facts;
  if (!transfer) throw new Error(`${draft.order.id} has no transfer`);
  draft.post(postings.transferIntentReverse(draft.order, transfer));
  draft.note({ transfer: undefined });
  return transfer;
}

export function unexchange(draft: Draft): void {
  draft.post(postings.exchangeReverse(draft.order, draft.context.free.give, draft.context.free.reward));
  draft.note({ exchange: undefined, approved: undefined });
}

/**
 * Holds an exchanged order and reverses its exchange. If the locked rate still applies, reserves the payout amount again, out of
 * the money that the reversal releases.
 */
export function holdExchanged(draft: Draft): void {
  const { exchange, isLate } = draft.order.facts;
  if (exchange && !isLate) draft.post(postings.reserve(draft.order, exchange.got));
  unexchange(draft);
  draft.hold('soft');
}

export function claimBack(draft: Draft): void {
  draft.post(postings.claim(draft.order));
}

export function takeBack(
  draft: Draft,
  { payment, parts }: EventOf<'payin_reversed'>,
): { place: Payment['place']; parts: bigint } {
  const { place } = paymentOf(draft.order, payment, 'final');
  draft.payments(turn(draft.order, payment, parts, 'final', 'reversed'));
  return { place, parts };
}

/** Books a payment that the rail took back, out of `order:in`. */
export function takeFromIn(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.payinReverse(draft.order, place, parts, draft.context.held));
}

/** Books a payment that the rail took back as a debt of the customer. */
export function takeAsOwed(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.reversalDebt(draft.order, place, parts, draft.context.held));
  draft.note({ owedSince: draft.context.now });
}

/** Moves a payment that isn't the order's to an unallocated payment, which is held if screening flagged it or the customer is a debtor. */
export function openUnallocated(draft: Draft, payment: Payment): void {
  const { newId, screening, owes } = draft.context;
  const id = newId();
  draft.post(postings.unallocated(draft.order, id, payment.parts, payment.place));
  // A debtor's payment waits for people. Otherwise the money could be sent straight back to the debtor.
  const held = screening !== 'clean' ? screening : heldBy(owes);
  draft.effects.push({ do: 'open_unallocated', id, pieces: [payment], ...(held && { held }) });
}

export function refundOrRest(draft: Draft, isByPeople: boolean): void {
  draft.post(postings.reserveRelease(draft.order));
  if (canRefund(draft.order)) return draft.queueRefund(isByPeople);
  draft.post(postings.unclaimed(draft.order));
  draft.go('unclaimed');
}
