import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';

export const promisedSettings = defineSettings('late', {
  'late.minimum_minutes': {
    schema: z.int().min(1).max(1_440),
    initial: 10,
    unit: 'minutes',
    looser: 'down',
    words: 'minutes that an order is taken to need at least, whatever the last ones took',
  },
  'late.orders': {
    schema: z.int().min(1).max(100_000),
    initial: 50,
    unit: 'orders',
    looser: 'none',
    words: 'orders of a direction in 30 days from which on it is promised by what they took',
  },
  'late.slack_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 2,
    unit: 'minutes',
    looser: 'down',
    words: 'minutes that are promised beyond what orders need, at least',
  },
  'late.slack_percent': {
    schema: z.int().min(0).max(1_000),
    initial: 20,
    unit: '%',
    looser: 'down',
    words: 'percent that are promised beyond what orders need, at least',
  },
});
