import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const share = z.int().min(0).max(100);
const count = z.int().min(0).max(1_000_000);

const levelLimits = z.strictObject({
  per_order: usdSum,
  day: usdSum,
  /** null: no limit. */
  month: usdSum.nullable(),
});

const labels = z.array(z.string().trim().min(1).max(100)).max(200);

const windows = z.strictObject({ per_order: usdSum, day: usdSum, month: usdSum });

export const settings = defineSettings('compliance', {
  'compliance.levels': {
    schema: z.tuple([levelLimits, levelLimits, levelLimits, levelLimits]),
    initial: [
      { per_order: '1000', day: '2000', month: '5000' },
      { per_order: '3000', day: '5000', month: '20000' },
      { per_order: '20000', day: '50000', month: '250000' },
      { per_order: '100000', day: '250000', month: null },
    ],
    unit: 'USD',
    looser: 'up',
    words: 'USD that each verification level may exchange per order, in 24 hours and in 30 days',
  },
  'compliance.unpaid_open': {
    schema: count,
    initial: 2,
    unit: 'orders',
    looser: 'up',
    words: 'open unpaid orders of one customer',
  },
  'compliance.unpaid_day': {
    schema: count,
    initial: 6,
    unit: 'orders',
    looser: 'up',
    words: 'orders of one customer left unpaid in 24 hours',
  },
  'compliance.unpaid_open_network': {
    schema: count,
    initial: 10,
    unit: 'orders',
    looser: 'up',
    words: 'open unpaid orders of one network (/24 or /48)',
  },
  'compliance.hold_all_percent': {
    schema: share,
    initial: 40,
    unit: '%',
    looser: 'up',
    words: 'share of a reserve that all unpaid orders may hold',
  },
  'compliance.hold_visitors_percent': {
    schema: share,
    initial: 20,
    unit: '%',
    looser: 'up',
    words: 'share of a reserve that unpaid orders of visitors without a finished order may hold',
  },
  'compliance.hold_network_percent': {
    schema: share,
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'share of a reserve that unpaid orders of one network may hold',
  },
  'compliance.hold_order_percent': {
    schema: share,
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'share of a reserve that one unpaid order may hold',
  },
  'compliance.lock_minutes': {
    schema: z.int().min(1).max(60),
    initial: 15,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes for which a rate is locked',
  },
  'compliance.short_lock_minutes': {
    schema: z.int().min(1).max(60),
    initial: 5,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes of lock for customers whose orders keep expiring unpaid',
  },
  'compliance.short_lock_expiries': {
    schema: count,
    initial: 3,
    unit: 'orders',
    looser: 'up',
    words: 'unpaid expiries in 24 hours that shorten a customer’s locks',
  },
  'compliance.short_lock_days': {
    schema: count,
    initial: 7,
    unit: 'days',
    looser: 'down',
    words: 'days for which they stay short',
  },
  'compliance.bot_work': {
    schema: z.int().min(1_000).max(10_000_000),
    initial: 30_000,
    unit: 'numbers',
    looser: 'down',
    words: 'work of a challenge while nothing is held: numbers to try',
  },
  'compliance.bot_work_most': {
    schema: z.int().min(1_000).max(10_000_000),
    initial: 600_000,
    unit: 'numbers',
    looser: 'down',
    words: 'work of a challenge when unpaid orders hold all that they may',
  },
  'compliance.bot_guess_work': {
    schema: z.int().min(1_000).max(20_000_000),
    initial: 2_000_000,
    unit: 'numbers',
    looser: 'down',
    words: 'work of a challenge at most, where codes or passwords of one address or network are tried on and on',
  },
  'compliance.bot_load': {
    schema: z.int().min(1).max(100_000),
    initial: 1_000,
    unit: 'challenges',
    looser: 'up',
    words: 'challenges that were solved and are not over yet at which the work of a new one is at its most',
  },
  'compliance.bot_minutes': {
    schema: z.int().min(1).max(120),
    initial: 15,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes for which a challenge is good',
  },
  'compliance.risk_threshold': {
    schema: z.int().min(0).max(100),
    initial: 40,
    unit: 'points',
    looser: 'up',
    words: 'risk score from which screening holds',
  },
  'compliance.hard_labels': {
    schema: labels,
    initial: ['sanctions', 'terrorism', 'child abuse', 'stolen funds', 'ransomware'],
    looser: fewer,
    words: 'labels of the screening that hold without an end, whatever the service says of them',
  },
  'compliance.harmless_labels': {
    schema: labels,
    initial: ['exchange', 'wallet', 'payment processor', 'miner', 'merchant'],
    looser: (before: readonly string[], after: readonly string[]) => fewer(after, before),
    words: 'labels of the screening that hold nothing; any other holds until a person has looked',
  },
  'compliance.screening_seconds': {
    schema: z.int().min(1).max(30),
    initial: 4,
    unit: 'seconds',
    looser: 'none',
    words: 'seconds after which a screening counts as silent',
  },
  'compliance.reversible_currencies': {
    schema: z.array(z.string().max(40)).max(100),
    initial: ['PAYPAL_USD', 'PAYPAL_EUR'],
    looser: fewer,
    words: 'currencies whose payments can be taken back for months',
  },
  'compliance.reversible_level': {
    schema: z.int().min(0).max(3),
    initial: 2,
    unit: 'level',
    looser: 'down',
    words: 'verification level from which a customer may pay in them',
  },
  'compliance.reversible_windows': {
    schema: z.strictObject({ new: windows, known: windows, full: windows }),
    initial: {
      new: { per_order: '200', day: '300', month: '1000' },
      known: { per_order: '500', day: '1000', month: '3000' },
      full: { per_order: '2000', day: '3000', month: '10000' },
    },
    unit: 'USD',
    looser: 'up',
    words: 'USD paid in them per order, in 24 hours and in 30 days: at first, later, and by level 3',
  },
  'compliance.reversible_new_days': {
    schema: count,
    initial: 60,
    unit: 'days',
    looser: 'down',
    words: 'days after the first finished such order that are “at first”',
  },
  'compliance.reversible_clearing_orders': {
    schema: count,
    initial: 3,
    unit: 'orders',
    looser: 'down',
    words: 'such orders of a customer that wait longer for the payout',
  },
  'compliance.reversible_clearing_new_hours': {
    schema: count,
    initial: 72,
    unit: 'hours',
    looser: 'down',
    words: 'hours that these wait',
  },
  'compliance.reversible_clearing_hours': {
    schema: count,
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'hours that further ones wait',
  },
  'compliance.exposure_usd': {
    schema: usdSum,
    initial: '0',
    unit: 'USD',
    looser: 'up',
    words:
      'USD of payments that can still be taken back, all together; 0: none is taken until somebody confirms a limit (20000 is proposed)',
  },
  'compliance.exposure_days': {
    schema: count,
    initial: 180,
    unit: 'days',
    looser: 'down',
    words: 'days for which a payment can be taken back',
  },
});
