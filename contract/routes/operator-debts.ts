import { z } from 'zod';
import { route } from '../route.ts';
import { money, time } from '../wire.ts';

const operator = { who: 'operator', tag: 'Operator' } as const;

export const operatorDebts = route({
  ...operator,
  method: 'GET',
  path: '/operator/debts',
  summary:
    'What is owed after payments were taken back, oldest first: for which order or deposit, and by what its debtor is known',
  input: z.object({}),
  output: z.array(
    z.object({
      /** Of a deposit into a wallet: its id. */
      id: z.string(),
      about: z.enum(['order', 'deposit']),
      owed: money,
      email: z.string(),
      /** What is shown to be the debtor’s: these stop his orders, and money from leaving. */
      known_by: z.array(z.string()),
      since: time,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});
