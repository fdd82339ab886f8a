// Compares an order's payments with the amount requested. Pure.

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

/**
 * True if the customer can be promised that an arrived amount is exchanged at the locked rate: it is enough, and the payout
 * amount is reserved.
 */
export function promisesShort(order: OrderView, arrived: bigint): boolean {
  return goesOnShort(order, arrived) && order.positions.reserve > 0n;
}

/**
 * True if an order doesn't need a payment: it has enough without the payment, or not enough even with it. Such a payment is moved
 * out of the order, so that nobody can block another's order by paying flagged money to its address. For a late or ended order,
 * any other payment is enough, because such an order can exchange any amount.
 */
export function isUnneeded(order: OrderView, payment: Payment): boolean {
  if (order.kind !== 'order' || !TAKES_PAYMENTS.has(order.state)) return false;
  const late = order.facts.isLate || RESTING.has(order.state);
  const others = order.payments.filter((one) => one.id !== payment.id && one.status !== 'reversed');
  const without = others.reduce((sum, one) => (late || isInTime(order, one) ? sum + one.parts : sum), 0n);
  const enough = late ? without > 0n : isEnough(order, without);
  return enough || !isEnough(order, without + payment.parts);
}
