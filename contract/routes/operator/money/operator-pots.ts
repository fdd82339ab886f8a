import { z } from 'zod';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { amount } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

/** Pots: `affiliate` for rewards, `earn` for prizes and tasks, `late` for late and fixed coupons. */
const pot = z.enum(['affiliate', 'earn', 'late'], { error: 'wrong_value' });

export const operatorPots = route({
  ...desk,
  allows: 'operator: money.read',
  method: 'GET',
  path: '/operator/pots',
  summary: 'Money set aside for rewards, coupons and prizes, in USDT',
  input: z.object({}),
  output: z.array(z.object({ pot, left: amount })),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorPot = route({
  ...desk,
  allows: 'operator: money.move',
  method: 'POST',
  path: '/operator/pot',
  summary:
    'Set the desk’s free money aside in a pot, or take it back; above a limit per day two people. `amount` is in USDT, which counts as USD',
  input: z.object({ pot, amount, back: z.boolean().default(false), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs', 'not_enough_there'],
  isIdempotent: true,
});
