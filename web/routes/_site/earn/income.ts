import { type Money, parse, percent, scaleBy } from '@kurs/money';

/** Maximum, step and start of the slider, in USD. */
export const SUMS = { max: 100_000, step: 500, start: 10_000 } as const;

/** Income of a month: the desk's fee on exchanges of referred customers, and the affiliate's maximum share of it. */
export interface Income {
  readonly fee: Money<'USD'>;
  readonly reward: Money<'USD'>;
}

/**
 * Computes the income from whole USD and from fee and share in percent, all as decimal texts. Exact, rounded down to cents.
 * Throws if a text is not a number.
 */
export function incomeOf({ sum, fee, share }: { sum: string; fee: string; share: string }): Income {
  const taken = scaleBy(parse('USD', sum), percent(fee), 'down');
  return { fee: taken, reward: scaleBy(taken, percent(share), 'down') };
}
