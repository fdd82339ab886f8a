// Until when a held order keeps the rate that was locked for it. Pure.

import type { Rules } from '../order/events/events.ts';
import type { OrderView } from '../order/order.ts';

/**
 * Whether an order that is held still goes on at its locked rate: where nothing was asked of its customer and no papers
 * came, until the hold's end; else only while the hold is brief. They could wait for a better market with their papers.
 */
export function keepsLockedRate({ kind, facts }: OrderView, { now, rules }: { now: Date; rules: Rules }): boolean {
  const { hold, late } = facts;
  if (kind !== 'order' || late || !hold) return false;
  const held = now.getTime() - hold.since.getTime();
  return held < rules.hold && (hold.papers === undefined || held <= rules.keepRate);
}

/** When a hold that no time ends keeps the locked rate no longer; undefined where that is gone, or an end comes first. */
export function rateHeldUntil({ kind, state, facts }: OrderView, rules: Pick<Rules, 'hold'>): Date | undefined {
  const { hold, late } = facts;
  if (state !== 'holding' || kind !== 'order' || late || hold?.cause !== 'hard') return undefined;
  return new Date(hold.since.getTime() + rules.hold);
}
