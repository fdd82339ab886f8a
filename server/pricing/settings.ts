import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/);

export const settings = defineSettings('pricing', {
  'pricing.least_fee_usd': {
    schema: usdSum,
    initial: '0.20',
    unit: 'USD',
    looser: 'down',
    words: 'minimum fee of an exchange in USD, before discounts',
  },
  'pricing.min_margin_percent': {
    schema: percent,
    initial: '0.10',
    unit: '%',
    looser: 'down',
    words: 'minimum margin after all discounts, in percent of the amount',
  },
  'pricing.min_margin_usd': {
    schema: usdSum,
    initial: '0.10',
    unit: 'USD',
    looser: 'down',
    words: 'minimum margin after all discounts, in USD',
  },
  'pricing.quote_seconds': {
    schema: z.int().min(5).max(300),
    initial: 30,
    unit: 'seconds',
    looser: 'up',
    words: 'seconds for which a calculator’s quote is valid',
  },
  'pricing.moved_percent': {
    schema: percent,
    initial: '0.3',
    unit: '%',
    looser: 'up',
    words: 'percent by which the market may move against the desk between quote and order',
  },
  'pricing.fixed_costs_percent': {
    schema: percent,
    initial: '5',
    unit: '%',
    looser: 'up',
    words: 'maximum share of fixed costs in a direction’s minimum amount, in percent',
  },
  'pricing.visitor_reserve_percent': {
    schema: z.int().min(1).max(100),
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'maximum share of a reserve that one order of a visitor may take, in percent',
  },
  'pricing.reserve_margin_percent': {
    schema: z.int().min(0).max(100),
    initial: 5,
    unit: '%',
    looser: 'down',
    words: 'percent of the desk’s free money that is never promised',
  },
  'pricing.blast_percent': {
    schema: percent,
    initial: '1',
    unit: '%',
    looser: 'up',
    words: 'percent more for customers above which a change of prices takes two people',
  },
  'pricing.cut_percent': {
    schema: percent,
    initial: '5',
    unit: '%',
    looser: 'up',
    words: 'percent less for customers (than now or a day before) from which a change of prices takes two people',
  },
  'pricing.refill': {
    schema: z.enum(['unsaid', 'hours', 'day']),
    initial: 'unsaid',
    looser: 'none',
    words: 'statement to customers about a direction without reserve: none, or that it is topped up within hours or a day',
  },
  'pricing.refund_costs': {
    schema: z.int().min(1).max(100),
    initial: 2,
    unit: 'times',
    looser: 'down',
    words: 'the smallest refund, as a multiple of its sending cost',
  },
  'pricing.smallest_refunds': {
    schema: z.int().min(1).max(100),
    initial: 5,
    unit: 'times',
    looser: 'down',
    words: 'the smallest order, as a multiple of the smallest refund',
  },
  'pricing.sweep_percent': {
    schema: z.int().min(0).max(1_000),
    initial: 150,
    unit: '%',
    looser: 'down',
    words: 'cost of collecting a payment, in percent of the cost of sending one (gas to the address, then the transfer)',
  },
});
