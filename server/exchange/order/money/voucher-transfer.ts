import { IN_FLIGHT, type OrderView } from '../order.ts';

/** Returns the intent of the order's transfer that was sent and so may have bought a voucher. Undefined while no transfer was sent. */
export function voucherTransferOf({ state, facts }: Pick<OrderView, 'state' | 'facts'>): string | undefined {
  const isSent = IN_FLIGHT.has(state) || state === 'completed' || state === 'refunded';
  return isSent ? facts.sent?.intent : undefined;
}
