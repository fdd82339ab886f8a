import { add, format, parse, zero } from '@kurs/money';
import type { Statistics } from './page.server.ts';

/** Affiliate's results of one day, for all campaigns together. */
export interface Day {
  readonly day: string;
  readonly clicks: number;
  readonly signUps: number;
  readonly orders: number;
  readonly reward: string;
  /** True if the day has any results. */
  readonly isBusy: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Returns the results of every day in the statistics, sorted from the oldest to the newest day. Results of all campaigns are
 * added up. Days without results are included.
 */
export function daysOf({ from, to, days }: Statistics): Day[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10);
    const rows = days.filter((row) => row.day === day);
    const sum = (name: 'clicks' | 'sign_ups' | 'orders'): number => rows.reduce((all, row) => all + row[name], 0);
    return {
      ...{ day, clicks: sum('clicks'), signUps: sum('sign_ups'), orders: sum('orders'), isBusy: rows.length > 0 },
      reward: rewardOf(rows),
    };
  });
}

/** Returns the sum of rewards in USDT, with all its digits. */
export const rewardOf = (rows: readonly { readonly reward: string }[]): string =>
  format(rows.reduce((all, { reward }) => add(all, parse('USDT', reward)), zero('USDT')));
