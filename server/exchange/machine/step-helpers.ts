// Helpers of the order machine's steps. Pure: each works on the draft of one event.

import { arrivedInTime, cutPayment, isInTime, joinPieces, observedPayments, withinTerms } from '../../collecting/index.ts';
import { heldBy } from './derived-orders.ts';
import type { Draft } from './draft.ts';
import type { EventOf } from '../order/events/events.ts';
import { lockedPrice } from './offers.ts';
import type { OrderView, Payment, Transfer } from '../order/order.ts';
import { canRefund } from '../order/money/sent-back.ts';
import * as postings from './postings.ts';

/** What a row of the table does to its order. */
export type Step = (draft: Draft, event: never) => void;

export const withoutObservedPayment = (order: OrderView, id: string): readonly Payment[] =>
  order.payments.filter((one) => one.id !== id || one.standing !== 'seen');

/** The payment of this id and standing. Throws: the caller knows which payments an order has. */
export function paymentOf(order: OrderView, id: string, standing: Payment['standing']): Payment {
  const found = order.payments.find((one) => one.id === id && one.standing === standing);
  if (!found) throw new Error(`${order.id} has no ${standing} payment ${id}`);
  return found;
}

/** Moves `parts` of a payment from one standing to the other: final → reversed, or back. */
export function turn(
  order: OrderView,
  id: string,
  parts: bigint,
  from: 'final' | 'reversed',
  to: 'final' | 'reversed',
): readonly Payment[] {
  const source = paymentOf(order, id, from);
  const target = order.payments.find((one) => one.id === id && one.standing === to);
  const others = order.payments.filter((one) => one !== source && one !== target);
  const { piece, rest } = cutPayment(source, parts);
  const turned = target ? joinPieces(piece, target) : piece;
  return [...others, ...(rest ? [rest] : []), { ...turned, standing: to }];
}

/** Everything of an order that arrived is looked at: it is held, goes on at the locked rate, or is asked about. */
export function settle(draft: Draft): void {
  const { order, context } = draft;
  if (context.screening !== 'clean') return draft.hold(context.screening);
  if (order.kind === 'order' && !order.facts.late) {
    const arrived = arrivedInTime(order);
    if (arrived >= order.give.parts) {
      if (goOnAtLockedRate(draft, arrived)) return;
      // We can't promise what was asked, so a refund is on us.
      return draft.go('choosing', { freeRefund: true });
    }
    if (observedPayments(order).some((payment) => isInTime(order, payment))) return draft.go('seen');
  }
  draft.go('choosing');
}

/** With a little more than asked if the reserve allows that, else with what was asked. */
export function goOnAtLockedRate(draft: Draft, arrived: bigint): boolean {
  const { order } = draft;
  const most = withinTerms(order, arrived);
  const asked = most < order.give.parts ? most : order.give.parts;
  return [...new Set([most, asked])].some((parts) => {
    const price = lockedPrice(order, parts, draft.context.again);
    return price !== undefined && draft.exchange(price);
  });
}

/** After an unwinding: with what is left the customer chooses; with nothing left the order is reversed. */
export function afterUnwind(draft: Draft): void {
  draft.becomeLate({ lateFor: 'undone' });
  draft.go(draft.order.positions.in > 0n ? 'choosing' : 'reversed');
}

/** Every intent and exchange is turned round: all money is in `order:in` again. */
export function unwindAll(draft: Draft): void {
  if (draft.order.facts.transfer) takeBackIntent(draft);
  unexchange(draft);
}

/** An intent that was stopped gives its money back; gives what it was. Throws where nothing is on its way. */
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
 * Held by the desk's own doing: an exchange is turned round. While the locked rate stands, what it had brought is promised
 * again, out of the money that comes back with it.
 */
export function holdExchanged(draft: Draft): void {
  const { exchange, late } = draft.order.facts;
  if (exchange && !late) draft.post(postings.reserve(draft.order, exchange.got));
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

/** Taken back by the rail, out of `order:in`. */
export function takeFromIn(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.payinReverse(draft.order, place, parts, draft.context.held));
}

/** Taken back by the rail, and from now owed by the customer. */
export function takeAsOwed(draft: Draft, event: EventOf<'payin_reversed'>): void {
  const { place, parts } = takeBack(draft, event);
  draft.post(postings.reversalDebt(draft.order, place, parts, draft.context.held));
  draft.note({ owedSince: draft.context.now });
}

/** A payment that is not this order's becomes an unallocated payment of its own: held alone where screening flagged it. */
export function openUnallocated(draft: Draft, payment: Payment): void {
  const { newId, screening, owes } = draft.context;
  const id = newId();
  draft.post(postings.unallocated(draft.order, id, payment.parts, payment.place));
  // A debtor's money waits for people: else what they pay back could be sent to them again.
  const held = screening !== 'clean' ? screening : heldBy(owes);
  draft.effects.push({ do: 'open_unallocated', id, pieces: [payment], ...(held && { held }) });
}

export function refundOrRest(draft: Draft, byPeople: boolean): void {
  draft.post(postings.reserveRelease(draft.order));
  if (canRefund(draft.order)) return draft.queueRefund(byPeople);
  draft.post(postings.unclaimed(draft.order));
  draft.go('unclaimed');
}
