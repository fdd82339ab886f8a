import { z } from 'zod';
import { lines } from '../../../fields/free-text.ts';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { amount, money, orderId, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

export const operatorDebts = route({
  ...desk,
  allows: 'operator: debts.read',
  method: 'GET',
  path: '/operator/debts',
  summary:
    'What is owed after payments were taken back, or payouts that counted as not sent turned up, oldest first: for which order, deposit or payout, and by what its debtor is known',
  input: z.object({}),
  output: z.array(
    z.object({
      /** Number of the order, or id of the deposit or payout. */
      id: z.string(),
      about: z.enum(['order', 'deposit', 'payout']),
      owed: money,
      email: z.string(),
      /** Proven keys of the debtor, which stop the debtor's orders and withdrawals. */
      known_by: z.array(z.string()),
      since: time,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

const payin = z.object({
  id: z.uuid(),
  /** Number of the order; absent for a deposit into a wallet. */
  order: z.string().optional(),
  email: z.string(),
  amount: money,
  /** Sum that was taken back in part. */
  taken: money,
  /** Currency of the payment. */
  by: z.string(),
  status: z.enum(['seen', 'final', 'dropped', 'reversed']),
  /** True if people have decided its state, which the payment system's answers no longer change. */
  decided: z.boolean(),
  txid: z.string(),
  from: z.array(z.string()),
  seen_at: time,
});

export const operatorPayins = route({
  ...desk,
  allows: 'operator: payins.read',
  method: 'GET',
  path: '/operator/payins',
  summary: 'Payments by a transaction, by their id, or of an order (its number)',
  input: z.object({ q: z.string().trim().min(1, { error: 'required' }).max(200, { error: 'too_long' }) }),
  output: z.array(payin),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorPayin = route({
  ...desk,
  allows: 'operator: payins.decide',
  method: 'POST',
  path: '/operator/payin/action',
  summary:
    'Take a payment back that its payment system took back without telling, or that never was (`take_back`; with `amount` so much of it), or let its payment system decide again (`restore`): two people, with the statement they have',
  input: z.object({
    id: z.uuid(),
    action: z.enum(['take_back', 'restore'], { error: 'wrong_value' }),
    amount: amount.optional(),
    evidence: lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' }),
    reason,
  }),
  output: acted.extend({ state: z.string() }),
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'same_person', 'request_differs'],
  idempotent: true,
});

export const operatorRepay = route({
  ...desk,
  allows: 'operator: debts.settle',
  method: 'POST',
  path: '/operator/debt/repay',
  summary:
    'Settle what is owed for an order (`debt`) from another payment (`from`: an order or an unallocated payment whose money waits), in the same currency: two people. What exceeds stays its customer’s',
  input: z.object({ debt: orderId, from: orderId, reason }),
  output: acted,
  problems: [
    'unauthorised',
    'forbidden',
    'order_not_found',
    'action_not_open',
    'order_changed',
    'same_person',
    'request_differs',
  ],
  idempotent: true,
});
