import { z } from 'zod';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { accountFields, amount, money, time } from '../../../wire.ts';
import { REWARD_STOPS } from '../../account/money-out.ts';
import { STOPS, acted, reason } from '../operator.ts';

const waitingWithdrawal = z.object({
  id: z.uuid(),
  status: z.string(),
  email: z.string(),
  /** Source of the money: a wallet, or an affiliate’s rewards. */
  source: z.enum(['wallet', 'affiliate']),
  amount: money,
  fee: money,
  usd: amount,
  by: z.string(),
  to: accountFields,
  people: z.int(),
  asked_at: time,
  /** Reason why the withdrawal waits again after its approval: a problem’s code, or `above_bounds`. */
  reason: z.string().optional(),
  /** End of a freeze of the holder's withdrawals. */
  frozen_until: time.optional(),
  /** Debts of the holder; for a withdrawal of rewards, these include debts from rewards. */
  debts: z.array(money),
  /** True if the holder is blocked. */
  blocked: z.boolean(),
  /** True if the withdrawal is of rewards, and the desk has suspended the affiliate. */
  suspended: z.boolean(),
  /** `off`: the holder's allow-list is off; otherwise the state of the receiving address on the list. */
  allow_list: z.enum(['off', 'listed', 'not_listed', 'too_new']),
});

export const operatorWithdrawals = route({
  ...desk,
  allows: 'operator: withdrawals.read',
  method: 'GET',
  path: '/operator/withdrawals',
  summary: 'Withdrawals from wallets that wait for a person, oldest first',
  input: z.object({}),
  output: z.array(waitingWithdrawal),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorWithdrawal = route({
  ...desk,
  allows: 'operator: withdrawals.decide',
  method: 'POST',
  path: '/operator/withdrawal/action',
  summary: 'Approve or reject a waiting withdrawal; the money of a rejected one returns to the wallet or the rewards',
  input: z.object({ id: z.uuid(), action: z.enum(['approve', 'reject'], { error: 'wrong_value' }), reason }),
  output: acted.extend({ state: z.string() }),
  problems: [
    'unauthorised',
    'forbidden',
    'not_found',
    'order_changed',
    'same_person',
    'request_differs',
    'account_refused',
    'record_altered',
    'unavailable',
    ...STOPS,
    ...REWARD_STOPS,
  ],
  isIdempotent: true,
});
