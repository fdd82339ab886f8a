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

/** Limits in USD: per order, in 24 hours and in 30 days. `month` is null if there is no limit. */
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
    /** Rules for payments that their sender can reverse for `days`. */
    reversible: z.object({
      taken: z.boolean(),
      currencies: z.array(z.string()),
      /** Minimum verification level of customers who pay by reversible payments. */
      level: z.int(),
      days: z.int(),
      /** Limits in the first `first_days` days after a customer's first completed order. */
      first: limits,
      /** Limits after the first `first_days` days. */
      later: limits,
      /** Limits at verification level 3. */
      full: limits,
      first_days: z.int(),
      /** Number of a customer's first orders whose payouts wait `first_hours`. */
      first_orders: z.int(),
      /** Clearing period of the first `first_orders` orders, in hours. */
      first_hours: z.int(),
      /** Clearing period of later orders, in hours. */
      later_hours: z.int(),
    }),
    /**
     * Limits of withdrawals in USD. `alone_usd`, `alone_day_usd`: maximum without approval, at once and in a day. Above
     * `two_people_usd`, two people must approve. `new_address_hours`: waiting period for a new address of the allow-list, and for
     * switching the list off.
     */
    money_out: z.object({ alone_usd: amount, alone_day_usd: amount, two_people_usd: amount, new_address_hours: z.int() }),
    /** Terms of affiliates: percentages of the desk's profit from an order, sums in USD, and times in days. */
    affiliates: z.object({
      levels: z.array(z.object({ from: z.int(), share: z.string() })),
      /** Second-level affiliate's share, in percent of the desk's profit. */
      second: z.int(),
      /** Maximum of all rewards and the friend's discount together, in percent of the desk's profit. */
      max: z.int(),
      /** Maximum friend's discount, in percent of the affiliate's share. */
      split: z.int(),
      active_usd: amount,
      least_usd: amount,
      /** Days after a click for which the visitor is bound to the affiliate. */
      days: z.int(),
      /**
       * Days after which a reward is available. `final`: for orders paid on a chain or from a wallet; `provider`: paid through a
       * provider; `reversible`: paid by a reversible payment.
       */
      matures: z.object({ final: z.int(), provider: z.int(), reversible: z.int() }),
    }),
    /** Days after which a bought voucher is taken back if nobody has seen it. */
    voucher_days: z.int(),
    /** Terms of deposits into wallets and withdrawals from them, by currency. */
    ways: z.array(
      z.object({
        currency: currencyCode,
        unit: z.string(),
        /**
         * Terms of deposits: to the wallet's own address, or requested at the provider. `minimum`: smallest deposit. Absent if
         * the currency takes no deposits.
         */
        deposit: z.object({ kind: z.enum(['address', 'redirect', 'voucher']), minimum: amount, ...ownCost }).optional(),
        /** Current cost of a withdrawal: the network's fee and the provider's charge. Absent while the currency can't be sent. */
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
