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
    /** Amount by which the coupon lowers the fee of this exchange, after all discounts were trimmed to their common maximum. */
    takes_off: money,
    until: time.optional(),
    conditions: z.object({
      /** Slugs of the directions in which the coupon can be used; absent if it can be used in all directions. */
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
