// When something happens to an invoice by time. Pure.

import { windowEnd } from '../../collecting/index.ts';
import { isReturning } from './decide.ts';
import { heldOf, holdEndOf } from './held.ts';
import { type Invoice, isUnfinished, pendingOf } from './invoice.ts';
import { lockOf, optionOf } from './options.ts';
import { waitsForPrice } from './steps.ts';

/** Pause between tries to find a price for a payment that waits for one, in ms. */
const PRICE_MS = 5_000;

/**
 * Returns the time of the next step that happens by time: the end of the invoice's time, of a payment's window or hold, or of the
 * time for a decision, or the next try to find a price. Undefined if there is none.
 */
export function nextStepAt(invoice: Invoice, now: Date): Date | undefined {
  const times: number[] = [];
  if (invoice.state === 'open' && pendingOf(invoice) === 0n) times.push(invoice.expiresAt.getTime());
  if (invoice.state === 'short' && invoice.decideAt && pendingOf(invoice) === 0n) times.push(invoice.decideAt.getTime());
  for (const payment of heldOf(invoice)) times.push(holdEndOf(payment)?.getTime() ?? Infinity);
  if (waitsForPrice(invoice) || isReturning(invoice)) times.push(now.getTime() + PRICE_MS);
  if (isUnfinished(invoice))
    for (const payment of invoice.payments)
      if (payment.stage === 'seen' && !payment.isLate && !payment.firstConfirmedAt)
        times.push(windowEnd(lockOf(invoice, optionOf(invoice, payment.optionId)), payment));
  const first = Math.min(...times);
  return Number.isFinite(first) ? new Date(first) : undefined;
}
