// Helpers for the order machine's steps. Pure: each works on the draft of one event.

import { arrivedInTime, cutPayment, isInTime, joinPieces, observedPayments, withinTerms } from '../../collecting/index.ts';
import { heldBy } from './derived-orders.ts';
import type { Draft } from './draft.ts';
import type { EventOf } from '../order/events/events.ts';
import { lockedPrice } from './offers.ts';
import type { OrderView, Payment, Transfer } from '../order/order.ts';
import { canRefund } from '../order/money/sent-back.ts';
import * as postings from './postings.ts';

/** A step: applies a row of the table to its order. */
export type Step = (draft: Draft, event: never) => void;

export const withoutObservedPayment = (order: OrderView, id: string): readonly Payment[] =>
  order.payments.filter((one) => one.id !== id || one.status !== 'seen');

/** Returns the payment with this id and status. Throws if there is none: the caller knows which payments an order has. */
export function paymentOf(order: OrderView, id: string, status: Payment['status']): Payment {
  const found = order.payments.find((one) => one.id === id && one.status === status);
  if (!found) throw new Error(`${order.id} has no ${status} payment ${id}`);
  return found;
}

/** Moves `parts` of a payment from one status to the other: final → reversed, or back. */
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

/** Decides on all payments that arrived: the order is held, goes on at the locked rate, or its customer is asked. */
export function settle(draft: Draft): void {
  const { order, context } = draft;
  if (context.screening !== 'clean') return draft.hold(context.screening);
  if (order.kind === 'order' && !order.facts.isLate) {
    const arrived = arrivedInTime(order);
    if (arrived >= order.give.parts) {
      if (goOnAtLockedRate(draft, arrived)) return;
      // The desk can't keep its promise, so the customer pays nothing for a refund.
      return draft.go('choosing', { isFreeRefund: true });
    }
    if (observedPayments(order).some((payment) => isInTime(order, payment))) return draft.go('seen');
  }
  draft.go('choosing');
}

/**
 * Exchanges slightly more than requested if the reserve allows it, else the requested amount. Returns false if neither is
 * possible.
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

/** Continues after a reversal: the customer chooses about the rest; with nothing left the order is reversed. */
export function afterUnwind(draft: Draft): void {
  draft.becomeLate({ lateFor: 'undone' });
  draft.go(draft.order.positions.in > 0n ? 'choosing' : 'reversed');
}

/** Reverses the transfer's intent and the exchange, so that all money is in `order:in` again. */
export function unwindAll(draft: Draft): void {
  if (draft.order.facts.transfer) takeBackIntent(draft);
  unexchange(draft);
}

/** Reverses the intent of a stopped transfer and returns the transfer. Throws if none is on its way. */
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
 * Holds an exchanged order and reverses its exchange. While the locked rate stands, the payout amount is promised again, from the
 * money that comes back.
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

/** Books money that the rail took back out of `order:in`. */
export function takeFromIn(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.payinReverse(draft.order, place, parts, draft.context.held));
}

/** Books money that the rail took back as a debt of the customer. */
export function takeAsOwed(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.reversalDebt(draft.order, place, parts, draft.context.held));
  draft.note({ owedSince: draft.context.now });
}

/** Moves a payment that isn't this order's to an unallocated payment; it is held if screening flagged it. */
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
