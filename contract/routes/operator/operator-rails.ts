import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { anyCode } from './desk-sessions.ts';
import { railName, time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

export const operatorRails = route({
  ...desk,
  allows: 'operator: rails.read',
  method: 'GET',
  path: '/operator/rails',
  summary: 'All payment systems: whether they are set up, their purposes, whether they pay out, and their last status',
  input: z.object({}),
  output: z.array(
    z.object({
      rail: z.string(),
      /**
       * True if the rail has an address and, for a provider, settings in this installation. A rail that isn't set up is never
       * called.
       */
      set_up: z.boolean(),
      /** True if the rail takes new payments of at least one purpose. With real money each rail starts switched off. */
      on: z.boolean(),
      /** Purposes for which the rail takes new payments: `orders`, `deposits`. */
      takes: z.array(z.string()),
      /** True if money may leave on the rail. */
      payouts: z.boolean(),
      /** True if the rail answers. The rail is down after three failures in a row and ten seconds without a good answer. */
      up: z.boolean(),
      /** Time since which the rail has been up, or down. */
      since: time.optional(),
      /** Time of the last good answer, accurate to five seconds. */
      answered: time.optional(),
      /** Time of the last request, accurate to five seconds. */
      requested: time.optional(),
      /** The rail's own status text, or the reason why there is none. */
      detail: z.string(),
      /** Names of the settings that the rail lacks; empty if some are set but were refused. */
      missing: z.array(z.string()),
      currencies: z.array(z.string()),
      /** Addresses or accounts for the desk's own money. */
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
    'Switch a payment system on or off for new payments of one purpose or of all, within a second; existing ones are still credited and paid. With real money the first time takes two people',
  input: z.object({
    rail: railName,
    on: z.boolean(),
    for: z
      .string()
      .regex(/^[a-z_]{2,30}$/)
      .optional(),
    reason,
  }),
  /** `on`: state of the switch after the call. */
  output: acted.extend({ on: z.boolean() }),
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs'],
  isIdempotent: true,
});

/** Stops in force. With `orders` or `deposits`, no new ones are accepted; with `payouts`, payouts wait. */
const stops = z.array(
  z.object({
    what: z.string(),
    /** The person who made this stop last. */
    by: z.string(),
    since: time,
    /**
     * End of the time in which that person may lift the stop without a second person; absent if several people have made the
     * stop.
     */
    alone_until: time.optional(),
  }),
);
/** Schema of the name of a stop: `orders`, `deposits`, `payouts`, or `all`. */
const what = z.string().regex(/^[a-z_]{2,30}$/, { error: 'wrong_value' });

export const operatorStops = route({
  ...desk,
  allows: 'operator: rails.read',
  method: 'GET',
  path: '/operator/stops',
  summary: 'Stops across all payment systems, by whom and since when',
  input: z.object({}),
  output: stops,
  problems: ['unauthorised', 'forbidden'],
});

export const operatorStop = route({
  ...desk,
  allows: 'operator: payouts.switch',
  method: 'POST',
  path: '/operator/stop',
  summary:
    'Stop new orders, new deposits, payouts, or all of them, at once. One person. Payments for existing ones are credited, and payouts wait',
  input: z.object({ what, reason }),
  output: z.object({ status: z.literal('done'), stopped: stops }),
  problems: ['unauthorised', 'forbidden'],
  isIdempotent: true,
});

export const operatorStart = route({
  ...desk,
  allows: 'operator: payouts.switch',
  method: 'POST',
  path: '/operator/start',
  summary:
    'Start again what was stopped. Two people; or within 15 minutes the person who stopped it alone, with an authenticator’s code, if no alarm has opened since',
  input: z.object({ what, code: anyCode.optional(), reason }),
  output: acted.extend({ stopped: stops }),
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs', 'two_factor_off', 'two_factor_wrong', 'rate_limited'],
  isIdempotent: true,
});
