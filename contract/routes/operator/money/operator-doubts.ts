import { z } from 'zod';
import { lines } from '../../../fields/free-text.ts';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { accountFields, amount, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

/** Schema of a payment system's statement, which is stored with the decision. */
const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });

const doubt = z.object({
  id: z.uuid(),
  /** Owner of the money: an order's number, a wallet, or the desk. */
  owner: z.string(),
  rail: z.string(),
  currency: z.string(),
  amount,
  to: accountFields,
  /** The payment system's last answer. */
  reason: z.string(),
  /** True if the payment system says that our reference was used, so something was sent. */
  used: z.boolean(),
  /** True if the payment system may still answer; otherwise only people can decide the send. */
  may_tell: z.boolean(),
  since: time,
});

const found = z.object({
  id: z.uuid(),
  owner: z.string(),
  rail: z.string(),
  purpose: z.string(),
  currency: z.string(),
  amount,
  txid: z.string(),
  /** `open`: undecided; `counted`: accepted as the payment, so that the next payout of the same money is settled by this send. */
  status: z.string(),
  found_at: time,
});

export const operatorFoundLate = route({
  ...desk,
  allows: 'operator: doubts.read',
  method: 'GET',
  path: '/operator/found-late',
  summary: 'Unsettled transfers that were found after they had counted as not sent, oldest first',
  input: z.object({}),
  output: z.array(found),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorFoundLateAction = route({
  ...desk,
  allows: 'operator: doubts.decide',
  method: 'POST',
  path: '/operator/found-late/action',
  summary:
    'Settle a transfer found late: it counts (it settles an order’s next payout of the same sum, which is not sent; a withdrawal is charged to its wallet), or it is written off as a loss. Two people',
  input: z.object({ id: z.uuid(), action: z.enum(['counts', 'write_off'], { error: 'wrong_value' }), evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'same_person', 'request_differs', 'not_enough_there'],
  isIdempotent: true,
});

export const operatorDoubts = route({
  ...desk,
  allows: 'operator: doubts.read',
  method: 'GET',
  path: '/operator/doubts',
  summary: 'Sends that may or may not have happened, of any owner, oldest first',
  input: z.object({}),
  output: z.array(doubt),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorDoubt = route({
  ...desk,
  allows: 'operator: doubts.decide',
  method: 'POST',
  path: '/operator/doubt/action',
  summary:
    'Decide by the payment system’s statement whether a send in doubt happened. Two people. A send that didn’t happen is never repeated; its money goes back to its owner',
  input: z.object({ id: z.uuid(), action: z.enum(['sent', 'not_sent'], { error: 'wrong_value' }), evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'same_person', 'request_differs'],
  isIdempotent: true,
});
