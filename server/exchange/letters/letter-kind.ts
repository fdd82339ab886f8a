// Kinds of letters, and the rules by which an event causes one. Pure.

import { isInTime, observedPayments } from '../../collecting/index.ts';
import type { OrderEvent } from '../order/events/events.ts';
import { goesToPayerOnly } from '../order/money/give-back.ts';
import { type OrderView, sends } from '../order/order.ts';
import { missing } from '../order/money/payment-coverage.ts';
import { canClaim } from '../order/money/sent-back.ts';

/** Kinds of letters about an order. `code` and `link` are mailed as often as requested, all others once for each occasion. */
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

/** Situations in which a customer has to act because the order can't go on as placed. */
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

/** Returns the action that the order currently needs from its customer; undefined if none. */
export function situationOf(order: OrderView): Situation | undefined {
  const { state, facts, kind } = order;
  switch (state) {
    case 'seen':
      return missing(order) > 0n && !facts.isLate && observedPayments(order).every((one) => isInTime(order, one))
        ? 'short'
        : undefined;
    case 'choosing':
      if (kind === 'unallocated') return 'unallocated';
      if (facts.isLate) return 'late';
      return missing(order) > 0n ? 'short' : 'no_reserve';
    case 'undelivered':
      if (sends(order) === 'payout') return 'account';
      // The refund may only go to the account that paid, so there is nothing to choose.
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
  /** Distinguishes several letters of one kind about the same order. */
  readonly once?: string;
}

/** Returns the kind of letter that an event causes, if any. */
export function letterOf(before: OrderView, next: OrderView, event: OrderEvent['type'], now: Date): KindOfLetter | undefined {
  if (event === 'papers_asked') return { kind: 'papers', once: `${next.version}` };
  if (event === 'decide_refund' || event === 'op_refund') return { kind: 'rejected' };
  if (next.facts.exchange && !before.facts.exchange) return { kind: 'received' };
  if (event === 'payin_seen' || before.state !== next.state) {
    const short = shortLetter(next, now);
    if (short) return short;
  }
  if (before.state === next.state && before.facts.isAsked === next.facts.isAsked) return undefined;
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
    // Reached only if a payout was stopped before it was sent: an order that was just exchanged got another letter above.
    case 'holding':
    case 'frozen':
      return { kind: 'checking' };
    case 'undelivered':
      return next.facts.isTransient || next.positions.receivable > 0n || !situationOf(next)
        ? undefined
        : { kind: 'needs_you', once: `${sends(next)}_failed` };
    case 'choosing':
      // A late order may be about to go on automatically. If it doesn't, its timer asks the customer.
      return next.facts.isLate && !next.facts.isAsked && !next.facts.askMe ? undefined : { kind: 'needs_you', once: 'choosing' };
    case 'unclaimed':
      return { kind: 'needs_you', once: 'unclaimed' };
    default:
      return undefined;
  }
}

/**
 * Returns the letter about an underpayment, while the customer can still pay the rest at the locked rate. Each further part that
 * arrives causes another letter.
 */
function shortLetter(order: OrderView, now: Date): KindOfLetter | undefined {
  if (situationOf(order) !== 'short' || now >= order.pinned.lockUntil) return undefined;
  return { kind: 'needs_you', once: `short ${missing(order)}` };
}
