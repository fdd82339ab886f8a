import type { OrderView } from './order.ts';

/** The transfer of an order that may have made something to show: a payout, or a refund in vouchers, that was sent. */
export function voucherTransferOf({ state, facts }: Pick<OrderView, 'state' | 'facts'>): string | undefined {
  const isSent = state === 'sent' || state === 'completed' || state === 'r_sent' || state === 'refunded';
  return isSent ? facts.sent?.intent : undefined;
}
