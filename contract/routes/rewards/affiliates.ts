// The caller's earnings as an affiliate.

import { z } from 'zod';
import { route } from '../../route.ts';
import { amount, currencyCode, day, id, longPage, pageMeta, token } from '../../wire.ts';

const own = { allows: 'user', tag: 'Affiliates' } as const;

const state = z
  .enum(['waiting', 'case', 'pending', 'available', 'reversed', 'refused', 'given_up'], { error: 'wrong_value' })
  .meta({
    id: 'RewardState',
    description:
      '`waiting`: the pot for rewards is being filled · `case`: we check it · `pending`: it isn’t mature · `available` · `reversed`: its order was taken back · `refused` · `given_up`: the account was closed',
  });

/** A level of affiliates: `share` applies from `from` active customers on. */
const step = z.object({ from: z.int(), share: z.string() });

export const affiliate = route({
  ...own,
  method: 'GET',
  path: '/affiliate',
  // Stores the requesting device as the affiliate's own.
  hasEffect: true,
  summary: 'The caller’s code, terms and earnings as an affiliate',
  input: z.object({}),
  output: z
    .object({
      /** Code for `ref` in links. */
      code: z.string(),
      /** The caller's share of the desk's profit from an order, in percent. */
      share: z.string(),
      /** The caller's share for orders of customers whom a referred affiliate has referred, in percent. */
      second: z.string(),
      /** Maximum friend's discount, in percent of the caller's share. */
      split_most: z.int(),
      /** Number of the caller's customers with an order that matured in the last 30 days. */
      active: z.int(),
      /** The next level; absent on the highest level, and if the desk has set a share for this affiliate. */
      next: step.optional(),
      levels: z.array(step),
      suspended: z.boolean(),
      /** True if a monthly statement is mailed. */
      statements: z.boolean(),
      /** Rewards that are earned but not booked, because the pot lacks money or people have to decide. All sums are in USDT. */
      waiting: amount,
      /** Rewards that may still be taken back. */
      pending: amount,
      available: amount,
      /** Rewards that were taken back after they were paid out; later rewards repay them. */
      owed: amount,
      /** Minimum for a transfer to the wallet. */
      min: amount,
    })
    .meta({ id: 'Affiliate' }),
  problems: [],
});

export const affiliateRewards = route({
  ...own,
  method: 'GET',
  path: '/affiliate/rewards',
  summary: 'The caller’s rewards, the newest first, without customers’ identities',
  input: z.object({ ...longPage, state: state.optional() }),
  output: z.object({
    data: z.array(
      z
        .object({
          id: z.uuid(),
          day,
          /** Campaign; empty for none. */
          campaign: z.string(),
          /** The affiliate's own note in the link. */
          sub: z.string(),
          /** Currency that the customer gave. */
          from: currencyCode,
          /** Currency that the customer received. */
          to: currencyCode,
          /** 1: reward for referring the customer · 2: reward for referring the affiliate who referred the customer. */
          level: z.union([z.literal(1), z.literal(2)]),
          amount,
          state,
          matures_on: day,
        })
        .meta({ id: 'Reward' }),
    ),
    meta: pageMeta,
  }),
  problems: [],
});

export const affiliateToWallet = route({
  ...own,
  method: 'POST',
  path: '/affiliate/to-wallet',
  summary: 'Move available rewards into the caller’s wallet, at once; all of them without `amount`',
  input: z.object({ amount: amount.optional() }),
  output: z.object({ amount, left: amount, currency: z.string() }),
  problems: [
    'affiliate_suspended',
    'rewards_owed',
    'reversal_pending',
    'withdrawals_frozen',
    'record_altered',
    'not_enough_money',
  ],
  isIdempotent: true,
});

export const affiliateLetters = route({
  ...own,
  method: 'PATCH',
  path: '/affiliate/letters',
  summary: 'Switch the monthly letter about rewards on or off',
  input: z.object({ statements: z.boolean() }),
  output: z.object({ statements: z.boolean() }),
  problems: [],
});

export const affiliateLettersOff = route({
  method: 'POST',
  path: '/affiliate/letters/off',
  allows: 'public',
  tag: 'Affiliates',
  summary: 'Switch the monthly letter about rewards off, by the link in its List-Unsubscribe',
  input: z.object({ holder: id, token }),
  output: z.object({}),
  problems: ['not_found'],
});
