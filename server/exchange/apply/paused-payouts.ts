// Payouts that can't leave: after a day behind a switch, or at once where what they are paid from is stuck,
// the customer may take a free refund instead.

import { canStop, isStuck, maySend } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { OrderView } from '../order/order.ts';
import { settings } from '../machine/settings.ts';

const HOUR = 3_600_000;

/**
 * Whether a queued payout has waited long enough while its rail's sends are switched off, or its currency is stuck; a whole
 * refund would have where to go, and nothing can have been signed for it. The worker may take it at any moment once the
 * switch is on again, so anyone who acts on this stops it first.
 */
export async function isPaused(db: Statements, order: OrderView, now: Date): Promise<boolean> {
  const { state, get, refund, facts, pinned } = order;
  const back = facts.exchange?.give ?? 0n;
  if (state !== 'paying' || !facts.transfer || !get || !refund || back <= 0n || back < pinned.refundLeast) return false;
  const isOff = now.getTime() >= longPaused(order) && !(await maySend(db, get.rail));
  if (!isOff && !(await isStuck(db, get.currency))) return false;
  return canStop(db, facts.transfer.intent);
}

/** When it is looked whether a queued payout was paused for so long, so that its customer is told; once. */
export function pauseDue(order: OrderView): Date | undefined {
  return order.state === 'paying' && order.facts.transfer && !order.facts.asked ? new Date(longPaused(order)) : undefined;
}

const longPaused = ({ facts }: OrderView): number => facts.since.getTime() + settings.get('exchange.paused_hours') * HOUR;
