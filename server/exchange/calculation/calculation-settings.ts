import { z } from 'zod';
import { PERCENT_ENOUGH } from '../../collecting/index.ts';
import { defineSettings } from '../../platform/index.ts';

export const calculationSettings = defineSettings('exchange', {
  'exchange.calculation_minutes': {
    schema: z.int().min(5).max(240),
    initial: 30,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes after which a calculation expires',
  },
  'exchange.review_seconds': {
    schema: z.int().min(30).max(900),
    initial: 180,
    unit: 'seconds',
    looser: 'up',
    words: 'seconds for which the review holds one quote',
  },
  'exchange.short_percent': {
    schema: z.int().min(1).max(100),
    initial: PERCENT_ENOUGH,
    unit: '%',
    looser: 'down',
    words: 'percent of the requested amount that is exchanged automatically, at the locked rate, when the lock ends',
  },
});

/** Returns how long a review holds its quote, in whole minutes, for texts on pages. */
export function reviewMinutes(): number {
  return Math.round(calculationSettings.get('exchange.review_seconds') / 60);
}
