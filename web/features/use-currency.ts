import { type Currency, findCurrency } from './currency.ts';
import { useSite } from './site.ts';

/**
 * Returns the currency of a code. If the list lacks it (a unit, or a currency that was switched off), makes one from the code.
 */
export function useCurrency(code: string): Currency {
  return findCurrency(useSite().currencies, code);
}
