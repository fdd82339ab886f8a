import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { amount, day, inOrder } from '../../wire.ts';

/** Schema of a sum that may be negative. */
const sum = z
  .string()
  .regex(/^-?(0|[1-9][0-9]*)(\.[0-9]{1,36})?$/)
  .meta({ id: 'Sum', description: 'A decimal string that may be negative, with all digits', examples: ['-12.5'] });

const by = z.enum(['day', 'direction', 'rail']);

/** Subject of a report's row; exactly one of these fields is present. */
const rowOf = {
  day: day.optional(),
  direction: z.string().optional().meta({ description: 'The slug; for a removed direction its two currencies' }),
  rail: z.string().optional(),
  other: z.enum(['wallets', 'rewards', 'invoices', 'desk', 'unmatched', 'not_set_up']).optional().meta({
    description:
      'Groups without a direction or rail: wallets, coupons and rewards, invoices, the desk itself (network fees, differences, its capital), payments without an order, rails that are not set up',
  }),
};

const input = z
  .object({
    from: day.optional().meta({ description: 'The first day in UTC; the last one by default' }),
    to: day.optional().meta({ description: 'The last day in UTC; today by default' }),
    by: by.optional(),
  })
  .refine(...inOrder);
const period = { from: day, to: day, by: by.optional() };
const problems = ['unauthorised', 'forbidden', 'validation'] as const;

export const operatorProfit = route({
  ...desk,
  allows: 'operator: reports.read',
  method: 'GET',
  path: '/operator/reports/profit',
  summary: 'The desk’s profit in USD by day, direction or rail: fees minus discounts, costs, rewards and losses',
  input,
  output: z.object({ ...period, operating: sum, rows: z.array(z.object({ ...rowOf, operating: sum })) }),
  problems,
});

export const operatorTurnover = route({
  ...desk,
  allows: 'operator: reports.read',
  method: 'GET',
  path: '/operator/reports/turnover',
  summary: 'What customers exchanged in USD by day, direction or rail that they paid by',
  input,
  output: z.object({
    ...period,
    usd: sum,
    /** Number of exchanges, minus those that were undone later. */
    exchanges: z.int(),
    rows: z.array(z.object({ ...rowOf, usd: sum, exchanges: z.int() })),
  }),
  problems,
});

export const operatorPosition = route({
  ...desk,
  allows: 'operator: reports.read',
  method: 'GET',
  path: '/operator/reports/position',
  summary: 'The desk’s own money in each unit at both ends of a period, and its changes by day, direction or rail',
  input,
  output: z.object({
    ...period,
    units: z.array(
      z.object({
        unit: z.string(),
        opening: sum,
        change: sum,
        closing: sum,
        /** Value of the closing amount at the last known price. */
        usd: sum,
      }),
    ),
    rows: z.array(z.object({ ...rowOf, unit: z.string(), change: sum })),
  }),
  problems,
});

export const operatorDirections = route({
  ...desk,
  allows: 'operator: directions.read',
  method: 'GET',
  path: '/operator/directions',
  summary: 'Every direction: switch, spread, bounds, reserve and today’s orders',
  input: z.object({}),
  output: z.array(
    z.object({
      slug: z.string(),
      from: z.string(),
      to: z.string(),
      on: z.boolean(),
      /** Reason why the direction currently takes no orders; absent if it takes orders. */
      closed: z.string().optional(),
      spread: z.array(z.object({ from: amount, percent: z.string() })),
      /** Minimum of an order as customers see it, in the currency given. */
      min: amount.optional(),
      /** Maximum of an order as customers see it, in the currency given. */
      max: amount.optional(),
      /** Amount that can be promised in the currency that is paid out. */
      reserve: amount.optional(),
      /** Orders placed since midnight in UTC. */
      orders_today: z.int(),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});
