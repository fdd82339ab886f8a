import { type Currency, findCurrency } from './currency.ts';
import { useSite } from './site.ts';

/**
 * Returns the currency with a code. If the site's list lacks the code (a unit, or a currency that was switched off), makes a
 * currency from the code.
 */
export function useCurrency(code: string): Currency {
  return findCurrency(useSite().currencies, code);
}
