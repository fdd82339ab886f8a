import { type Money, parse, percent, scaleBy } from '@kurs/money';

/**
 * The rules that rewards are planned by, in one place until the programmes run and an operator sets them: shares in percent,
 * sums in USD, times in days.
 */
export const PLANNED = {
  /** The share of the desk's profit by how many referred customers were active in the last 30 days. */
  levels: [
    { from: 0, share: 30 },
    { from: 10, share: 33 },
    { from: 50, share: 36 },
    { from: 200, share: 40 },
  ],
  second: 5,
  /** All rewards of an order together, in percent of its profit. */
  most: 50,
  active_usd: 50,
  cookie_days: 90,
  matures: { chain: 7, wallet: 14, reversible: 180 },
  withdraw_usd: 10,
  /** Percent of their share that affiliates may leave to friends. */
  split: 50,
} as const;

/** The largest sum of the slider, and its step, in USD. */
export const SUMS = { most: 100_000, step: 500, start: 10_000 } as const;

/** What a month brings: the desk's fee on what referred customers exchange, and the affiliate's share of it at the most. */
export interface Income {
  readonly fee: Money<'USD'>;
  readonly reward: Money<'USD'>;
}

/**
 * Takes whole USD, the fee and the share in percent as decimal texts. Exact, cut to whole cents. Throws for what is no number.
 */
export function incomeOf({ sum, fee, share }: { sum: string; fee: string; share: string }): Income {
  const taken = scaleBy(parse('USD', sum), percent(fee), 'down');
  return { fee: taken, reward: scaleBy(taken, percent(share), 'down') };
}
