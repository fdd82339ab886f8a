import { z } from 'zod';
import { line, lines } from '../fields/free-text.ts';
import { route } from '../route.ts';
import { amount, currencyCode, money, time } from '../wire.ts';
import { direction } from './pricing.ts';
import { orderStatus } from './exchange.ts';

export const landing = route({
  method: 'GET',
  path: '/landing/1/details',
  allows: 'public',
  tag: 'Site',
  summary: 'What the home page shows',
  input: z.object({}),
  output: z.object({
    hero: z.object({ from: z.string(), to: z.string(), amount }),
    directions: z.array(direction),
    reserves: z.array(z.object({ currency: z.string(), amount })),
    latest_orders: z.array(z.object({ from: money, to: money, status: orderStatus, at: time })),
    reviews: z.array(z.object({ name: line(), text: lines(), rating: z.int(), at: time })),
    figures: z.object({
      orders_done: z.int().optional(),
      median_minutes: z.int().optional(),
      age_seconds: z.int().optional().meta({ description: 'How long ago these were counted; absent with nothing counted yet' }),
    }),
    lock_minutes: z.int(),
    quote_minutes: z.int(),
    rates_at: time.optional(),
    rates_seeded: z.boolean(),
  }),
  problems: [],
});

/** USD that may be exchanged per order, in 24 hours and in 30 days; null: no limit. */
const limits = z.object({ per_order: amount, day: amount, month: amount.nullable() });

/** What a provider takes of a payment, in the currency’s own unit. */
const ownCost = { percent: z.string().optional(), fixed: amount.optional(), min: amount.optional(), cap: amount.optional() };

export const rules = route({
  method: 'GET',
  path: '/landing/1/rules',
  allows: 'public',
  tag: 'Site',
  summary: 'Rules that pages tell people, as the operator has set them',
  input: z.object({}),
  output: z.object({
    /** Of each verification level, from 0 on. */
    levels: z.array(limits),
    /** Payments that their sender can take back for so many `days`. */
    reversible: z.object({
      taken: z.boolean(),
      currencies: z.array(z.string()),
      /** The verification level from which they are taken. */
      level: z.int(),
      days: z.int(),
      /** In the first `first_days` after the first finished order, later, and at level 3. */
      first: limits,
      later: limits,
      full: limits,
      first_days: z.int(),
      /** The first so many orders wait so many hours for their payout, further ones the others. */
      first_orders: z.int(),
      first_hours: z.int(),
      later_hours: z.int(),
    }),
    /** USD that leave a wallet by themselves, at once and in a day; above the third it takes two people. */
    money_out: z.object({ alone_usd: amount, alone_day_usd: amount, two_people_usd: amount, new_address_hours: z.int() }),
    /** What affiliates earn, in percent of what the desk keeps of an order, sums in USD and times in days. */
    affiliates: z.object({
      levels: z.array(z.object({ from: z.int(), share: z.string() })),
      /** Of who sent the affiliate; of all together; and what of a share may go to friends. */
      second: z.int(),
      most: z.int(),
      split: z.int(),
      active_usd: amount,
      least_usd: amount,
      /** For which a visitor counts as sent. */
      days: z.int(),
      /** After which rewards are available: of orders paid over a chain or from a wallet, by others, by what can be taken back. */
      matures: z.object({ final: z.int(), provider: z.int(), reversible: z.int() }),
    }),
    /** Days after which a bought voucher that nobody has looked at is taken back. */
    voucher_days: z.int(),
    /** How a wallet is paid into and out of, by currency. */
    ways: z.array(
      z.object({
        currency: currencyCode,
        unit: z.string(),
        /** How a wallet is paid into: at its own address from `least` on, or by a request at its provider. */
        deposit: z.object({ kind: z.enum(['address', 'redirect', 'voucher']), least: amount, ...ownCost }).optional(),
        /** What leaving costs now: the network’s part beside what the provider takes. Absent while none can be sent. */
        withdrawal: z.object({ network: amount, ...ownCost }).optional(),
      }),
    ),
  }),
  problems: [],
});

export const status = route({
  method: 'GET',
  path: '/status',
  allows: 'public',
  tag: 'Site',
  summary: 'How the rails run and ran, and how long orders take',
  input: z.object({}),
  output: z.object({
    at: time,
    rails: z.array(
      z.object({
        rail: z.string(),
        up: z.boolean().meta({ description: 'Answers now; while it does not, nothing is credited or paid on it' }),
        on: z
          .boolean()
          .meta({ description: 'Takes new orders; while the operator has it switched off, orders already placed go on' }),
        since: time,
        checked_at: time,
        days: z.array(
          z.object({
            day: z.iso.date(),
            watched: z.int().meta({ description: 'Seconds of the day during which it was watched' }),
            down: z.int().meta({ description: 'Of these, seconds during which it did not answer' }),
          }),
        ),
      }),
    ),
    directions: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        slug: z.string(),
        orders: z.int(),
        median_minutes: z.int().meta({ description: 'From the payment’s last confirmation to the payout' }),
        most_minutes: z.int().meta({ description: 'Nine of ten orders took no longer' }),
      }),
    ),
  }),
  problems: [],
});
