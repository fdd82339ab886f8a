import { timeOf } from '../odd.ts';
import type { PaymentStatus } from '../rail.ts';

/**
 * Returns the status of a payment that is final on our account. A provider has no blocks, so one confirmation stands for all.
 * Throws a RangeError for an impossible time.
 */
export const booked = (at: Date): PaymentStatus => ({
  at: 'block',
  height: 0,
  hash: '',
  minedAt: timeOf(at.getTime()),
  confirmations: 1,
  isFinalised: true,
});

/** Status of a payment that a provider shows and has not booked yet: pending, an eCheck, a review. */
export const PENDING: PaymentStatus = { at: 'mempool', isReplaceable: false, isFeeOk: true };
