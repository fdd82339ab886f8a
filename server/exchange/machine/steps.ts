// Steps of the order machine: the effect of each row of its table on an order. A step only changes its draft, so the machine
// stays pure.
//
// The table and its guards decide who may bring an event and when; the steps check neither again.

import { arrivedInTime, missedBy, observedPayments, withinTerms } from '../../collecting/index.ts';
import { heldBy } from './derived-orders.ts';
import type { Draft } from './draft.ts';
import type { EventOf, OrderEvent } from '../order/events/events.ts';
import {
  type Step,
  claimBack,
  goOnAtLockedRate,
  holdExchanged,
  openUnallocated,
  refundOrRest,
  settle,
  unwindAll,
  withoutObservedPayment,
} from './step-helpers.ts';
import { keepsLockedRate } from './hold.ts';
import { currentPrice } from './offers.ts';
import { TAKES_PAYMENTS } from '../order/order.ts';
import * as postings from './postings.ts';
import { REVERSAL_STEPS } from './reversal-steps.ts';
import { TRANSFER_STEPS } from './transfer-steps.ts';

const ORDER_STEPS = {
  cancel(draft: Draft): void {
    draft.post(postings.reserveRelease(draft.order));
    draft.go('cancelled');
  },
  expire(draft: Draft): void {
    draft.post(postings.reserveRelease(draft.order));
    draft.go('expired');
  },
  see(draft: Draft, { payment }: EventOf<'payin_seen'>): void {
    draft.arrives(payment);
    draft.go('seen');
  },
  see_late(draft: Draft, { payment }: EventOf<'payin_seen'>): void {
    draft.arrives(payment);
    draft.go('seen', { isLate: true, lateFor: undefined });
  },
  see_aside(draft: Draft, { payment }: EventOf<'payin_seen'>): void {
    draft.arrives(payment);
  },
  window_over(draft: Draft): void {
    draft.becomeLate({ lateFor: missedBy(draft.order, draft.context.now) });
    if (draft.order.positions.in > 0n) draft.go('choosing');
  },
  drop(draft: Draft, { payment }: EventOf<'payin_dropped'>): void {
    draft.payments(withoutObservedPayment(draft.order, payment));
    const { state, positions, facts, kind, pinned } = draft.order;
    if (state !== 'seen' || observedPayments(draft.order).length > 0) return;
    if (positions.in > 0n) return draft.go('choosing');
    if (kind === 'order' && !facts.isLate && draft.context.now < pinned.lockUntil) return draft.go('awaiting');
    draft.becomeLate();
    draft.go('expired');
  },
  drop_aside(draft: Draft, { payment }: EventOf<'payin_dropped'>): void {
    draft.payments(withoutObservedPayment(draft.order, payment));
  },
  receive(draft: Draft, { payment }: EventOf<'payin_final'>): void {
    const { state } = draft.order;
    if (state === 'expired' || state === 'cancelled' || state === 'reversed') {
      draft.note({ isLate: true, lateFor: undefined });
    }
    draft.arrives(payment);
    draft.note({ choiceSince: undefined });
    draft.post(postings.payin(draft.order, payment));
    settle(draft);
  },
  /** Moves the whole payment to an unallocated payment. */
  unallocated(draft: Draft, { payment }: EventOf<'payin_final'>): void {
    draft.payments(withoutObservedPayment(draft.order, payment.id));
    openUnallocated(draft, payment);
  },

  rate_over(draft: Draft): void {
    const hasLowerRate = arrivedInTime(draft.order) > 0n;
    draft.becomeLate({ hasLowerRate, lateFor: missedBy(draft.order, draft.context.now) });
    draft.go('choosing', { isAsked: hasLowerRate });
  },
  continue(draft: Draft): void {
    const { offer } = draft.order.facts;
    if (!offer || !draft.exchange(offer)) throw new Error('The guard let an offer pass that does not stand');
  },
  take_short(draft: Draft): void {
    if (!goOnAtLockedRate(draft, arrivedInTime(draft.order))) throw new Error('The guard let a short sum pass without reserve');
  },
  go_on_better(draft: Draft): void {
    const price = currentPrice(draft.order, withinTerms(draft.order, draft.order.positions.in), draft.context);
    if (!price || !draft.exchange(price)) throw new Error('The guard let a late sum pass without reserve');
  },
  apply(draft: Draft): void {
    const { offer } = draft.order.facts;
    if (!offer) throw new Error('The guard let an unallocated payment pass without offer');
    const id = draft.context.newId();
    const payments = draft.order.payments.filter((payment) => payment.status === 'final');
    const parts = draft.order.positions.in;
    draft.post(postings.unallocatedUse(draft.order, id));
    draft.effects.push({ do: 'open_order', id, parts, offer, payments });
    // Reversed payments stay with the unallocated payment: if one of them comes back, its money belongs there.
    draft.payments(draft.order.payments.filter((payment) => payment.status !== 'final'));
    draft.note({ becameOrder: id });
    draft.go('applied');
  },
  take_over(draft: Draft, { to }: EventOf<'take_over'>): void {
    claimBack(draft);
    draft.post(postings.unallocatedBack(draft.order, to));
    draft.payments(draft.order.payments.filter((payment) => payment.status !== 'final'));
    draft.note({ isTakenOver: true });
    draft.go('applied');
  },
  refund(draft: Draft): void {
    draft.post(postings.reserveRelease(draft.order));
    draft.queueRefund();
  },
  give_route(draft: Draft, { account }: EventOf<'give_route'>): void {
    draft.account(account);
  },
  refund_or_rest(draft: Draft, event: OrderEvent): void {
    // Nothing goes back automatically to a debtor or a blocked customer.
    const isByPeople = event.type !== 'deadline';
    const held = isByPeople ? undefined : heldBy(draft.context.owes);
    if (held) return draft.holdForPeople(held);
    if ('isOurs' in event && event.isOurs) draft.note({ isFreeRefund: true });
    refundOrRest(draft, isByPeople);
  },
  op_hold(draft: Draft): void {
    holdExchanged(draft);
  },
  papers_asked(draft: Draft): void {
    draft.papers('asked');
  },
  papers_came(draft: Draft): void {
    draft.papers('came');
  },
  hold_rate_over(draft: Draft): void {
    draft.becomeLate({ lateFor: 'checked' });
  },

  release(draft: Draft, { isCustomerAsked }: EventOf<'release'>): void {
    const { order, context } = draft;
    const hasPapers = order.facts.hold?.papers !== undefined;
    if (!isCustomerAsked && keepsLockedRate(order, context)) settle(draft);
    else {
      draft.becomeLate({ lateFor: 'checked', ...(hasPapers && { hasLowerRate: true }) });
      draft.go('choosing');
    }
    // The suspicion was unfounded, so the customer doesn't pay for a refund.
    if (TAKES_PAYMENTS.has(draft.order.state)) draft.note({ isFreeRefund: true });
  },
  approve(draft: Draft, { people }: EventOf<'approve'>): void {
    draft.note({ approved: people });
    draft.queuePayout();
  },
  let_out(draft: Draft): void {
    draft.letOut();
  },
  approval_over(draft: Draft): void {
    const { hasOwnWait } = draft.order.facts;
    holdExchanged(draft);
    const { hold } = draft.order.facts;
    draft.note({ isFreeRefund: true, hasOwnWait, ...(hold && { hold: { ...hold, isUnapproved: true } }) });
  },
  freeze(draft: Draft): void {
    claimBack(draft);
    unwindAll(draft);
    draft.becomeLate({ lateFor: 'checked' });
    draft.post(postings.freeze(draft.order));
    draft.go('frozen');
  },
  unfreeze(draft: Draft): void {
    draft.post(postings.unfreeze(draft.order));
    draft.hold('hard');
  },
  surrender(draft: Draft): void {
    draft.post(postings.surrender(draft.order));
    draft.go('surrendered', { ended: 'surrendered' });
  },
} satisfies Record<string, Step>;

/** All steps, by their names in the table. */
export const STEPS = { ...ORDER_STEPS, ...TRANSFER_STEPS, ...REVERSAL_STEPS } satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
