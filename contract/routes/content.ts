import { z } from 'zod';
import { route } from '../route.ts';
import { amount, money, time } from '../wire.ts';
import { direction } from './pricing.ts';
import { orderStatus } from './exchange.ts';

export const landing = route({
  method: 'GET',
  path: '/landing/1/details',
  who: 'public',
  tag: 'Site',
  summary: 'What the home page shows',
  input: z.object({}),
  output: z.object({
    hero: z.object({ from: z.string(), to: z.string(), amount }),
    directions: z.array(direction),
    reserves: z.array(z.object({ currency: z.string(), amount })),
    latest_orders: z.array(z.object({ from: money, to: money, status: orderStatus, at: time })),
    reviews: z.array(z.object({ name: z.string(), text: z.string(), rating: z.int(), at: time })),
    figures: z.object({ orders_done: z.int().optional(), median_minutes: z.int().optional() }),
    lock_minutes: z.int(),
    quote_minutes: z.int(),
    rates_at: time.optional(),
    rates_seeded: z.boolean(),
  }),
  problems: [],
});
