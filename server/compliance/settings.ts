import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const share = z.int().min(0).max(100);
const count = z.int().min(0).max(1_000_000);

const levelLimits = z.strictObject({
  per_order: usdSum,
  day: usdSum,
  /** Limit in 30 days; null if there is none. */
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
    words: 'limits of each verification level in USD: per order, in 24 hours and in 30 days',
  },
  'compliance.unpaid_open': {
    schema: count,
    initial: 2,
    unit: 'orders',
    looser: 'up',
    words: 'maximum open unpaid orders of one customer',
  },
  'compliance.unpaid_day': {
    schema: count,
    initial: 6,
    unit: 'orders',
    looser: 'up',
    words: 'maximum orders of one customer left unpaid in 24 hours',
  },
  'compliance.unpaid_open_network': {
    schema: count,
    initial: 10,
    unit: 'orders',
    looser: 'up',
    words: 'maximum open unpaid orders of one network (/24 or /48)',
  },
  'compliance.hold_all_percent': {
    schema: share,
    initial: 40,
    unit: '%',
    looser: 'up',
    words: 'maximum share of a reserve that all unpaid orders hold',
  },
  'compliance.hold_visitors_percent': {
    schema: share,
    initial: 20,
    unit: '%',
    looser: 'up',
    words: 'maximum share of a reserve that unpaid orders of visitors without a finished order hold',
  },
  'compliance.hold_network_percent': {
    schema: share,
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'maximum share of a reserve that unpaid orders of one network hold',
  },
  'compliance.hold_order_percent': {
    schema: share,
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'maximum share of a reserve that one unpaid order holds',
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
    words: 'orders expired unpaid in 24 hours from which a customer’s locks are shortened',
  },
  'compliance.short_lock_days': {
    schema: count,
    initial: 7,
    unit: 'days',
    looser: 'down',
    words: 'days for which a customer’s locks stay shortened',
  },
  'compliance.bot_work': {
    schema: z.int().min(1_000).max(10_000_000),
    initial: 30_000,
    unit: 'numbers',
    looser: 'down',
    words: 'work of a robot check’s challenge while unpaid orders hold nothing, in numbers to try',
  },
  'compliance.bot_work_most': {
    schema: z.int().min(1_000).max(10_000_000),
    initial: 600_000,
    unit: 'numbers',
    looser: 'down',
    words: 'work of a challenge when unpaid orders hold the maximum, in numbers to try',
  },
  'compliance.bot_guess_work': {
    schema: z.int().min(1_000).max(20_000_000),
    initial: 2_000_000,
    unit: 'numbers',
    looser: 'down',
    words: 'maximum work of a challenge for an address or network that keeps guessing codes or passwords, in numbers to try',
  },
  'compliance.bot_load': {
    schema: z.int().min(1).max(100_000),
    initial: 1_000,
    unit: 'challenges',
    looser: 'up',
    words: 'number of solved challenges not yet expired at which new ones require the maximum work',
  },
  'compliance.bot_minutes': {
    schema: z.int().min(1).max(120),
    initial: 15,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes for which a challenge is valid',
  },
  'compliance.risk_threshold': {
    schema: z.int().min(0).max(100),
    initial: 40,
    unit: 'points',
    looser: 'up',
    words: 'risk score from which screening holds a payment or payout',
  },
  'compliance.hard_labels': {
    schema: labels,
    initial: ['sanctions', 'terrorism', 'child abuse', 'stolen funds', 'ransomware'],
    looser: fewer,
    words: 'screening labels that always hold without a time limit, whatever their kind',
  },
  'compliance.harmless_labels': {
    schema: labels,
    initial: ['exchange', 'wallet', 'payment processor', 'miner', 'merchant'],
    looser: (before: readonly string[], after: readonly string[]) => fewer(after, before),
    words: 'screening labels that hold nothing; any other label holds until a person decides',
  },
  'compliance.screening_seconds': {
    schema: z.int().min(1).max(30),
    initial: 4,
    unit: 'seconds',
    looser: 'none',
    words: 'seconds after which a screening service counts as not answering',
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
    words: 'minimum verification level to pay in a reversible currency',
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
    words:
      'limits in USD of reversible payments per order, in 24 hours and in 30 days: for new customers, known ones, and level 3',
  },
  'compliance.reversible_new_days': {
    schema: count,
    initial: 60,
    unit: 'days',
    looser: 'down',
    words: 'days after the first finished reversible payment until a customer counts as known',
  },
  'compliance.reversible_clearing_orders': {
    schema: count,
    initial: 3,
    unit: 'orders',
    looser: 'down',
    words: 'number of a customer’s first reversible payments with the longer clearing period',
  },
  'compliance.reversible_clearing_new_hours': {
    schema: count,
    initial: 72,
    unit: 'hours',
    looser: 'down',
    words: 'clearing period in hours of a customer’s first reversible payments',
  },
  'compliance.reversible_clearing_hours': {
    schema: count,
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'clearing period in hours of a customer’s further reversible payments',
  },
  'compliance.exposure_usd': {
    schema: usdSum,
    initial: '0',
    unit: 'USD',
    looser: 'up',
    words:
      'maximum total in USD of payments that can still be taken back; 0: none is taken until somebody confirms a limit (20000 is proposed)',
  },
  'compliance.exposure_days': {
    schema: count,
    initial: 180,
    unit: 'days',
    looser: 'down',
    words: 'days for which a reversible payment can be taken back',
  },
});
