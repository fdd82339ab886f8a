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
  summary: 'Data of the home page',
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
      age_seconds: z.int().optional().meta({ description: 'Age of the figures in seconds; absent before the first count' }),
    }),
    lock_minutes: z.int(),
    quote_minutes: z.int(),
    rates_at: time.optional(),
    rates_seeded: z.boolean(),
  }),
  problems: [],
});

/** Limits in USD per order, in 24 hours and in 30 days; null for no limit. */
const limits = z.object({ per_order: amount, day: amount, month: amount.nullable() });

/** A provider's charge for a payment, in the currency's own unit. */
const ownCost = { percent: z.string().optional(), fixed: amount.optional(), min: amount.optional(), cap: amount.optional() };

export const rules = route({
  method: 'GET',
  path: '/landing/1/rules',
  allows: 'public',
  tag: 'Site',
  summary: 'The operator’s settings that pages show as rules',
  input: z.object({}),
  output: z.object({
    /** Limits of each verification level, from 0 on. */
    levels: z.array(limits),
    /** Payments that their sender can reverse for `days`. */
    reversible: z.object({
      taken: z.boolean(),
      currencies: z.array(z.string()),
      /** Verification level from which they are accepted. */
      level: z.int(),
      days: z.int(),
      /** Limits in the first `first_days` after the first completed order, later, and at level 3. */
      first: limits,
      later: limits,
      full: limits,
      first_days: z.int(),
      /** Hours that the payouts of the first `first_orders` orders wait, and those of later ones. */
      first_orders: z.int(),
      first_hours: z.int(),
      later_hours: z.int(),
    }),
    /** Maximum USD that leave a wallet without approval, at once and in a day; above the third sum it takes two people. */
    money_out: z.object({ alone_usd: amount, alone_day_usd: amount, two_people_usd: amount, new_address_hours: z.int() }),
    /** Terms of affiliates: percentages of what the desk keeps of an order, sums in USD, and times in days. */
    affiliates: z.object({
      levels: z.array(z.object({ from: z.int(), share: z.string() })),
      /** Percent for an affiliate's referrer; maximum percent of all rewards together; maximum percent of a share for friends. */
      second: z.int(),
      max: z.int(),
      split: z.int(),
      active_usd: amount,
      least_usd: amount,
      /** Days for which a visitor counts as referred. */
      days: z.int(),
      /**
       * Days after which rewards are available: for orders paid over a chain or from a wallet, through other providers, and by
       * reversible payments.
       */
      matures: z.object({ final: z.int(), provider: z.int(), reversible: z.int() }),
    }),
    /** Days after which a bought voucher that nobody has seen is taken back. */
    voucher_days: z.int(),
    /** Deposits and withdrawals of wallets, by currency. */
    ways: z.array(
      z.object({
        currency: currencyCode,
        unit: z.string(),
        /** Deposits: to the wallet's own address from `minimum` on, or by a request at the provider. */
        deposit: z.object({ kind: z.enum(['address', 'redirect', 'voucher']), minimum: amount, ...ownCost }).optional(),
        /** Present cost of a withdrawal: the network's fee and the provider's charge. Absent while none can be sent. */
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
  summary: 'Present and past availability of the rails, and the duration of orders',
  input: z.object({}),
  output: z.object({
    at: time,
    rails: z.array(
      z.object({
        rail: z.string(),
        up: z.boolean().meta({ description: 'True if it answers; otherwise nothing is credited or paid on it' }),
        on: z.boolean().meta({ description: 'True if it takes new orders; placed orders go on in any case' }),
        since: time,
        checked_at: time,
        days: z.array(
          z.object({
            day: z.iso.date(),
            watched: z.int().meta({ description: 'Seconds of the day in which it was monitored' }),
            down: z.int().meta({ description: 'Seconds of these in which it did not answer' }),
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
