import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import type { OutLimits } from './rule.ts';
import { usdSum, usdCents } from '../rates/index.ts';

export const settings = defineSettings('moneyout', {
  'moneyout.auto_usd': {
    schema: usdSum,
    initial: '500',
    unit: 'USD',
    looser: 'up',
    words: 'sum in USD up to which money leaves a wallet without approval',
  },
  'moneyout.auto_customer_day_usd': {
    schema: usdSum,
    initial: '2000',
    unit: 'USD',
    looser: 'up',
    words: 'daily sum in USD up to which one customer’s money leaves their wallets without approval',
  },
  'moneyout.auto_desk_day_usd': {
    schema: usdSum,
    initial: '10000',
    unit: 'USD',
    looser: 'up',
    words: 'daily sum in USD up to which money leaves all wallets without approval',
  },
  'moneyout.two_people_usd': {
    schema: usdSum,
    initial: '5000',
    unit: 'USD',
    looser: 'up',
    words: 'sum in USD above which two operators must approve money leaving a wallet',
  },
  'moneyout.new_address_hours': {
    schema: z.int().min(0).max(720),
    initial: 24,
    unit: 'hours',
    looser: 'down',
    words: 'waiting period in hours for a new address of the allow-list, and for switching the list off',
  },
});

type Sum = 'moneyout.auto_usd' | 'moneyout.auto_customer_day_usd' | 'moneyout.auto_desk_day_usd' | 'moneyout.two_people_usd';
const cents = (key: Sum): bigint => usdCents(settings.get(key));

/** Returns the limits for approvals as operators have set them, in USD cents. */
export const outLimits = (): OutLimits => ({
  action: cents('moneyout.auto_usd'),
  holderDay: cents('moneyout.auto_customer_day_usd'),
  deskDay: cents('moneyout.auto_desk_day_usd'),
  twoPeople: cents('moneyout.two_people_usd'),
});

/** Returns the waiting period in ms, for a new address and for switching the allow-list off. */
export const coolingMs = (): number => settings.get('moneyout.new_address_hours') * 3_600_000;

/** Returns the limits as pages show them, in USD and hours. */
export const shownBounds = () => ({
  alone_usd: settings.get('moneyout.auto_usd'),
  alone_day_usd: settings.get('moneyout.auto_customer_day_usd'),
  two_people_usd: settings.get('moneyout.two_people_usd'),
  new_address_hours: settings.get('moneyout.new_address_hours'),
});
