// Decides if money of an order can be refunded, claimed or sent again, and at which cost.

import { type OrderView, type Payment, type RailAccount, type SideAccount, sends } from '../order.ts';

/** Returns the refund account of an order after a payment: the account that the customer named, else the source of the payment. */
export function refundAfter({ refund }: Pick<OrderView, 'refund'>, { source }: Payment): RailAccount | undefined {
  return source && (refund === undefined || refund.key === '') ? source : refund;
}

/**
 * Returns the cost that is deducted from a refund: the cost of sending it, and the provider's deductions from the payments. Zero
 * if the desk caused the refund.
 */
export function refundCostOf(order: OrderView): bigint {
  if (order.facts.isFreeRefund) return 0n;
  const retained = order.payments.reduce((sum, one) => (one.status === 'final' ? sum + (one.retained ?? 0n) : sum), 0n);
  return order.pinned.refundCost + retained;
}

/** True if a refund can be sent now: its account is known, its rail can send, and enough is left after the cost. */
export function canRefund(order: OrderView): boolean {
  const left = order.positions.in - refundCostOf(order);
  return order.refund !== undefined && !order.pinned.isReceiveOnly && left > 0n && left >= order.pinned.minRefund;
}

/** True if unclaimed money of a side can be sent. On the give side, enough must be left after the cost of sending. */
export function canClaim(order: OrderView, side: SideAccount['side']): boolean {
  const { unclaimedIn, unclaimedOut, receivable } = order.positions;
  if (receivable > 0n) return false;
  if (side === 'get') return unclaimedOut > 0n;
  if (order.pinned.isReceiveOnly) return false;
  const left = unclaimedIn - refundCostOf(order);
  return left > 0n && left >= order.pinned.minRefund;
}

/** True if a failed payout or refund can be sent again: its money is in the order, and a refund exceeds its cost. */
export function canSendAgain(order: OrderView): boolean {
  const { positions } = order;
  return sends(order) === 'payout' ? positions.out > 0n : positions.in > refundCostOf(order);
}
