import { z } from 'zod';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { accountFields, money, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

const checkingDeposit = z.object({
  id: z.uuid(),
  email: z.string(),
  amount: money,
  /** Sum that is credited but not usable. */
  uncleared: money,
  /** Currency of the payment. */
  by: z.string(),
  /** Why a person must check it. */
  why: z.string(),
  /** Papers requested of its holder, or received. */
  papers: z.enum(['asked', 'came']).optional(),
  /** Payers, as the rail names them. */
  from: z.array(z.string()),
  txid: z.string(),
  /** Account for returning it; absent if the desk must name one. */
  back_to: accountFields.optional(),
  /** When its payment system can no longer reverse it. */
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
