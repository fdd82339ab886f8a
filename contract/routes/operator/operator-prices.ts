import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { amount, currencyCode, moment } from '../../wire.ts';
import { reason } from './operator.ts';

const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/, { error: 'wrong_value' });
const spreadStep = z.object({ from: amount, percent });

/** Schema of a direction's change. Missing fields of an existing direction stay; a new one needs its pair and spread. */
const directionChange = z.object({
  slug: z.string().regex(/^[a-z0-9-]{1,60}$/, { error: 'wrong_value' }),
  from: currencyCode.optional(),
  to: currencyCode.optional(),
  spread: z.array(spreadStep).min(1).max(20).optional(),
  min: amount.nullable().optional(),
  max: amount.nullable().optional(),
  open: z.boolean().optional(),
});

/** Schema of a rail's charge for payments in (on the sum given) or out (on the sum paid out). Missing parts are not charged. */
const costChange = z.object({
  currency: currencyCode,
  side: z.enum(['payin', 'payout']),
  percent: percent.optional(),
  fixed: amount.optional(),
  min: amount.optional(),
  cap: amount.optional(),
});

/** Minimum and maximum of a direction, and why it takes no orders. */
const bounds = z.object({ min: amount, max: amount, closed: z.string().optional() });

/** Sum that a customer gets before and after a change. */
export const quoteChange = z.object({
  give: amount,
  /** Sum by the settings of a day ago, at the present market. */
  day_ago: amount.optional(),
  before: amount.optional(),
  after: amount.optional(),
  /** The desk's income after the largest discounts, in the currency given. */
  keeps: amount.optional(),
  floor: z.boolean(),
});

export const operatorPrices = route({
  ...desk,
  allows: 'operator: prices.change',
  method: 'POST',
  path: '/operator/prices',
  summary:
    'Preview how a change of a direction or a cost affects quotes, or make it. Two people if customers get much more or much less',
  input: z.object({
    direction: directionChange.optional(),
    cost: costChange.optional(),
    /** False for a preview. */
    apply: z.boolean().default(false),
    reason: reason.optional(),
  }),
  output: z.object({
    status: z.enum(['preview', 'done', 'awaiting_second']),
    request: z.string().optional(),
    /** Number of people that the change takes. */
    people: z.int(),
    two_since: z.enum(['more', 'less']).optional().meta({
      description: 'Why it takes two people: some customers get much more than now, or much less than now or a day ago',
    }),
    /** Units of a cycle by which a customer would gain; such a change can't go live. */
    cycle: z.array(z.string()).optional(),
    directions: z.array(
      z.object({
        slug: z.string(),
        from: z.string(),
        to: z.string(),
        before: bounds.optional(),
        after: bounds.optional(),
        quotes: z.array(quoteChange),
        /** Held quotes and open orders, which keep their prices. */
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
  summary: 'Set the price in USD of an asset without a market, until a moment',
  input: z.object({
    asset: z.string().regex(/^[A-Z]{2,10}$/, { error: 'wrong_value' }),
    usd: z.string().regex(/^[0-9]{1,9}(\.[0-9]{1,12})?$/, { error: 'wrong_value' }),
    until: moment,
    reason,
  }),
  output: z.object({ status: z.enum(['done', 'awaiting_second']), request: z.string().optional() }),
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
});
