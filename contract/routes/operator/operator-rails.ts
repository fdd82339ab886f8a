import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { railName, time } from '../../wire.ts';
import { reason } from './operator.ts';

export const operatorRails = route({
  ...desk,
  allows: 'operator: rails.read',
  method: 'GET',
  path: '/operator/rails',
  summary:
    'Every payment system: whether it is set up, what it takes payments for, whether it pays out, and what it last said of itself',
  input: z.object({}),
  output: z.array(
    z.object({
      rail: z.string(),
      /** Whether it has an address and, at a provider, settings here. What isn’t set up is asked nothing. */
      set_up: z.boolean(),
      /** Whether it takes payments for anything that is new. With real money each rail starts off. */
      on: z.boolean(),
      /** What it takes payments for: `orders`, `deposits`. */
      takes: z.array(z.string()),
      /** Whether money may leave on it. */
      payouts: z.boolean(),
      /** Whether it answers: after three failures in a row, and ten seconds without a good answer, it is down. */
      up: z.boolean(),
      /** Since when it is up, or down. */
      since: time.optional(),
      /** When it last gave a good answer, within five seconds. */
      answered: time.optional(),
      /** When it was last asked, within five seconds. */
      asked: time.optional(),
      /** Its own word, or why there was none. */
      detail: z.string(),
      /** What it would be set up by, by name, where nobody has tried yet. */
      missing: z.array(z.string()),
      currencies: z.array(z.string()),
      /** Where the desk’s own money is sent to become its capital: our address or account. */
      own_accounts: z.array(z.object({ currency: z.string(), account: z.string() })),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRail = route({
  ...desk,
  allows: 'operator: rails.switch',
  method: 'POST',
  path: '/operator/rail',
  summary:
    'Switch a payment system on or off for what is new, of one purpose or of all, within a second; what was begun is still credited and paid',
  input: z.object({
    rail: railName,
    on: z.boolean(),
    for: z
      .string()
      .regex(/^[a-z_]{2,30}$/)
      .optional(),
    reason,
  }),
  output: z.object({ on: z.boolean() }),
  problems: ['unauthorised', 'forbidden'],
});
