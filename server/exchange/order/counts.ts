// Decides whether a completed order counts. An order that counts is included in its customer's turnover, and brings rewards,
// prizes and the coupon of a late order. The decision is stored in the order's facts, under its MAC, so that turnover, rewards,
// prizes and coupon are taken back exactly once. Pure.

import type { OrderView } from './order.ts';

/**
 * Returns the order's fact `isCounted` after an event that turned the order into `next`:
 * - true: the order was paid out, and none of its money was taken back. The fact stays true if the payout came back and waits for
 *   another account.
 * - false: the exchange was not reversed, but some of the order's money was taken back. The fact becomes true again as soon as
 *   nothing is owed.
 * - undefined: the order was not paid out since it was last exchanged.
 */
export function countsAfter(before: OrderView, next: OrderView): boolean | undefined {
  if (next.kind === 'unallocated') return undefined;
  if (next.state === 'completed') return true;
  const { isCounted } = before.facts;
  if (isCounted === undefined || !next.facts.exchange) return undefined;
  const { receivable, loss } = next.positions;
  return next.state === 'charged_back' || receivable > 0n || loss > 0n ? false : isCounted;
}

/** True if an order counts now. */
export const counts = ({ facts }: Pick<OrderView, 'facts'>): boolean => facts.isCounted === true;
