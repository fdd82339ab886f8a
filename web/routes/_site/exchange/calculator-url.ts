import { useSite } from '../../../features/site.ts';
import { pageUrl } from '../../pages.ts';
import { useFlow } from './flow.ts';
import type { Calculation } from './exchange-data.ts';

/** Back to the calculator with the same amounts. */
export function useCalculatorUrl(calculation: Pick<Calculation, 'quote'>): string {
  const { give, get } = calculation.quote;
  return pageUrl(useSite().locale, useFlow().calculator, {
    from: give.currency,
    to: get.currency,
    amount: give.amount,
    side: 'give',
  });
}
