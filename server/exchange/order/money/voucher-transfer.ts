import { IN_FLIGHT, type OrderView } from '../order.ts';

/**
 * Returns the intent of the transfer that may have bought a voucher: a payout or a refund that was sent. Undefined before that.
 */
export function voucherTransferOf({ state, facts }: Pick<OrderView, 'state' | 'facts'>): string | undefined {
  const isSent = IN_FLIGHT.has(state) || state === 'completed' || state === 'refunded';
  return isSent ? facts.sent?.intent : undefined;
}
