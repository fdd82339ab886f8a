// What the caller earns by sending others.

import { z } from 'zod';
import { route } from '../../route.ts';
import { amount, currencyCode, day, id, longPage, pageMeta, token } from '../../wire.ts';

const own = { allows: 'user', tag: 'Affiliates' } as const;

const state = z
  .enum(['waiting', 'case', 'pending', 'available', 'reversed', 'refused', 'given_up'], { error: 'wrong_value' })
  .meta({
    id: 'RewardState',
    description:
      '`waiting`: the pot for rewards is being filled · `case`: we look at it · `pending`: its days are not over · `available` · `reversed`: its order was taken back · `refused` · `given_up`: the account was closed',
  });

/** A step of the ladder. */
const step = z.object({ from: z.int(), share: z.string() });

export const affiliate = route({
  ...own,
  method: 'GET',
  path: '/affiliate',
  // The device that they look from is known to be theirs from then on.
  changes: true,
  summary: 'The caller’s code and terms as an affiliate, and what they have earned',
  input: z.object({}),
  output: z
    .object({
      /** Stands in links as `ref`. */
      code: z.string(),
      /** Percent of what the desk keeps of an order. */
      share: z.string(),
      /** The same of orders of customers whom those have sent that the caller has sent. */
      second: z.string(),
      /** Percent of the share that may go to friends. */
      split_most: z.int(),
      /** Customers with a matured order in 30 days. */
      active: z.int(),
      /** From so many of them on so many percent; absent on the highest step, and with a share of the caller’s own. */
      next: step.optional(),
      levels: z.array(step),
      suspended: z.boolean(),
      /** Whether what a month has brought is mailed. */
      statements: z.boolean(),
      /** Earned, and not booked yet: the pot is being filled, or we look at it. All sums are of USDT. */
      waiting: amount,
      /** May still be taken back. */
      pending: amount,
      available: amount,
      /** Taken back after it had gone out: later rewards repay it. */
      owed: amount,
      /** The least that goes to the wallet. */
      least: amount,
    })
    .meta({ id: 'Affiliate' }),
  problems: [],
});

export const affiliateRewards = route({
  ...own,
  method: 'GET',
  path: '/affiliate/rewards',
  summary: 'The caller’s rewards, the newest first: nothing in them says who the customer is',
  input: z.object({ ...longPage, state: state.optional() }),
  output: z.object({
    data: z.array(
      z
        .object({
          id: z.uuid(),
          day,
          /** Empty: none. */
          campaign: z.string(),
          /** What the link said. */
          sub: z.string(),
          /** The currencies of the exchange. */
          from: currencyCode,
          to: currencyCode,
          /** 1: who sent the customer · 2: who sent that affiliate. */
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
  summary: 'Move available rewards into the caller’s wallet, at once; all of them where no `amount` is said',
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
  idempotent: true,
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
  summary: 'Switch the monthly letter about rewards off, by the link that each of them names in its List-Unsubscribe',
  input: z.object({ holder: id, token }),
  output: z.object({}),
  problems: ['not_found'],
});
