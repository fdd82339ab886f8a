import { parse } from '@kurs/money';
import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import type { Rules } from './events.ts';
import type { OrderView } from './order.ts';
import { deadlineOf } from './timers.ts';

const usd = z.string().regex(/^[0-9]{1,12}(\.[0-9]{1,2})?$/);
const hours = z
  .int()
  .min(1)
  .max(24 * 365);
const share = z.int().min(0).max(100);

export const settings = defineSettings('exchange', {
  'exchange.offer_seconds': { schema: z.int().min(30).max(900), initial: 180, words: 'seconds for which an offer stands' },
  'exchange.choice_hours': { schema: hours, initial: 72, words: 'hours a customer has to choose; then a refund, or unclaimed' },
  'exchange.hold_hours': { schema: hours, initial: 72, words: 'hours after which a hold for papers or limits ends by a refund' },
  'exchange.approval_hours': { schema: hours, initial: 24, words: 'hours a payout waits for approval' },
  'exchange.paused_hours': {
    schema: hours,
    initial: 24,
    words: 'hours after which a payout that a switch keeps from leaving may be refunded whole instead',
  },
  'exchange.keep_rate_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 30,
    words: 'minutes of a hold that leave the rate as it was although papers were asked for',
  },
  'exchange.retries': {
    schema: z.int().min(0).max(20),
    initial: 5,
    words: 'times a payout that failed for a passing cause is tried again',
  },
  'exchange.write_off_days': {
    schema: z.int().min(1).max(3_650),
    initial: 180,
    words: 'days after which what a customer owes can be written off without proof',
  },
  'exchange.confirm_minutes': {
    schema: z.int().min(5).max(1_440),
    initial: 60,
    words: 'minutes within which a payment needs its first confirmation to keep the rate',
  },
  'exchange.outage_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 60,
    words: 'minutes that a lock lasts on at most while we can not look whether it was paid in time',
  },
  'exchange.tolerance_percent': { schema: share, initial: 2, words: 'percent paid too much that the locked rate still takes' },
  'exchange.tolerance_least_usd': { schema: usd, initial: '1', words: 'USD that it takes at least' },
  'exchange.tolerance_most_usd': { schema: usd, initial: '20', words: 'USD that it takes at most' },
  'exchange.auto_order_usd': { schema: usd, initial: '3000', words: 'USD up to which an order is paid out by itself' },
  'exchange.auto_customer_day_usd': {
    schema: usd,
    initial: '10000',
    words: 'USD a day up to which one customer is paid by itself',
  },
  'exchange.auto_desk_hour_usd': { schema: usd, initial: '10000', words: 'USD an hour up to which the desk pays by itself' },
  'exchange.auto_desk_day_usd': { schema: usd, initial: '50000', words: 'USD a day up to which the desk pays by itself' },
  'exchange.auto_float_percent': { schema: share, initial: 30, words: 'percent of a rail’s float paid out by itself in an hour' },
  'exchange.two_people_usd': { schema: usd, initial: '20000', words: 'USD above which two operators approve a payout' },
  'exchange.account_wait_usd': {
    schema: usd,
    initial: '300',
    words: 'USD above which a changed account waits before it is paid',
  },
  'exchange.account_wait_hours': { schema: hours, initial: 24, words: 'hours that it waits' },
  'exchange.mails': { schema: z.boolean(), initial: true, words: 'whether customers are mailed at each step of an order' },
});

const HOUR = 3_600_000;

/** The machine's windows as the operator has set them. */
export function rules(): Rules {
  return {
    offer: settings.get('exchange.offer_seconds') * 1_000,
    choice: settings.get('exchange.choice_hours') * HOUR,
    hold: settings.get('exchange.hold_hours') * HOUR,
    approval: settings.get('exchange.approval_hours') * HOUR,
    keepRate: settings.get('exchange.keep_rate_minutes') * 60_000,
    retries: settings.get('exchange.retries'),
    writeOff: settings.get('exchange.write_off_days') * 24 * HOUR,
  };
}

/** A setting in USD as cents. */
export function cents(
  key:
    | 'exchange.auto_order_usd'
    | 'exchange.auto_customer_day_usd'
    | 'exchange.auto_desk_hour_usd'
    | 'exchange.auto_desk_day_usd'
    | 'exchange.two_people_usd'
    | 'exchange.account_wait_usd'
    | 'exchange.tolerance_least_usd'
    | 'exchange.tolerance_most_usd',
): bigint {
  return parse('USD', settings.get(key)).parts;
}

/** When an order's choice, hold or approval ends by itself, by the operator's windows; undefined where it doesn't. */
export function deadlineFor(view: OrderView): Date | undefined {
  return deadlineOf(view, rules());
}
