import { z } from 'zod';
import { route } from '../../route.ts';
import { amount, couponCode, money, time } from '../../wire.ts';
import { quoteInput } from '../pricing.ts';

/** Problems of an exchange with a coupon. */
export const COUPON_REFUSED = ['coupon_unknown', 'coupon_over', 'coupon_altered', 'coupon_not_here', 'coupon_not_yours'] as const;

export const couponCheck = route({
  method: 'POST',
  path: '/coupons/check',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Coupons',
  summary: 'A coupon’s discount on an exchange, and its conditions',
  input: quoteInput.omit({ coupon: true }).extend({ code: couponCode }),
  output: z.object({
    kind: z.enum(['percent', 'fixed', 'late']),
    /** Percent of the fee, for a percent coupon. */
    percent: z.string().optional(),
    /** Discount in this exchange, after all discounts are trimmed together. */
    takes_off: money,
    until: time.optional(),
    conditions: z.object({
      /** Slugs; absent for every direction. */
      directions: z.array(z.string()).optional(),
      least_usd: amount.optional(),
      first_order: z.boolean(),
      uses_per_customer: z.int(),
    }),
  }),
  problems: [
    'direction_unknown',
    'direction_closed',
    'rates_unavailable',
    'coupon_unknown',
    'coupon_over',
    'coupon_altered',
    'coupon_not_here',
  ],
});
