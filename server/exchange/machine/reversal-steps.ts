// Steps for payments that the rail took back, and for payments that came to us again afterwards.

import { cutPayment, observedPayments } from '../../collecting/index.ts';
import type { Draft } from './draft.ts';
import type { EventOf } from '../order/events/events.ts';
import {
  type Step,
  afterUnwind,
  claimBack,
  openUnallocated,
  paymentOf,
  settle,
  takeAsOwed,
  takeBack,
  takeFromIn,
  turn,
  unexchange,
  unwindAll,
} from './step-helpers.ts';
import { sends } from '../order/order.ts';
import * as postings from './postings.ts';

function reverse(draft: Draft, event: EventOf<'payin_reversed'>): void {
  if (draft.order.positions.receivable > 0n) return takeAsOwed(draft, event);
  takeFromIn(draft, event);
  // The offer covered more money than is left.
  draft.note({ offer: undefined });
  const { state, positions } = draft.order;
  if (positions.in > 0n) return state === 'seen' ? undefined : draft.becomeLate({ lateFor: 'undone' });
  if (state === 'seen' && observedPayments(draft.order).length > 0) return;
  afterUnwind(draft);
}

export const REVERSAL_STEPS = {
  reverse,
  unwind(draft: Draft, event: EventOf<'payin_reversed'>): void {
    unwindAll(draft);
    takeFromIn(draft, event);
    afterUnwind(draft);
  },
  unwind_undelivered(draft: Draft, event: EventOf<'payin_reversed'>): void {
    if (sends(draft.order) === 'refund') return reverse(draft, event);
    if (draft.order.positions.receivable > 0n) return takeAsOwed(draft, event);
    unexchange(draft);
    takeFromIn(draft, event);
    afterUnwind(draft);
  },
  owe(draft: Draft, event: EventOf<'payin_reversed'>): void {
    takeAsOwed(draft, event);
  },
  charge_back(draft: Draft, event: EventOf<'payin_reversed'>): void {
    takeAsOwed(draft, event);
    draft.go('charged_back');
  },
  reverse_unclaimed(draft: Draft, event: EventOf<'payin_reversed'>): void {
    claimBack(draft);
    unexchange(draft);
    takeFromIn(draft, event);
    if (draft.order.positions.in === 0n) return afterUnwind(draft);
    draft.post(postings.unclaimed(draft.order));
  },
  reverse_frozen(draft: Draft, event: EventOf<'payin_reversed'>): void {
    const { place, parts } = takeBack(draft, event);
    draft.post(postings.payinReverseFrozen(draft.order, place, parts, draft.context.held));
    if (draft.order.positions.frozen > 0n) return;
    draft.becomeLate();
    draft.go('reversed');
  },
  won(draft: Draft, { payment, parts }: EventOf<'dispute_won'>): void {
    const back = paymentOf(draft.order, payment, 'reversed');
    const { receivable, loss } = draft.order.positions;
    const owed = parts < receivable ? parts : receivable;
    const lost = parts - owed < loss ? parts - owed : loss;
    draft.post(postings.disputeWin(draft.order, back.place, owed, lost));
    draft.addLoss(-lost);
    draft.payments(turn(draft.order, payment, owed + lost, 'reversed', 'final'));
    // This payment had been taken back before its order was paid out, so a part of it is no debt. That part becomes an
    // unallocated payment of the customer.
    if (parts > owed + lost) wonBeyond(draft, payment, parts - owed - lost);
    const after = draft.order.positions;
    const { ended } = draft.order.facts;
    if (draft.order.state === 'charged_back' && after.receivable === 0n && after.loss === 0n && ended) draft.go(ended);
  },
  won_open(draft: Draft, { payment, parts }: EventOf<'dispute_won'>): void {
    draft.becomeLate({ lateFor: 'undone' });
    const back = { ...paymentOf(draft.order, payment, 'reversed'), parts };
    draft.payments(turn(draft.order, payment, parts, 'reversed', 'final'));
    draft.post(postings.payin(draft.order, back));
    settle(draft);
  },
  won_unallocated(draft: Draft, { payment, parts }: EventOf<'dispute_won'>): void {
    wonBeyond(draft, payment, parts);
  },
  /**
   * Settles another order's debt with `parts` of this order's money. The excess becomes an unallocated payment of this order's
   * customer.
   */
  settle_debt(draft: Draft, { debt, parts }: EventOf<'settle_debt'>): void {
    draft.post(postings.reserveRelease(draft.order));
    draft.splitOff(draft.order.positions.in - parts);
    draft.post(postings.otherDebtSettlement(draft.order, debt, parts));
    draft.go('applied', { ended: 'applied' });
  },
  repaid(draft: Draft, { parts }: EventOf<'repaid'>): void {
    draft.repaid(parts);
    const { positions, facts, state } = draft.order;
    if (state === 'charged_back' && positions.receivable === 0n && positions.loss === 0n && facts.ended) draft.go(facts.ended);
  },
  write_off(draft: Draft): void {
    const { receivable } = draft.order.positions;
    const { exchange } = draft.order.facts;
    draft.post(postings.writeOff(draft.order));
    draft.addLoss(receivable);
    // The provision is used up: a later reversal of the exchange must not use it again.
    if (exchange) {
      const left = exchange.provision > receivable ? exchange.provision - receivable : 0n;
      draft.note({ exchange: { ...exchange, provision: left } });
    }
  },
} satisfies Record<string, Step>;

/** Moves the part of a recovered payment that settles no debt to an unallocated payment. */
function wonBeyond(draft: Draft, payment: string, parts: bigint): void {
  const back = paymentOf(draft.order, payment, 'reversed');
  const { piece, rest } = cutPayment(back, parts);
  draft.payments(draft.order.payments.flatMap((one) => (one === back ? (rest ? [rest] : []) : [one])));
  openUnallocated(draft, { ...piece, status: 'final' });
}
