import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { amount, currencyCode, moment } from '../../wire.ts';
import { reason } from './operator.ts';

const percent = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/, { error: 'wrong_value' });
const spreadStep = z.object({ from: amount, percent });

/**
 * Schema of a direction's change. Missing fields of an existing direction stay unchanged; a new direction requires `from`, `to`
 * and `spread`.
 */
const directionChange = z.object({
  slug: z.string().regex(/^[a-z0-9-]{1,60}$/, { error: 'wrong_value' }),
  from: currencyCode.optional(),
  to: currencyCode.optional(),
  spread: z.array(spreadStep).min(1).max(20).optional(),
  min: amount.nullable().optional(),
  max: amount.nullable().optional(),
  open: z.boolean().optional(),
});

/**
 * Schema of a change of a rail's charge. `payin`: charged on the sum given; `payout`: charged on the sum paid out. A missing part
 * is not charged.
 */
const costChange = z.object({
  currency: currencyCode,
  side: z.enum(['payin', 'payout']),
  percent: percent.optional(),
  fixed: amount.optional(),
  min: amount.optional(),
  cap: amount.optional(),
});

/** Minimum and maximum of an order in a direction, and the reason if the direction takes no orders. */
const bounds = z.object({ min: amount, max: amount, closed: z.string().optional() });

/** Effect of a change on one quote: sums that a customer gets for `give`. */
export const quoteChange = z.object({
  give: amount,
  /** Sum with the settings of a day ago, at the current market rate. */
  day_ago: amount.optional(),
  before: amount.optional(),
  after: amount.optional(),
  /** The desk's income from `give` after the largest possible discounts, in the currency given. */
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
    /** Number of people who must agree to the change. */
    people: z.int(),
    two_since: z.enum(['more', 'less']).optional().meta({
      description: 'Why it takes two people: some customers get much more than now, or much less than now or a day ago',
    }),
    /** Units of a cycle of exchanges by which a customer would gain. Present if there is one: the change is then refused. */
    cycle: z.array(z.string()).optional(),
    directions: z.array(
      z.object({
        slug: z.string(),
        from: z.string(),
        to: z.string(),
        before: bounds.optional(),
        after: bounds.optional(),
        quotes: z.array(quoteChange),
        /** Number of open quotes, which keep their prices. */
        held_quotes: z.int(),
        /** Number of open orders, which keep their prices. */
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
