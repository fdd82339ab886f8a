import { z } from 'zod';
import { line } from '../../../fields/free-text.ts';
import { route } from '../../../route.ts';
import { accountFields, amount, currencyCode, email } from '../../../wire.ts';
import { desk } from '../desk.ts';
import { acted, reason } from '../operator.ts';

export const operatorUnallocated = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/desk/unallocated',
  summary:
    'Assign unexplained money without an order to a customer: it becomes their unallocated payment, held until a person releases it or sends it back. Two people',
  input: z.object({
    currency: currencyCode,
    amount,
    email,
    /** Language of letters to a customer without an account. */
    locale: z.enum(['en', 'ru']).default('en'),
    /** Transaction of the payment. */
    txid: line().min(1, { error: 'required' }).max(200, { error: 'too_long' }),
    /** Account to send the payment back to. Without it, the customer is asked to name one. */
    account: accountFields.optional(),
    reason,
  }),
  output: acted,
  problems: [
    ...(['unauthorised', 'forbidden', 'idempotency_mismatch', 'same_person', 'request_differs'] as const),
    ...(['not_enough_there', 'account_refused', 'unavailable'] as const),
  ],
  isIdempotent: true,
});
