import { timeOf } from '../odd.ts';
import type { Standing } from '../rail.ts';

/**
 * Returns the standing of a payment that is final on our account. A provider has no blocks, so one confirmation stands for all.
 * Throws a RangeError for an impossible time.
 */
export const booked = (at: Date): Standing => ({
  at: 'block',
  height: 0,
  hash: '',
  minedAt: timeOf(at.getTime()),
  confirmations: 1,
  isFinalised: true,
});

/** Standing of a payment that a provider shows and has not booked yet: pending, an eCheck, a review. */
export const PENDING: Standing = { at: 'mempool', isReplaceable: false, isFeeOk: true };
