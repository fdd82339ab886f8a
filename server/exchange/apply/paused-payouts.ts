// Payouts that can't leave. The customer may take a free refund instead: at once if the payout's currency is stuck, or after a
// day if sends on its rail are switched off.

import { canStop, isStuck, maySend } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { OrderView } from '../order/order.ts';
import { settings } from '../machine/settings.ts';

const HOUR = 3_600_000;

/**
 * True if the customer of a queued payout may take a refund instead. Either sends on the payout's rail have been switched off for
 * long enough, or its currency is stuck. The order must have a refund account, and nothing may have been signed. The worker may
 * take the payout as soon as the switch is on again, so callers stop the payout first.
 */
export async function isPaused(db: Statements, order: OrderView, now: Date): Promise<boolean> {
  const { state, get, refund, facts, pinned } = order;
  const back = facts.exchange?.give ?? 0n;
  if (state !== 'paying' || !facts.transfer || !get || !refund || back <= 0n || back < pinned.minRefund) return false;
  const isOff = now.getTime() >= longPaused(order) && !(await maySend(db, get.rail));
  if (!isOff && !(await isStuck(db, get.currency))) return false;
  return canStop(db, facts.transfer.intent);
}

/**
 * Returns the time at which a queued payout will have been paused for too long, so that its customer is notified. Undefined if no
 * payout is queued, or the customer was notified already.
 */
export function pauseDue(order: OrderView): Date | undefined {
  return order.state === 'paying' && order.facts.transfer && !order.facts.isAsked ? new Date(longPaused(order)) : undefined;
}

const longPaused = ({ facts }: OrderView): number => facts.since.getTime() + settings.get('exchange.paused_hours') * HOUR;
