import { z } from 'zod';
import { accountFields, amount, money, orderId, time } from '../../../wire.ts';
import { route } from '../../../route.ts';
import { claimStatus } from '../../gate/refunds.ts';
import { desk } from '../desk.ts';
import { STOPS, acted, reason } from '../operator.ts';

const waitingClaim = z.object({
  id: z.uuid(),
  status: claimStatus,
  /** Number of the refund. */
  refund: orderId,
  /** Name of the store, and of its business if it has one. */
  store: z.string(),
  business: z.string().optional(),
  claimed: money,
  receives: money,
  usd: amount,
  by: z.string(),
  to: accountFields,
  people: z.int(),
  asked_at: time,
  /** Reason why the claim waits again: a problem’s code, or `above_bounds`. */
  reason: z.string().optional(),
});

export const operatorClaims = route({
  ...desk,
  allows: 'operator: withdrawals.read',
  method: 'GET',
  path: '/operator/claims',
  summary: 'Claims of stores’ refunds that wait for the desk, oldest first',
  input: z.object({}),
  output: z.array(waitingClaim),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorClaim = route({
  ...desk,
  allows: 'operator: withdrawals.decide',
  method: 'POST',
  path: '/operator/claim/action',
  summary: 'Approve or reject a waiting claim; the money of a rejected one can be claimed again',
  input: z.object({ id: z.uuid(), action: z.enum(['approve', 'reject'], { error: 'wrong_value' }), reason }),
  output: acted.extend({ state: claimStatus }),
  problems: [
    'unauthorised',
    'forbidden',
    'not_found',
    'refund_unknown',
    'order_changed',
    'same_person',
    'request_differs',
    'account_refused',
    'unavailable',
    'store_closed',
    'business_owes',
    'method_closed',
    'rates_unavailable',
    ...STOPS,
  ],
  isIdempotent: true,
});
