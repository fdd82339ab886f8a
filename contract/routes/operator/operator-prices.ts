import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { amount, currencyCode, moment } from '../../wire.ts';
import { reason } from './operator.ts';

const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/, { error: 'wrong_value' });
const spreadStep = z.object({ from: amount, percent });

/** What stands of a direction already stays, unless it is given; a new one needs its pair and its spread. */
const directionChange = z.object({
  slug: z.string().regex(/^[a-z0-9-]{1,60}$/, { error: 'wrong_value' }),
  from: currencyCode.optional(),
  to: currencyCode.optional(),
  spread: z.array(spreadStep).min(1).max(20).optional(),
  min: amount.nullable().optional(),
  max: amount.nullable().optional(),
  open: z.boolean().optional(),
});

/** What a rail takes of a payment in (of what is given) or out (of what is paid out); what is absent it doesn't take. */
const costChange = z.object({
  currency: currencyCode,
  side: z.enum(['payin', 'payout']),
  percent: percent.optional(),
  fixed: amount.optional(),
  min: amount.optional(),
  cap: amount.optional(),
});

/** The smallest and the largest amount of a direction, and why it takes none. */
const bounds = z.object({ min: amount, max: amount, closed: z.string().optional() });

/** The amount that a customer gets before and after a change. */
export const quoteChange = z.object({
  give: amount,
  /** By what people had set a day before, at the market of now. */
  day_ago: amount.optional(),
  before: amount.optional(),
  after: amount.optional(),
  /** The desk's income after the greatest discounts, in the currency given. */
  keeps: amount.optional(),
  floor: z.boolean(),
});

export const operatorPrices = route({
  ...desk,
  allows: 'operator: prices.change',
  method: 'POST',
  path: '/operator/prices',
  summary:
    'Show what a change of a direction or of a cost would do to quotes, or let it go live: two people where customers get much more or much less',
  input: z.object({
    direction: directionChange.optional(),
    cost: costChange.optional(),
    /** Absent: only shown. */
    apply: z.boolean().default(false),
    reason: reason.optional(),
  }),
  output: z.object({
    status: z.enum(['preview', 'done', 'awaiting_second']),
    request: z.string().optional(),
    /** How many people it takes. */
    people: z.int(),
    two_since: z.enum(['more', 'less']).optional().meta({
      description:
        'Why it takes two: some customers get much more than now, or much less than now or by the prices of a day before',
    }),
    /** Units that a customer would go round and gain: it can't go live. */
    cycle: z.array(z.string()).optional(),
    directions: z.array(
      z.object({
        slug: z.string(),
        from: z.string(),
        to: z.string(),
        before: bounds.optional(),
        after: bounds.optional(),
        quotes: z.array(quoteChange),
        /** Quotes that are held and orders that are open: they keep the prices that they were made with. */
        held_quotes: z.int(),
        open_orders: z.int(),
      }),
    ),
  }),
  problems: ['unauthorised', 'forbidden', 'validation', 'direction_unknown', 'same_person', 'request_differs'],
});

export const operatorPeg = route({
  ...desk,
  allows: 'operator: prices.change',
  method: 'POST',
  path: '/operator/peg',
  summary: 'Say what a currency that no market lists is worth in USD, and until when that holds',
  input: z.object({
    asset: z.string().regex(/^[A-Z]{2,10}$/, { error: 'wrong_value' }),
    usd: z.string().regex(/^[0-9]{1,9}(\.[0-9]{1,12})?$/, { error: 'wrong_value' }),
    until: moment,
    reason,
  }),
  output: z.object({ status: z.enum(['done', 'awaiting_second']), request: z.string().optional() }),
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
});
