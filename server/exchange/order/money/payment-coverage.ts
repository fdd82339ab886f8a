// What came for an order, and what that is enough for. All of it is reckoned, nothing kept.

import { isEnough, isInTime, shortBy } from '../../../collecting/index.ts';
import { type OrderView, type Payment, RESTING, TAKES_PAYMENTS } from '../order.ts';

/** Of what was asked, what has neither arrived nor is on its way; nothing of an unallocated payment, which nobody asked for. */
export const missing = (order: OrderView): bigint => (order.kind === 'order' ? shortBy(order) : 0n);

/** Whether so much is exchanged by itself, at the locked rate, once that ends. */
export function goesOnShort(order: OrderView, arrived: bigint): boolean {
  return order.kind === 'order' && !order.facts.late && !order.facts.askMe && isEnough(order, arrived);
}

/** Whether that can be promised: what it brings is held for the order. */
export function promisesShort(order: OrderView, arrived: bigint): boolean {
  return goesOnShort(order, arrived) && order.positions.reserve > 0n;
}

/**
 * Whether an order can do without a payment, so that nobody holds another's order by paying flagged money to its
 * address: it has enough without the payment, or not even with it. Of an order that is late, or had ended, whatever is
 * there can be exchanged, so anything else that came is enough.
 */
export function isUnneeded(order: OrderView, payment: Payment): boolean {
  if (order.kind !== 'order' || !TAKES_PAYMENTS.has(order.state)) return false;
  const late = order.facts.late || RESTING.has(order.state);
  const others = order.payments.filter((one) => one.id !== payment.id && one.standing !== 'reversed');
  const without = others.reduce((sum, one) => (late || isInTime(order, one) ? sum + one.parts : sum), 0n);
  const enough = late ? without > 0n : isEnough(order, without);
  return enough || !isEnough(order, without + payment.parts);
}
