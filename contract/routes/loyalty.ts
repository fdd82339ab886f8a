// What the caller is let off of the fee.

import { z } from 'zod';
import { route } from '../route.ts';
import { amount, token } from '../wire.ts';

const own = { allows: 'user', tag: 'Account' } as const;

const level = z.object({
  /** Turned over in 30 days, in USD. */
  from: amount,
  /** Percent of the fee. */
  percent: z.int(),
});

export const userDiscounts = route({
  ...own,
  method: 'GET',
  path: '/coupons/user/discounts',
  summary:
    'What the caller is let off of the fee by loyalty: `percent` of it, by the USD worth of what his completed orders gave in 30 days (`turnover`). It applies by itself to what he calculates signed in',
  input: z.object({}),
  output: z
    .object({
      percent: z.int(),
      turnover: amount,
      /** The next level, and what is missing to it in USD; absent on the highest. */
      next: level.extend({ missing: amount }).optional(),
      levels: z.array(level),
    })
    .meta({ id: 'Discounts' }),
  problems: [],
});

export const confirmDiscount = route({
  method: 'POST',
  path: '/coupons/confirm',
  allows: 'public',
  tag: 'Calculation',
  summary:
    'Confirm, by the button that was mailed to the address of a calculation, that its visitor is let off what the address has earned. Its review is quoted anew; opening the link alone changes nothing',
  input: z.object({ token }),
  output: z.object({ percent: z.int() }),
  problems: ['not_found', 'calculation_expired', 'calculation_used'],
});
