// The caller's discounts on fees.

import { z } from 'zod';
import { route } from '../../route.ts';
import { amount, couponCode, time, token } from '../../wire.ts';

const own = { allows: 'user', tag: 'Account' } as const;

const level = z.object({
  /** Minimum turnover in 30 days, in USD. */
  from: amount,
  /** Discount in percent of the fee. */
  percent: z.int(),
});

export const userDiscounts = route({
  ...own,
  method: 'GET',
  path: '/coupons/user/discounts',
  summary:
    'The caller’s discounts on fees: the loyalty `percent` by the completed orders’ worth in 30 days (`turnover`), applied automatically to signed-in calculations; and coupons, which are entered by code',
  input: z.object({}),
  output: z
    .object({
      percent: z.int(),
      turnover: amount,
      /** The next level, and the turnover in USD that is missing for that level; absent on the highest level. */
      next: level.extend({ missing: amount }).optional(),
      levels: z.array(level),
      /**
       * Credit from prizes, applied automatically while it is `on`, also together with a coupon. Absent if the caller never had
       * credit.
       */
      credit: z.object({ left: amount, on: z.boolean() }).optional(),
      /** Coupons bound to the caller or added by their codes, the newest first. */
      coupons: z.array(
        z.object({
          code: z.string(),
          kind: z.enum(['percent', 'fixed', 'late']),
          status: z.enum(['usable', 'used', 'over']),
          /** Percent of the fee, for a percent coupon. */
          percent: z.string().optional(),
          /** Maximum that one use of the coupon takes off the fee, in USD. */
          left: amount.optional(),
          until: time.optional(),
        }),
      ),
    })
    .meta({ id: 'Discounts' }),
  problems: [],
});

export const couponAdd = route({
  ...own,
  method: 'POST',
  path: '/coupons/add',
  summary: 'Add a coupon to the caller’s coupons in `/coupons/user/discounts`',
  input: z.object({ code: couponCode }),
  output: z.object({}),
  problems: ['coupon_unknown', 'coupon_over', 'coupon_altered', 'coupon_not_yours'],
});

export const couponCredit = route({
  ...own,
  method: 'POST',
  path: '/coupons/credit',
  summary: 'Switch the caller’s credit on or off; while on, it is used up for each exchange’s fee, also together with a code',
  input: z.object({ on: z.boolean() }),
  output: z.object({}),
  problems: ['not_found'],
});

export const confirmDiscount = route({
  method: 'POST',
  path: '/coupons/confirm',
  allows: 'public',
  tag: 'Calculation',
  summary:
    'Confirm, by the button mailed to the address of a calculation, that its visitor gets the discounts of that address. Its review gets a new quote; opening the link alone changes nothing',
  input: z.object({ token }),
  output: z.object({
    /** Discount by loyalty, in percent of the fee; 0 if there is none. */
    percent: z.int(),
    /** Code of a coupon bound to the address, if the calculation had none. */
    coupon: z.string().optional(),
  }),
  problems: ['not_found', 'calculation_expired', 'calculation_used'],
});
