import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';
import type { Rules } from '../order/events/events.ts';
import type { OrderView } from '../order/order.ts';
import { deadlineOf } from './timers.ts';
import { usdSum, usdCents } from '../../rates/index.ts';

const hours = z
  .int()
  .min(1)
  .max(24 * 365);
const share = z.int().min(0).max(100);

export const settings = defineSettings('exchange', {
  'exchange.offer_seconds': {
    schema: z.int().min(30).max(900),
    initial: 180,
    unit: 'seconds',
    looser: 'up',
    words: 'seconds for which an offer is valid',
  },
  'exchange.choice_hours': {
    schema: hours,
    initial: 72,
    unit: 'hours',
    looser: 'none',
    words: 'hours that a customer has to choose; after that the money is refunded or becomes unclaimed',
  },
  'exchange.hold_hours': {
    schema: hours,
    initial: 72,
    unit: 'hours',
    looser: 'down',
    words: 'hours after which a hold for papers or limits ends with a refund',
  },
  'exchange.approval_hours': {
    schema: hours,
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'hours a payout waits for approval',
  },
  'exchange.paused_hours': {
    schema: hours,
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'hours after which a payout that is switched off may be refunded without deductions instead',
  },
  'exchange.keep_rate_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 30,
    unit: 'minutes',
    looser: 'up',
    words: 'longest hold, in minutes, after which the locked rate is still valid although papers were requested',
  },
  'exchange.retries': {
    schema: z.int().min(0).max(20),
    initial: 5,
    unit: 'times',
    looser: 'none',
    words: 'number of retries of a payout that failed for a transient cause',
  },
  'exchange.write_off_days': {
    schema: z.int().min(1).max(3_650),
    initial: 180,
    unit: 'days',
    looser: 'down',
    words: 'days after which a customer’s debt can be written off without proof',
  },
  'exchange.confirm_minutes': {
    schema: z.int().min(5).max(1_440),
    initial: 60,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes within which a payment needs its first confirmation to keep the rate',
  },
  'exchange.outage_minutes': {
    schema: z.int().min(0).max(1_440),
    initial: 60,
    unit: 'minutes',
    looser: 'up',
    words: 'longest extension of a lock, in minutes, while an outage hides whether the order was paid in time',
  },
  'exchange.better_percent': {
    schema: share,
    initial: 2,
    unit: '%',
    looser: 'up',
    words:
      'percent by which the current rate may be better for a customer who paid late, so that the order still goes on automatically',
  },
  'exchange.tolerance_percent': {
    schema: share,
    initial: 2,
    unit: '%',
    looser: 'up',
    words: 'percent of overpayment that is still exchanged at the locked rate',
  },
  'exchange.tolerance_least_usd': {
    schema: usdSum,
    initial: '1',
    unit: 'USD',
    looser: 'up',
    words: 'smallest overpayment allowance in USD, whatever the percentage',
  },
  'exchange.tolerance_most_usd': {
    schema: usdSum,
    initial: '20',
    unit: 'USD',
    looser: 'up',
    words: 'largest overpayment allowance in USD, whatever the percentage',
  },
  'exchange.auto_order_usd': {
    schema: usdSum,
    initial: '3000',
    unit: 'USD',
    looser: 'up',
    words: 'USD up to which an order is paid out automatically',
  },
  'exchange.auto_customer_day_usd': {
    schema: usdSum,
    initial: '10000',
    unit: 'USD',
    looser: 'up',
    words: 'USD a day up to which one customer is paid automatically',
  },
  'exchange.auto_desk_hour_usd': {
    schema: usdSum,
    initial: '10000',
    unit: 'USD',
    looser: 'up',
    words: 'USD an hour up to which the desk pays automatically',
  },
  'exchange.auto_desk_day_usd': {
    schema: usdSum,
    initial: '50000',
    unit: 'USD',
    looser: 'up',
    words: 'USD a day up to which the desk pays automatically',
  },
  'exchange.auto_float_percent': {
    schema: share,
    initial: 30,
    unit: '%',
    looser: 'up',
    words: 'percent of a rail’s float that may be paid out automatically in an hour',
  },
  'exchange.two_people_usd': {
    schema: usdSum,
    initial: '20000',
    unit: 'USD',
    looser: 'up',
    words: 'USD above which two operators approve a payout',
  },
  'exchange.account_wait_usd': {
    schema: usdSum,
    initial: '300',
    unit: 'USD',
    looser: 'up',
    words: 'USD above which a payout to a changed account waits',
  },
  'exchange.account_wait_hours': {
    schema: hours,
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'hours that a payout to a changed account waits',
  },
  'exchange.mails': {
    schema: z.boolean(),
    initial: true,
    looser: 'none',
    words: 'if true, customers get a letter at each step of an order',
  },
});

const HOUR = 3_600_000;

/** Returns the machine's time limits and other limits, as the operator has set them. */
export function rules(): Rules {
  return {
    offer: settings.get('exchange.offer_seconds') * 1_000,
    choice: settings.get('exchange.choice_hours') * HOUR,
    hold: settings.get('exchange.hold_hours') * HOUR,
    approval: settings.get('exchange.approval_hours') * HOUR,
    keepRate: keepRateMs(),
    better: settings.get('exchange.better_percent'),
    retries: settings.get('exchange.retries'),
    writeOff: settings.get('exchange.write_off_days') * 24 * HOUR,
  };
}

/** Longest hold, in ms, after which the locked rate is still valid although papers were requested. */
export const keepRateMs = (): number => settings.get('exchange.keep_rate_minutes') * 60_000;

/** Returns a setting in USD as cents. */
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
  return usdCents(settings.get(key));
}

/** Returns when an order's choice, hold or approval ends automatically, by the current settings; undefined if it doesn't end. */
export function deadlineFor(view: OrderView): Date | undefined {
  return deadlineOf(view, rules());
}

/** Rules by which any payment at a locked rate is in time. `tolerancePercent`: excess that still has the locked rate, in percent. */
export const lockRules = (): {
  readonly confirmWithin: number;
  readonly outageWithin: number;
  readonly tolerancePercent: number;
} => ({
  confirmWithin: settings.get('exchange.confirm_minutes') * 60_000,
  outageWithin: settings.get('exchange.outage_minutes') * 60_000,
  tolerancePercent: settings.get('exchange.tolerance_percent'),
});
