import { REWARD_UNIT, parse } from '@kurs/money';
import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const tries = z.int().min(1).max(1_000);

export const settings = defineSettings('coupons', {
  'coupons.two_people_usd': {
    schema: usdSum,
    initial: '1000',
    unit: 'USD',
    looser: 'up',
    words: 'USD above which what one operator’s coupons of 24 hours can cost takes two operators',
  },
  'coupons.tries_device': {
    schema: tries,
    initial: 20,
    unit: 'tries',
    looser: 'up',
    words: 'wrong codes of coupons an hour from one device, or one account',
  },
  'coupons.tries_network': {
    schema: tries,
    initial: 60,
    unit: 'tries',
    looser: 'up',
    words: 'wrong codes of coupons an hour from one network',
  },
});

/** Cost above which two people make coupons, in minor units of the unit of rewards. */
export const twoPeopleAbove = (): bigint => parse(REWARD_UNIT, settings.get('coupons.two_people_usd')).parts;

/** Maximum number of wrong codes that are answered in an hour. */
export const couponTries = (): { readonly device: number; readonly network: number } => ({
  device: settings.get('coupons.tries_device'),
  network: settings.get('coupons.tries_network'),
});
