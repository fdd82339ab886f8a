import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import { usdCents, usdSum } from '../rates/index.ts';
import type { Ladder } from './ladder.ts';

const level = z.strictObject({ usd: usdSum, percent: z.int().min(1).max(50) });
const isRising = (levels: readonly z.output<typeof level>[]): boolean =>
  levels.every(({ usd, percent }, at) => {
    const before = levels[at - 1];
    return before === undefined || (usdCents(usd) > usdCents(before.usd) && percent > before.percent);
  });

export const loyaltySettings = defineSettings('coupons', {
  'coupons.loyalty': {
    schema: z
      .array(level)
      .max(10)
      .refine(isRising, { when: ({ issues }) => issues.length === 0 }),
    initial: [
      { usd: '500', percent: 5 },
      { usd: '5000', percent: 10 },
      { usd: '20000', percent: 15 },
      { usd: '100000', percent: 20 },
    ],
    unit: 'USD, %',
    looser: { usd: 'down', percent: 'up' },
    words: 'USD turned over in 30 days from which on so many percent of the fee are let off',
  },
  'coupons.button_day': {
    schema: z.int().min(0).max(100),
    initial: 3,
    unit: 'letters',
    looser: 'none',
    words: 'letters a day to one address that ask its owner to confirm a discount',
  },
});

/** True if letters with the button are sent. */
export const mailsButtons = (): boolean => loyaltySettings.get('coupons.button_day') > 0;

/** Returns the operator's levels. */
export const ladder = (): Ladder => ladderOf(loyaltySettings.get(LEVELS));

/** Setting of the levels. */
export const LEVELS = 'coupons.loyalty';

/** Returns levels from a value of their setting. */
export const ladderOf = (value: unknown): Ladder =>
  (value as z.output<typeof level>[]).map(({ usd, percent }) => ({ cents: usdCents(usd), percent }));
