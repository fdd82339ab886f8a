// Decides whether a completed order counts: towards its customer's turnover, for rewards, prizes and the coupon of a late order. The
// decision is stored in the order's facts, under its MAC, so that everything counted is taken off exactly once. Pure.

import type { OrderView } from './order.ts';

/**
 * Returns the order's `isCounted` after an event that turned it into `next`:
 * - true: it was paid out and no money of it was taken back. A payout that came back and waits for an account still counts.
 * - false: its exchange stands, but money of it was taken back. It counts again as soon as nothing is owed.
 * - undefined: it was not paid out since it was last exchanged.
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
