import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/);
const url = z.url().max(300).or(z.literal(''));

export const settings = defineSettings('rates', {
  'rates.fetch_seconds': {
    schema: z.int().min(1).max(25),
    initial: 10,
    unit: 'seconds',
    looser: 'none',
    words: 'seconds between two looks at the markets',
  },
  'rates.apart_percent': {
    schema: percent,
    initial: '0.3',
    unit: '%',
    looser: 'up',
    words: 'sources may differ by half the smallest kept spread, and by this much at least',
  },
  'rates.moved_stable_percent': {
    schema: percent,
    initial: '1',
    unit: '%',
    looser: 'up',
    words: 'a stable asset is closed when it moves more within a minute',
  },
  'rates.moved_other_percent': {
    schema: percent,
    initial: '3',
    unit: '%',
    looser: 'up',
    words: 'any other asset is closed when it moves more within a minute',
  },
  'rates.calm_minutes': {
    schema: z.int().min(0).max(60),
    initial: 3,
    unit: 'minutes',
    looser: 'down',
    words: 'calm minutes after which a closed asset opens again',
  },
  'rates.keep_days': {
    schema: z.int().min(2).max(400),
    initial: 14,
    unit: 'days',
    looser: 'none',
    words: 'days for which snapshots are kept',
  },
  'rates.keep_hours_days': {
    schema: z.int().min(8).max(3_660),
    initial: 400,
    unit: 'days',
    looser: 'none',
    words: 'days for which the price of each hour is kept, for charts',
  },
  'rates.kraken_url': { schema: url, initial: '', looser: 'any', words: 'where Kraken is asked; its own address when empty' },
  'rates.coinbase_url': {
    schema: url,
    initial: '',
    looser: 'any',
    words: 'where Coinbase Exchange is asked; its own address when empty',
  },
  'rates.bitstamp_url': { schema: url, initial: '', looser: 'any', words: 'where Bitstamp is asked; its own address when empty' },
});
