import { useSite } from '../../../features/site.ts';
import { pageUrl } from '../../pages.ts';
import { useFlow } from './flow.ts';
import type { Calculation } from './page.server.ts';

/** Returns the URL of the calculator, with the amounts and the coupon of a calculation if there is one. */
export function useCalculatorUrl(calculation: Pick<Calculation, 'quote' | 'coupon'> | undefined): string {
  const { locale } = useSite();
  const { calculator } = useFlow();
  if (!calculation) return pageUrl(locale, calculator);
  const { give, get } = calculation.quote;
  return pageUrl(locale, calculator, {
    from: give.currency,
    to: get.currency,
    amount: give.amount,
    side: 'give',
    ...(calculation.coupon !== undefined && { coupon: calculation.coupon }),
  });
}
