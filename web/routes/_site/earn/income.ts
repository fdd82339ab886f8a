import { type Money, parse, percent, scaleBy } from '@kurs/money';

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
