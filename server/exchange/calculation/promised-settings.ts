import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';

export const promisedSettings = defineSettings('late', {
  'late.minimum_minutes': {
    schema: z.int().min(1).max(1_440),
    initial: 10,
    unit: 'minutes',
    looser: 'down',
    words: 'smallest assumed duration of an order in minutes, whatever the last orders took',
  },
  'late.orders': {
    schema: z.int().min(1).max(100_000),
    initial: 50,
    unit: 'orders',
    looser: 'none',
    words: 'number of a direction’s orders in 30 days from which their durations decide the promised time',
  },
  'late.slack_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 2,
    unit: 'minutes',
    looser: 'down',
    words: 'minutes added to the usual duration for the promised time, if the percentage comes to less',
  },
  'late.slack_percent': {
    schema: z.int().min(0).max(1_000),
    initial: 20,
    unit: '%',
    looser: 'down',
    words: 'percent added to the usual duration for the promised time, if the minutes come to less',
  },
});
