// Which letters there are, and which one an event is mailed as. Pure.

import { isInTime, observedPayments } from '../../collecting/index.ts';
import type { OrderEvent } from '../order/events/events.ts';
import { goesToPayerOnly } from '../order/money/give-back.ts';
import { type OrderView, sends } from '../order/order.ts';
import { missing } from '../order/money/payment-coverage.ts';
import { canClaim } from '../order/money/sent-back.ts';

/** The letters about an order. Those of its way go once each; a code and the link as often as asked. */
export type LetterKind =
  | 'placed'
  | 'received'
  | 'needs_you'
  | 'checking'
  | 'papers'
  | 'done'
  | 'refunded'
  | 'rejected'
  | 'reversed'
  | 'late_coupon'
  | 'code'
  | 'link';

/** What a customer can do about an order that can't go on as it was placed. */
export type Situation =
  | 'short'
  | 'no_reserve'
  | 'late'
  | 'unallocated'
  | 'account'
  | 'refund_account'
  | 'unclaimed'
  | 'too_small'
  | 'paused';

/** What is asked of the customer where their order stands now; undefined where nothing is. */
export function situationOf(order: OrderView): Situation | undefined {
  const { state, facts, kind } = order;
  switch (state) {
    case 'seen':
      return missing(order) > 0n && !facts.late && observedPayments(order).every((one) => isInTime(order, one))
        ? 'short'
        : undefined;
    case 'choosing':
      if (kind === 'unallocated') return 'unallocated';
      if (facts.late) return 'late';
      return missing(order) > 0n ? 'short' : 'no_reserve';
    case 'undelivered':
      if (sends(order) === 'payout') return 'account';
      // Nothing is asked of them: where it goes is not theirs to say.
      return goesToPayerOnly(order) ? undefined : 'refund_account';
    case 'unclaimed':
      return canClaim(order, 'get') || canClaim(order, 'give') ? 'unclaimed' : 'too_small';
    case 'paying':
      return 'paused';
    default:
      return undefined;
  }
}

export interface KindOfLetter {
  readonly kind: LetterKind;
  /** Tells letters of one kind apart. */
  readonly once?: string;
}

/** The letter that an event is mailed as, if any. */
export function letterOf(before: OrderView, next: OrderView, event: OrderEvent['type'], now: Date): KindOfLetter | undefined {
  if (event === 'papers_asked') return { kind: 'papers', once: `${next.version}` };
  if (event === 'decide_refund' || event === 'op_refund') return { kind: 'rejected' };
  if (next.facts.exchange && !before.facts.exchange) return { kind: 'received' };
  if (event === 'payin_seen' || before.state !== next.state) {
    const short = shortLetter(next, now);
    if (short) return short;
  }
  if (before.state === next.state && before.facts.asked === next.facts.asked) return undefined;
  switch (next.state) {
    case 'completed':
      return { kind: 'done' };
    case 'refunded':
      return { kind: 'refunded' };
    case 'reversed':
    case 'charged_back':
      return { kind: 'reversed' };
    case 'surrendered':
      return { kind: 'rejected' };
    case 'approving':
    // It was to be sent, and was not let out: what was just exchanged is told of above.
    case 'holding':
    case 'frozen':
      return { kind: 'checking' };
    case 'undelivered':
      return next.facts.passing || next.positions.receivable > 0n || !situationOf(next)
        ? undefined
        : { kind: 'needs_you', once: `${sends(next)}_failed` };
    case 'choosing':
      // A late one may go on by itself in this very moment: the timer asks, or doesn't.
      return next.facts.late && !next.facts.asked && !next.facts.askMe ? undefined : { kind: 'needs_you', once: 'choosing' };
    case 'unclaimed':
      return { kind: 'needs_you', once: 'unclaimed' };
    default:
      return undefined;
  }
}

/** Anyone who paid too little is told while they can still send the rest at their rate; again where a further part came. */
function shortLetter(order: OrderView, now: Date): KindOfLetter | undefined {
  if (situationOf(order) !== 'short' || now >= order.pinned.lockUntil) return undefined;
  return { kind: 'needs_you', once: `short ${missing(order)}` };
}
