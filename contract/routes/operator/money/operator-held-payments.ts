import { z } from 'zod';
import { route } from '../../../route.ts';
import { accountFields, money, time } from '../../../wire.ts';
import { desk } from '../desk.ts';
import { acted, reason } from '../operator.ts';

const heldPayment = z.object({
  id: z.uuid(),
  /** Number of the invoice. */
  invoice: z.string(),
  /** Name of the store. */
  store: z.string(),
  /** Address of the payer, if they or the shop gave one. */
  email: z.string().optional(),
  amount: money,
  /** Sum that counts towards the invoice as pending meanwhile, in its currency. */
  counts: money,
  /** Currency of the payment. */
  by: z.string(),
  /** `soft`: ends automatically with a refusal at `until`; `hard`: people end it. */
  cause: z.enum(['soft', 'hard']),
  /** `asked`: papers were requested of the payer; `came`: the papers were received. */
  papers: z.enum(['asked', 'came']).optional(),
  /** Accounts that paid, as the rail names them. */
  from: z.array(z.string()),
  txid: z.string(),
  /** Account to which a refusal returns the money; absent if the payer must name one. */
  back_to: accountFields.optional(),
  since: time,
  /** Time until which the payment counts towards its invoice. */
  until: time,
});

export const operatorHeldPayments = route({
  ...desk,
  allows: 'operator: orders.read',
  method: 'GET',
  path: '/operator/invoices/held',
  summary: 'Payments to invoices whose sender a person must check, those held longest first',
  input: z.object({}),
  output: z.array(heldPayment),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorHeldPayment = route({
  ...desk,
  allows: 'operator: orders.judge',
  method: 'POST',
  path: '/operator/invoices/held/action',
  summary:
    'Release a held payment to an invoice; refuse it, so that its payer gets it back; freeze it by law (two people); request papers of its payer, or record that they came',
  input: z.object({
    id: z.uuid(),
    action: z.enum(['release', 'refuse', 'freeze', 'ask_papers', 'papers_came'], { error: 'wrong_value' }),
    reason,
  }),
  output: acted.extend({ state: z.string() }),
  problems: [
    ...(['unauthorised', 'forbidden', 'idempotency_mismatch', 'same_person', 'request_differs'] as const),
    ...(['not_found', 'order_changed', 'action_not_open', 'record_altered'] as const),
  ],
  isIdempotent: true,
});
