import { IN_FLIGHT, type OrderView } from './order.ts';

/** The transfer of an order that may have made something to show: a payout, or a refund in vouchers, that was sent. */
export function voucherTransferOf({ state, facts }: Pick<OrderView, 'state' | 'facts'>): string | undefined {
  const isSent = IN_FLIGHT.has(state) || state === 'completed' || state === 'refunded';
  return isSent ? facts.sent?.intent : undefined;
}
