// Calls for partners' programs, made with a key: rates, orders for the partner's customers, statistics.

import { z } from 'zod';
import { route } from '../../route.ts';
import { STOPPED, accountFields, day, email, inOrder, orderId } from '../../wire.ts';
import { orderToRead } from '../exchange.ts';
import { directions, quoteInput } from '../pricing.ts';
import { affiliateStatistics } from './referrals.ts';

const own = { tag: 'Partners' } as const;
const NOT_YET = ['partner_not_yet'] as const;

export const partnerRates = route({
  ...own,
  allows: 'key: partner.read',
  method: 'GET',
  path: '/partner/rates',
  summary: 'Directions with rate, fee, limits and reserve, and the terms for making a price breakdown',
  input: directions.input.pick({ from: true, to: true }),
  output: directions.output,
  problems: NOT_YET,
});

export const partnerOrderPlace = route({
  ...own,
  allows: 'key: partner.orders',
  method: 'POST',
  path: '/partner/order',
  summary:
    'Place an order for a customer of the partner: all steps in one, without a bot check. The customer has the usual limits and checks, and gets the order’s letters. With an Idempotency-Key a repeated call places nothing new',
  input: quoteInput.pick({ from: true, to: true, amount: true, side: true }).extend({
    receive: accountFields,
    refund: accountFields.default({}),
    email: email.meta({ description: 'The customer’s' }),
    locale: z.enum(['en', 'ru'], { error: 'wrong_value' }).default('en').meta({ description: 'The customer’s language' }),
    terms_accepted: z.literal(true, { error: 'terms_not_accepted' }).meta({ description: 'The customer has accepted our terms' }),
    campaign: z
      .string()
      .regex(/^[a-z0-9_-]{1,32}$/, { error: 'campaign_format' })
      .optional(),
    sub: z
      .string()
      .max(255, { error: 'sub_too_long' })
      .regex(/^[\x21-\x7e]+$/, { error: 'wrong_value' })
      .optional(),
  }),
  output: orderToRead,
  problems: [
    ...NOT_YET,
    'partner_suspended',
    'direction_unknown',
    'direction_closed',
    'rates_unavailable',
    'market_moved',
    'review_changed',
    'account_refused',
    'record_altered',
    'too_many_unpaid_orders',
    ...STOPPED,
  ],
  isIdempotent: true,
});

export const partnerOrder = route({
  ...own,
  allows: 'key: partner.read',
  method: 'GET',
  path: '/partner/order',
  summary: 'The present state of an order placed by a key of the same owner',
  input: z.object({ id: orderId }),
  output: orderToRead,
  problems: [...NOT_YET, 'order_not_found', 'record_altered'],
});

export const partnerStatistics = route({
  ...own,
  allows: 'key: partner.read',
  method: 'GET',
  path: '/partner/statistics',
  summary: 'Statistics of the owner’s links and orders by day (UTC) and campaign, as in `/affiliate/statistics`',
  input: z.object({ from: day.optional(), to: day.optional() }).refine(...inOrder),
  output: affiliateStatistics.output,
  problems: NOT_YET,
});
