import { type PrizeRow, NUMBERS } from '@kurs/contract/draw';
import { REWARD_UNIT, parse } from '@kurs/money';
import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

/** An amount of USD as exact as the unit of rewards. */
const fineSum = z.string().regex(/^[0-9]{1,6}(\.[0-9]{1,6})?$/);
const inRewards = (usd: string): bigint => parse(REWARD_UNIT, usd).parts;

/** Limits of every table of prizes. */
const bounds = defineSettings('earn', {
  'earn.mean_usd': {
    schema: fineSum,
    initial: '0.03',
    unit: 'USD',
    looser: 'up',
    words: 'USD that a draw may bring on average at the most',
  },
  'earn.prize_usd': {
    schema: fineSum,
    initial: '0.50',
    unit: 'USD',
    looser: 'up',
    words: 'USD that one prize may be at the most; an abandoned draw counts as much',
  },
});

/** Returns the mean of a table times all its numbers, in minor units of the unit of rewards. */
export const meanTimesAll = (table: readonly PrizeRow[]): bigint =>
  table.reduce((sum, { prize, weight }) => sum + inRewards(prize) * BigInt(weight), 0n);

/** True if a table is valid: its weights add up to a million, each prize is more than nothing, and both limits hold. */
function isFair(table: readonly PrizeRow[]): boolean {
  const [mean, max] = [bounds.get('earn.mean_usd'), bounds.get('earn.prize_usd')].map(inRewards) as [bigint, bigint];
  const isWhole = table.reduce((sum, { weight }) => sum + weight, 0) === NUMBERS;
  const areBounded = table.every(({ prize }) => inRewards(prize) > 0n && inRewards(prize) <= max);
  return isWhole && areBounded && meanTimesAll(table) <= mean * BigInt(NUMBERS);
}

export const TASKS = ['email', 'two_factor', 'first_order', 'streak'] as const;
export type Task = (typeof TASKS)[number];

export const settings = defineSettings('earn', {
  'earn.on': { schema: z.boolean(), initial: false, looser: 'none', words: 'whether draws begin and tasks are paid' },
  'earn.table': {
    schema: z
      .array(z.strictObject({ prize: fineSum, weight: z.int().min(1).max(NUMBERS) }))
      .min(1)
      .max(20)
      .refine(isFair, { when: ({ issues }) => issues.length === 0 }),
    initial: [
      { prize: '0.005', weight: 600_000 },
      { prize: '0.01', weight: 250_000 },
      { prize: '0.05', weight: 100_000 },
      { prize: '0.20', weight: 40_000 },
      { prize: '0.50', weight: 10_000 },
    ],
    unit: 'USD, numbers of a million',
    looser: 'any',
    words: 'prizes, and how many of a million numbers win each',
  },
  'earn.draw_minutes': {
    schema: z.int().min(1).max(55),
    initial: 10,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes within which a draw is claimed',
  },
  'earn.account_day_usd': {
    schema: usdSum,
    initial: '0.50',
    unit: 'USD',
    looser: 'up',
    words: 'USD that an account wins in a day before it waits for the next one',
  },
  'earn.shared_day_usd': {
    schema: usdSum,
    initial: '1',
    unit: 'USD',
    looser: 'up',
    words: 'USD that one device, and one network, wins in a day before it waits for the next one',
  },
  'earn.day_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'up',
    words: 'USD of prizes and tasks in a day; each hour a 24th of it is put into the pot, which is filled up to it',
  },
  'earn.pot_least_usd': {
    schema: usdSum,
    initial: '1',
    unit: 'USD',
    looser: 'down',
    words: 'USD that stay in the pot beside all that open draws may win',
  },
  'earn.wallet_least_usd': {
    schema: usdSum,
    initial: '5',
    unit: 'USD',
    looser: 'down',
    words: 'USD of prizes that go into the wallet at once at the least',
  },
  'earn.order_least_usd': {
    schema: usdSum,
    initial: '10',
    unit: 'USD',
    looser: 'down',
    words: 'USD that the first order is worth at the least after which prizes may go into the wallet',
  },
  'earn.two_factor_days': {
    schema: z.int().min(1).max(365),
    initial: 7,
    unit: 'days',
    looser: 'down',
    words: 'days that two-factor codes are on before their task is paid',
  },
  'earn.streak_days': {
    schema: z.int().min(2).max(14),
    initial: 7,
    unit: 'days',
    looser: 'down',
    words: 'days running with a claim before their task is paid',
  },
  'earn.tasks': {
    schema: z.strictObject({ email: usdSum, two_factor: usdSum, first_order: usdSum, streak: usdSum }),
    initial: { email: '0.02', two_factor: '0.10', first_order: '0.50', streak: '0.20' },
    unit: 'USD',
    looser: 'up',
    words: 'USD that each task pays, once',
  },
});

/** Returns the current rules; amounts in minor units of the unit of rewards. */
export function rules() {
  const parts = (key: SumKey): bigint => inRewards(settings.get(key));
  const table = settings.get('earn.table');
  return {
    isOpen: settings.get('earn.on'),
    table,
    /** Returns the greatest prize of the table, and the limit of any prize. */
    greatest: table.reduce((max, { prize }) => (inRewards(prize) > max ? inRewards(prize) : max), 0n),
    maxPrize: inRewards(bounds.get('earn.prize_usd')),
    drawMinutes: settings.get('earn.draw_minutes'),
    accountDay: parts('earn.account_day_usd'),
    sharedDay: parts('earn.shared_day_usd'),
    day: parts('earn.day_usd'),
    minPot: parts('earn.pot_least_usd'),
    minToWallet: parts('earn.wallet_least_usd'),
    minOrder: parts('earn.order_least_usd'),
    twoFactorDays: settings.get('earn.two_factor_days'),
    streakDays: settings.get('earn.streak_days'),
    pays: (task: Task): bigint => inRewards(settings.get('earn.tasks')[task]),
  };
}
export type Rules = ReturnType<typeof rules>;

type SumKey = `earn.${'account_day' | 'shared_day' | 'day' | 'pot_least' | 'wallet_least' | 'order_least'}_usd`;
