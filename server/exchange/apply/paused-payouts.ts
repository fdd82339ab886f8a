// Payouts that can't leave. After a day of switched-off sends, or at once if their currency is stuck, the customer may take a
// free refund instead.

import { canStop, isStuck, maySend } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { OrderView } from '../order/order.ts';
import { settings } from '../machine/settings.ts';

const HOUR = 3_600_000;

/**
 * True if the customer of a queued payout may take a refund. Its rail's sends must be switched off for long enough, or its
 * currency stuck; the refund needs an account, and nothing may have been signed. The worker may take the payout as soon as the
 * switch is on again, so callers stop it first.
 */
export async function isPaused(db: Statements, order: OrderView, now: Date): Promise<boolean> {
  const { state, get, refund, facts, pinned } = order;
  const back = facts.exchange?.give ?? 0n;
  if (state !== 'paying' || !facts.transfer || !get || !refund || back <= 0n || back < pinned.minRefund) return false;
  const isOff = now.getTime() >= longPaused(order) && !(await maySend(db, get.rail));
  if (!isOff && !(await isStuck(db, get.currency))) return false;
  return canStop(db, facts.transfer.intent);
}

/** Returns when to check whether a queued payout has been paused for too long, so that its customer is notified once. */
export function pauseDue(order: OrderView): Date | undefined {
  return order.state === 'paying' && order.facts.transfer && !order.facts.isAsked ? new Date(longPaused(order)) : undefined;
}

const longPaused = ({ facts }: OrderView): number => facts.since.getTime() + settings.get('exchange.paused_hours') * HOUR;
