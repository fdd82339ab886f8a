// What can be sent of an order's money once it isn't exchanged: to whom, and what that costs.

import { type OrderView, type Payment, type RailAccount, type SideAccount, sends } from '../order.ts';

/** Where a refund goes once this payment is known: to an account that the customer gave, else back to where it came from. */
export function refundAfter({ refund }: Pick<OrderView, 'refund'>, { source }: Payment): RailAccount | undefined {
  return source && (refund === undefined || refund.key === '') ? source : refund;
}

/** What a refund costs its customer: sending it, and the provider's fee on the payment. Zero where we are the cause. */
export function refundCostOf(order: OrderView): bigint {
  if (order.facts.freeRefund) return 0n;
  const kept = order.payments.reduce((sum, one) => (one.standing === 'final' ? sum + (one.kept ?? 0n) : sum), 0n);
  return order.pinned.refundCost + kept;
}

/** Whether a refund can be sent now: its account is known and enough is left after the cost. */
export function canRefund(order: OrderView): boolean {
  const left = order.positions.in - refundCostOf(order);
  return order.refund !== undefined && !order.pinned.takesOnly && left > 0n && left >= order.pinned.refundLeast;
}

/** Whether unclaimed money of a side can be sent: of what was given, enough is left after the cost of sending it. */
export function canClaim(order: OrderView, side: SideAccount['side']): boolean {
  const { unclaimedIn, unclaimedOut, receivable } = order.positions;
  if (receivable > 0n) return false;
  if (side === 'get') return unclaimedOut > 0n;
  if (order.pinned.takesOnly) return false;
  const left = unclaimedIn - refundCostOf(order);
  return left > 0n && left >= order.pinned.refundLeast;
}

/** Whether what failed to be sent can be sent again: something is there, and of a refund something is left after its cost. */
export function canSendAgain(order: OrderView): boolean {
  const { positions } = order;
  return sends(order) === 'payout' ? positions.out > 0n : positions.in > refundCostOf(order);
}
