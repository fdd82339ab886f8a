import { z } from 'zod';
import { route } from '../route.ts';
import { accountFields, amount, time } from '../wire.ts';
import { acted, reason } from './operator.ts';

const operator = { who: 'operator', tag: 'Operator' } as const;
/** The payment system's own statement, which is kept with what is decided by it. */
const evidence = z.string().trim().min(1, { error: 'required' }).max(4000, { error: 'too_long' });

const doubt = z.object({
  id: z.uuid(),
  /** Whose money it is: an order's (by its number), a wallet's, the desk's. */
  owner: z.string(),
  rail: z.string(),
  currency: z.string(),
  amount,
  to: accountFields,
  /** What its payment system said last. */
  reason: z.string(),
  /** Its payment system says that our reference was used: something was done. */
  used: z.boolean(),
  /** The payment system may still tell by itself; else only people can. */
  may_tell: z.boolean(),
  since: time,
});

export const operatorDoubts = route({
  ...operator,
  method: 'GET',
  path: '/operator/doubts',
  summary: 'Sends of which nobody can tell whether they happened, whoever owns them, oldest first',
  input: z.object({}),
  output: z.array(doubt),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorDoubt = route({
  ...operator,
  method: 'POST',
  path: '/operator/doubt/act',
  summary:
    'Decide by the payment system’s own statement whether a send in doubt happened: two people. What was not sent is never sent again; its money goes back to where it came from',
  input: z.object({ id: z.uuid(), act: z.enum(['sent', 'not_sent'], { error: 'wrong_value' }), evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'act_not_open', 'same_person', 'request_differs'],
  idempotent: true,
});
