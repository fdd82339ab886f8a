import { type Money, parse, percent, scaleBy } from '@kurs/money';

/** Maximum, step and initial value of the slider, in USD. */
export const SUMS = { max: 100_000, step: 500, start: 10_000 } as const;

/** Income of a month: the desk's fees from referred customers, and the affiliate's reward. */
export interface Income {
  readonly fee: Money<'USD'>;
  readonly reward: Money<'USD'>;
}

/**
 * Computes the income of a month, exactly, rounded down to cents. Takes decimal texts: `sum` in whole USD, `fee` and `share` in
 * percent. Throws if a text is not a number.
 */
export function incomeOf({ sum, fee, share }: { sum: string; fee: string; share: string }): Income {
  const taken = scaleBy(parse('USD', sum), percent(fee), 'down');
  return { fee: taken, reward: scaleBy(taken, percent(share), 'down') };
}
