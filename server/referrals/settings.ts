import { REWARD_UNIT, parse } from '@kurs/money';
import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const level = z.strictObject({ customers: z.int().min(0).max(1_000_000), percent: z.int().min(0).max(50) });
const isRising = (levels: readonly z.output<typeof level>[]): boolean =>
  levels.every(({ customers, percent }, at) => {
    const before = levels[at - 1];
    return before ? customers > before.customers && percent > before.percent : customers === 0;
  });
const share = z.int().min(0).max(50);

export const settings = defineSettings('affiliates', {
  'affiliates.levels': {
    schema: z
      .array(level)
      .min(1)
      .max(10)
      .refine(isRising, { when: ({ issues }) => issues.length === 0 }),
    initial: [
      { customers: 0, percent: 30 },
      { customers: 10, percent: 33 },
      { customers: 50, percent: 36 },
      { customers: 200, percent: 40 },
    ],
    unit: 'customers, %',
    looser: { customers: 'down', percent: 'up' },
    words: 'customers with a matured order in 30 days from which on an affiliate gets so many percent of what the desk kept',
  },
  'affiliates.second_percent': {
    schema: share,
    initial: 5,
    unit: '%',
    looser: 'up',
    words: 'percent of what the desk kept for who sent the affiliate',
  },
  'affiliates.most_percent': {
    schema: share,
    initial: 50,
    unit: '%',
    looser: 'up',
    words: 'percent of what the desk kept that rewards and the friend’s discount take at the most, together',
  },
  'affiliates.split_most': {
    schema: z.int().min(0).max(100).multipleOf(10),
    initial: 50,
    unit: '%',
    looser: 'up',
    words: 'percent of their share that an affiliate may leave to friends, at the most',
  },
  'affiliates.binding_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'up',
    words: 'days from the click for which a visitor counts as sent',
  },
  'affiliates.active_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'down',
    words: 'USD of an order from which on its customer counts towards the level of who sent them',
  },
  'affiliates.least_usd': {
    schema: usdSum,
    initial: '10',
    unit: 'USD',
    looser: 'down',
    words: 'USD of rewards from which on they go to the affiliate’s wallet',
  },
});

/** Returns the steps of the ladder, the lowest first: a number of customers and its percentage. */
export const levels = (): readonly { readonly customers: number; readonly percent: number }[] =>
  settings.get('affiliates.levels');

/** Milliseconds from the click for which a visitor counts as referred. */
export const bindingMs = (): number => settings.get('affiliates.binding_days') * 86_400_000;

/** Minimum amount for a wallet, in minor units of the unit of rewards. */
export const minToWallet = (): bigint => parse(REWARD_UNIT, settings.get('affiliates.least_usd')).parts;

/** Minimum worth of an order that counts towards the ladder, in cents of USD. */
export const activeCents = (): bigint => parse('USD', settings.get('affiliates.active_usd')).parts;

/** Percentages: the second level's share, the maximum of all shares, and the maximum part of a share for friends. */
export const secondPercent = (): number => settings.get('affiliates.second_percent');
export const maxPercent = (): number => settings.get('affiliates.most_percent');
export const usualMaxSplit = (): number => settings.get('affiliates.split_most');

/** Figures of the programme for pages. */
export const affiliateRules = () => ({
  levels: levels().map(({ customers, percent }) => ({ from: customers, share: String(percent) })),
  ...{ second: secondPercent(), max: maxPercent(), split: usualMaxSplit() },
  ...{ active_usd: settings.get('affiliates.active_usd'), least_usd: settings.get('affiliates.least_usd') },
  days: settings.get('affiliates.binding_days'),
});
