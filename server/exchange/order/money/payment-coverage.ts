// Compares the payments for an order with the amount requested. Everything is computed, nothing stored.

import { isEnough, isInTime, shortBy } from '../../../collecting/index.ts';
import { type OrderView, type Payment, RESTING, TAKES_PAYMENTS } from '../order.ts';

/**
 * Returns the part of the requested amount that has neither arrived nor is on its way; 0 for an unallocated payment, which nobody
 * requested.
 */
export const missing = (order: OrderView): bigint => (order.kind === 'order' ? shortBy(order) : 0n);

/** True if an arrived amount is exchanged automatically at the locked rate once that rate ends. */
export function goesOnShort(order: OrderView, arrived: bigint): boolean {
  return order.kind === 'order' && !order.facts.isLate && !order.facts.askMe && isEnough(order, arrived);
}

/** True if the customer can be promised this: the payout's money is reserved for the order. */
export function promisesShort(order: OrderView, arrived: bigint): boolean {
  return goesOnShort(order, arrived) && order.positions.reserve > 0n;
}

/**
 * True if an order can do without a payment. This keeps anyone from blocking another's order by paying flagged money to its
 * address. The order either has enough without the payment, or not even with it. A late or ended order can exchange any amount,
 * so any other payment is enough.
 */
export function isUnneeded(order: OrderView, payment: Payment): boolean {
  if (order.kind !== 'order' || !TAKES_PAYMENTS.has(order.state)) return false;
  const late = order.facts.isLate || RESTING.has(order.state);
  const others = order.payments.filter((one) => one.id !== payment.id && one.status !== 'reversed');
  const without = others.reduce((sum, one) => (late || isInTime(order, one) ? sum + one.parts : sum), 0n);
  const enough = late ? without > 0n : isEnough(order, without);
  return enough || !isEnough(order, without + payment.parts);
}
