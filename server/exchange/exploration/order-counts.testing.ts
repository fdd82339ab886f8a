// Checks an order's fact `isCounted` at a node of the exploration, and by the order's published events. For tests.

import type { Outcome } from '../machine/machine.ts';
import { publishedOf } from '../order/events/order-published.ts';
import type { OrderView } from '../order/order.ts';

/** An order. `isCounted`: true if the order counts by its published events. */
interface Counted {
  readonly order: OrderView;
  readonly isCounted: boolean;
}

/**
 * Returns true if an order counts by its published events after an outcome. Returns a fault in words if an event repeats the last
 * change, or a change was not published.
 */
export function countedAfter({ order, isCounted: wasCounted }: Counted, { next, postings }: Outcome): boolean | string {
  const published = publishedOf(
    order,
    next,
    postings.map(({ name }) => name),
  );
  const changes = published.filter((one) => one.isCounted !== undefined);
  if (changes.length > 1) return `told several times at once: ${changes.map(({ kind }) => kind).join()}`;
  for (const { kind, isCounted } of changes) {
    if (isCounted === wasCounted) return `${kind} is told once more`;
    if ((kind === 'order.completed' || kind === 'order.restored') !== isCounted) return `${kind} says the opposite`;
  }
  // Higher rooms see only the kinds of events, so they stop counting an order when it publishes `order.ended`.
  const isOver = wasCounted && published.some(({ kind }) => kind === 'order.ended');
  return isOver && changes.length === 0 ? 'it ends and is not taken off' : (changes[0]?.isCounted ?? wasCounted);
}

/**
 * Returns a fault in the order's fact `isCounted`. `counted`: true if the order counts by its published events. An order counts
 * while it is completed, and while a payout that came back waits to be sent again. It never counts without an exchange, or while
 * any of its money is taken back.
 */
export function countingFault(
  { state, kind, facts, positions }: OrderView,
  counted: boolean,
  rests: boolean,
): string | undefined {
  const counts = facts.isCounted === true;
  if (counts !== counted) return `it ${counts ? 'counts' : 'does not count'} and its events say otherwise`;
  if (counts && (!facts.exchange || facts.boughtBack)) return 'it counts without its exchange';
  if (counts && positions.receivable + positions.loss > 0n) return 'it counts although money of it was taken back';
  if (counts && rests && state !== 'completed' && state !== 'unclaimed') return `it counts at rest in ${state}`;
  if (!counts && state === 'completed' && kind === 'order') return 'it is completed and does not count';
  return undefined;
}
