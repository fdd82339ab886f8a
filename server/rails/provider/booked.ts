import { timeOf } from '../odd.ts';
import type { Standing } from '../rail.ts';

/** What a provider has on our account for good. It has no blocks, so one confirmation stands for all. Throws for no time. */
export const booked = (at: Date): Standing => ({
  at: 'block',
  height: 0,
  hash: '',
  minedAt: timeOf(at.getTime()),
  confirmations: 1,
  finalised: true,
});

/** What a provider shows and has not booked yet: pending, an eCheck, a review. */
export const PENDING: Standing = { at: 'mempool', replaceable: false, feeOk: true };
