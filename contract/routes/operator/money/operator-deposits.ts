import { z } from 'zod';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { accountFields, money, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

const checkingDeposit = z.object({
  id: z.uuid(),
  email: z.string(),
  amount: money,
  /** The part of the deposit that is credited to the wallet but not usable. */
  uncleared: money,
  /** Currency of the payment. */
  by: z.string(),
  /** Reason why a person must check the sender. */
  why: z.string(),
  /** `asked`: papers were requested of the holder; `came`: the papers were received. */
  papers: z.enum(['asked', 'came']).optional(),
  /** Accounts that paid, as the rail names them. */
  from: z.array(z.string()),
  txid: z.string(),
  /** Account to return the deposit to; absent if the desk must name one. */
  back_to: accountFields.optional(),
  /** Time from which the payment system can no longer reverse the deposit. */
  free_at: time.optional(),
  seen_at: time,
});

export const operatorDeposits = route({
  ...desk,
  allows: 'operator: deposits.read',
  method: 'GET',
  path: '/operator/deposits',
  summary: 'Deposits into wallets whose sender a person must check, oldest first',
  input: z.object({}),
  output: z.array(checkingDeposit),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorDeposit = route({
  ...desk,
  allows: 'operator: deposits.judge',
  method: 'POST',
  path: '/operator/deposit/action',
  summary:
    'Release a held deposit, return it to its sender (to `account` if its rail doesn’t name one), request papers of its holder, or record that they came. A reversible deposit stays uncleared until it is final',
  input: z.object({
    id: z.uuid(),
    action: z.enum(['release', 'give_back', 'ask_papers', 'papers_came'], { error: 'wrong_value' }),
    account: accountFields.optional(),
    reason,
  }),
  output: acted.extend({ state: z.string() }),
  problems: ['unauthorised', 'forbidden', 'not_found', 'order_changed', 'action_not_open', 'account_refused', 'unavailable'],
  isIdempotent: true,
});
