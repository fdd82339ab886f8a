import { REWARD_UNIT, parse } from '@kurs/money';
import { defineSettings } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

export const settings = defineSettings('pots', {
  'pots.two_people_usd': {
    schema: usdSum,
    initial: '5000',
    unit: 'USD',
    looser: 'up',
    words: 'USD in 24 hours above which two operators set money aside for one pot',
  },
  'pots.late_kept_usd': {
    schema: usdSum,
    initial: '500',
    unit: 'USD',
    looser: 'down',
    words: 'USD that stay in the pot of late coupons, however many fixed coupons are asked for',
  },
});

/** Amount that fixed coupons leave in the pot of late coupons, in minor units of the unit of rewards. */
export const lateReserve = (): bigint => parse(REWARD_UNIT, settings.get('pots.late_kept_usd')).parts;

/** Amount into one pot in 24 hours above which two people decide, in minor units of the unit of rewards. */
export const twoPeopleAbove = (): bigint => parse(REWARD_UNIT, settings.get('pots.two_people_usd')).parts;
