import { z } from 'zod';
import { route } from '../../../route.ts';
import { amount, email, orderId, time } from '../../../wire.ts';
import { campaignName, postbackState } from '../../rewards/referrals.ts';
import { desk } from '../desk.ts';
import { acted, reason } from '../operator.ts';

const percent = z.int({ error: 'wrong_value' });

export const operatorAbuse = route({
  ...desk,
  allows: 'operator: affiliates.read',
  method: 'GET',
  path: '/operator/abuse',
  summary: 'Rewards that need a decision, since customer and affiliate, or two affiliates, share a key. The oldest first',
  input: z.object({}),
  output: z.array(
    z.object({
      id: z.uuid(),
      order: orderId,
      affiliate: z.string(),
      /** 1: reward of the affiliate who referred the customer · 2: reward of the affiliate who referred that affiliate. */
      tier: z.union([z.literal(1), z.literal(2)]),
      amount,
      /**
       * Reason why people decide: the kind of key that customer and affiliate share (`holder`, `email`, `device`, `account`), or
       * `suspended`.
       */
      reason: z.string(),
      at: time,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorAbuseDecide = route({
  ...desk,
  allows: 'operator: affiliates.change',
  method: 'POST',
  path: '/operator/abuse',
  summary: 'Pay or refuse a reward',
  input: z.object({
    id: z.uuid({ error: 'wrong_value' }),
    decision: z.enum(['pay', 'refuse'], { error: 'wrong_value' }),
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'record_altered'],
  isIdempotent: true,
});

export const operatorAffiliate = route({
  ...desk,
  allows: 'operator: affiliates.change',
  method: 'POST',
  path: '/operator/affiliate',
  summary:
    'Change an affiliate’s terms. An own share and a higher maximum for friends take two people. `suspend` turns new rewards into cases, stops payouts, and stops orders by their programs',
  input: z.object({
    email,
    share: percent.min(0, { error: 'wrong_value' }).max(50, { error: 'wrong_value' }).optional(),
    split_most: percent
      .min(0, { error: 'wrong_value' })
      .max(100, { error: 'wrong_value' })
      .multipleOf(10, { error: 'wrong_value' })
      .optional(),
    suspend: z.boolean().optional(),
    /** Alias used like the code, as exchange monitors write it in links. */
    alias: z
      .string()
      .regex(/^[a-z0-9_-]{1,31}$/, { error: 'wrong_value' })
      .optional(),
    reason,
  }),
  output: acted.extend({ share: z.int(), split_most: z.int(), level: z.int(), suspended: z.boolean() }),
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs', 'no_such_holder', 'alias_taken'],
  isIdempotent: true,
});

export const operatorPostbacks = route({
  ...desk,
  allows: 'operator: affiliates.read',
  method: 'GET',
  path: '/operator/affiliate/postbacks',
  summary: 'Campaigns whose postbacks fail or were switched off, the oldest failure first',
  input: z.object({}),
  output: z.array(
    z.object({
      email: z.string(),
      campaign: z.string(),
      /** Origin of the postback's address. The rest of the address is left out, since it may be secret. */
      to: z.string(),
      ...postbackState.shape,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorPostbackOn = route({
  ...desk,
  allows: 'operator: affiliates.change',
  method: 'POST',
  path: '/operator/affiliate/postback',
  summary: 'Switch the postbacks of an affiliate’s campaign on',
  input: z.object({
    email,
    campaign: campaignName,
    missed: z.boolean().default(false).meta({ description: 'Also send those of the time while they were off' }),
    reason,
  }),
  output: acted.extend({ state: postbackState.shape.state, missed: z.int() }),
  problems: ['unauthorised', 'forbidden', 'no_such_holder', 'not_found'],
  isIdempotent: true,
});
