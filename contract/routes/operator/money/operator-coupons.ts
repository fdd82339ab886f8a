import { z } from 'zod';
import { line } from '../../../fields/free-text.ts';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { amount, couponCode, email, moment, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

const couponState = z.enum(['waiting', 'live', 'over', 'stopped', 'void'], { error: 'wrong_value' }).meta({ id: 'CouponState' });
/** Schema of a percentage above 0 and up to 100. */
const percent = z.string().regex(/^(?!0(?:\.0*)?$)(?:100(?:\.0{1,2})?|[1-9]?\d(?:\.\d{1,2})?)$/, { error: 'percent_format' });
const count = z.int({ error: 'wrong_value' }).min(1, { error: 'wrong_value' });

export const operatorCoupons = route({
  ...desk,
  allows: 'operator: coupons.read',
  method: 'GET',
  path: '/operator/coupons',
  summary: 'Coupons with their uses, remaining value and maximum cost, newest first',
  input: z.object({ state: couponState.optional() }),
  output: z.array(
    z.object({
      code: z.string(),
      kind: z.enum(['percent', 'fixed', 'late', 'credit']),
      state: couponState,
      percent: z.string().optional(),
      value: amount.optional(),
      uses: z.int().optional(),
      taken: z.int(),
      left: amount,
      held: amount,
      max: amount,
      until: time.optional(),
      made_by: z.array(z.string()),
      made_at: time,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorCouponNew = route({
  ...desk,
  allows: 'operator: coupons.change',
  method: 'POST',
  path: '/operator/coupon',
  summary:
    'Make coupons: `percent` of the fee, or `value` (fixed) for each use. Two people if the maximum cost of all coupons that one person makes in a day exceeds a limit',
  input: z.object({
    code: couponCode.optional(),
    percent: percent.optional(),
    /** Value of a fixed coupon in USD per use. The value of all uses is set aside when the coupon is made. */
    value: amount.optional(),
    uses: count.max(1_000_000, { error: 'wrong_value' }).default(1),
    per_customer: count.max(1_000, { error: 'wrong_value' }).default(1),
    from: moment.optional(),
    until: moment.optional(),
    /** Slugs of the directions in which the coupon can be used; all directions by default. */
    directions: z
      .array(line().max(200, { error: 'too_long' }))
      .min(1, { error: 'required' })
      .max(200, { error: 'wrong_value' })
      .optional(),
    least_usd: amount.optional(),
    first_order: z.boolean().default(false),
    email: email.optional(),
    /**
     * Maximum cost of a percent coupon in USD. By default: its share of the fee on 1 000 USD in the most expensive of its
     * directions, times its uses.
     */
    most_usd: amount.optional(),
    /** Number of coupons to make, each with a code of its own. */
    batch: count.max(1_000, { error: 'wrong_value' }).optional(),
    reason,
  }),
  output: acted.extend({ codes: z.array(z.string()) }),
  problems: [
    'unauthorised',
    'forbidden',
    'same_person',
    'request_differs',
    'coupon_taken',
    'pot_too_small',
    'not_enough_there',
    'direction_unknown',
  ],
  isIdempotent: true,
});

export const operatorCouponStop = route({
  ...desk,
  allows: 'operator: coupons.change',
  method: 'POST',
  path: '/operator/coupon/stop',
  summary: 'End a coupon; uses held for orders stay',
  input: z.object({ code: couponCode, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'coupon_unknown', 'coupon_over'],
  isIdempotent: true,
});
