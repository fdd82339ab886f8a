// Decides how long a held order keeps its locked rate. Pure.

import type { Rules } from '../order/events/events.ts';
import type { OrderView } from '../order/order.ts';

/**
 * True if a held order still goes on at its locked rate when the hold ends. Without papers, the rate is kept for the set duration
 * of a hold. If papers were requested or received, only a short hold keeps the rate: customers could delay their papers until the
 * market is better.
 */
export function keepsLockedRate({ kind, facts }: OrderView, { now, rules }: { now: Date; rules: Rules }): boolean {
  const { hold, isLate } = facts;
  if (kind !== 'order' || isLate || !hold) return false;
  const held = now.getTime() - hold.since.getTime();
  return held < rules.hold && (hold.papers === undefined || held <= rules.keepRate);
}

/** Returns when an order with a `hard` hold loses its locked rate; undefined if it has lost the rate already, or its hold is not `hard`. */
export function rateHeldUntil({ kind, state, facts }: OrderView, rules: Pick<Rules, 'hold'>): Date | undefined {
  const { hold, isLate } = facts;
  if (state !== 'holding' || kind !== 'order' || isLate || hold?.cause !== 'hard') return undefined;
  return new Date(hold.since.getTime() + rules.hold);
}
