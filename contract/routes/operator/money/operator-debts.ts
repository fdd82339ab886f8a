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
    'Debts after payments were taken back or payouts were found late, oldest first, each with its order, deposit or payout and its debtor’s keys',
  input: z.object({}),
  output: z.array(
    z.object({
      /** Number of the order that the debt is about, or id of the deposit, the payout or the debt of a personal store. */
      id: z.string(),
      about: z.enum(['order', 'deposit', 'payout', 'store']),
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
  /** Number of the order that was paid; absent for a deposit into a wallet. */
  order: z.string().optional(),
  email: z.string(),
  amount: money,
  /** The part of the payment that was taken back. */
  taken: money,
  /** Currency of the payment. */
  by: z.string(),
  status: z.enum(['seen', 'final', 'dropped', 'reversed']),
  /** True if people have decided the payment's state; the payment system's answers no longer change it. */
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
  summary: 'Payments by transaction or id, or those of an order (its number)',
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
    'Take back a payment that its payment system silently took back, or that never arrived (`take_back`; a part of it with `amount`), or let its payment system decide again (`restore`). Two people, with a statement',
  input: z.object({
    id: z.uuid(),
    action: z.enum(['take_back', 'restore'], { error: 'wrong_value' }),
    amount: amount.optional(),
    evidence: lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' }),
    reason,
  }),
  output: acted.extend({ state: z.string() }),
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorRepay = route({
  ...desk,
  allows: 'operator: debts.settle',
  method: 'POST',
  path: '/operator/debt/repay',
  summary:
    'Settle the debt of an order (`debt`) from another payment (`from`: an order or an unallocated payment whose money waits), in the same currency. Two people. The rest stays the customer’s',
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
  isIdempotent: true,
});
