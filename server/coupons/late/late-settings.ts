import { REWARD_UNIT, parse } from '@kurs/money';
import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';
import { usdSum } from '../../rates/index.ts';

const settings = defineSettings('late', {
  'late.order_usd': {
    schema: usdSum,
    initial: '20',
    unit: 'USD',
    looser: 'up',
    words: 'USD that the coupon for one late order is worth at the most',
  },
  'late.customer_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'up',
    words: 'USD of such coupons that one customer gets in 30 days',
  },
  'late.day_usd': {
    schema: usdSum,
    initial: '100',
    unit: 'USD',
    looser: 'up',
    words: 'USD of such coupons that are given in a day; more wait',
  },
  'late.valid_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'up',
    words: 'days that such a coupon is good for',
  },
});

/** Limits of coupons for late orders, in minor units of the unit of rewards. */
export const lateBounds = () => {
  const parts = (key: 'late.order_usd' | 'late.customer_usd' | 'late.day_usd'): bigint =>
    parse(REWARD_UNIT, settings.get(key)).parts;
  return { each: parts('late.order_usd'), customer: parts('late.customer_usd'), day: parts('late.day_usd') };
};

/** Returns the end of a coupon given now. */
export const lateUntil = (now: Date): Date => new Date(now.getTime() + settings.get('late.valid_days') * 86_400_000);
