import { type Currency, findCurrency } from './currency.ts';
import { useSite } from './site.ts';

/** The currency of a code; one made of the code itself where the list lacks it (a unit, or one switched off since). */
export function useCurrency(code: string): Currency {
  return findCurrency(useSite().currencies, code);
}
