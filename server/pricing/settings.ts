import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

const usd = z.string().regex(/^[0-9]{1,9}(\.[0-9]{1,2})?$/);
const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/);

export const settings = defineSettings('pricing', {
  'pricing.min_list_usd': { schema: usd, initial: '0.20', words: 'USD that an exchange costs at least, before discounts' },
  'pricing.keep_percent': {
    schema: percent,
    initial: '0.10',
    words: 'percent of the amount that the desk keeps whatever the discounts',
  },
  'pricing.keep_min_usd': { schema: usd, initial: '0.10', words: 'USD that the desk keeps at least whatever the discounts' },
  'pricing.quote_seconds': {
    schema: z.int().min(5).max(300),
    initial: 30,
    words: 'seconds for which a calculator’s quote stands',
  },
  'pricing.moved_percent': {
    schema: percent,
    initial: '0.3',
    words: 'percent by which the market may move against the desk between quote and order',
  },
  'pricing.fixed_costs_percent': {
    schema: percent,
    initial: '5',
    words: 'percent of a direction’s minimum that its fixed costs may be',
  },
  'pricing.visitor_reserve_percent': {
    schema: z.int().min(1).max(100),
    initial: 10,
    words: 'percent of a reserve that one order of a visitor may take',
  },
  'pricing.reserve_margin_percent': {
    schema: z.int().min(0).max(100),
    initial: 5,
    words: 'percent of the desk’s free money that is never promised',
  },
  'pricing.blast_percent': {
    schema: percent,
    initial: '1',
    words: 'a change of prices that gives customers more than so many percent more takes two people',
  },
  'pricing.refill': {
    schema: z.enum(['unsaid', 'hours', 'day']),
    initial: 'unsaid',
    words: 'what customers are told of a direction without reserve: nothing, or that it is topped up within a few hours or a day',
  },
  'pricing.refund_costs': {
    schema: z.int().min(1).max(100),
    initial: 2,
    words: 'the smallest refund, as a multiple of what sending it costs',
  },
  'pricing.smallest_refunds': {
    schema: z.int().min(1).max(100),
    initial: 5,
    words: 'the smallest order, as a multiple of the smallest refund',
  },
  'pricing.sweep_percent': {
    schema: z.int().min(0).max(1_000),
    initial: 150,
    words: 'what collecting a payment costs, in percent of sending one (gas to the address, then the transfer)',
  },
});
