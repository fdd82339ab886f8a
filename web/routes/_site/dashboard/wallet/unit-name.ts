import { tickerOf } from '@kurs/money';
import { labelsOf } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';

/**
 * Returns a function that names a unit. A crypto currency, or a unit with several currencies, is named by its ticker (`USDT`),
 * any other unit by its currency (`PayPal USD`).
 */
export function useUnitName(): (unit: string) => string {
  const { currencies } = useSite();
  return (unit) => {
    const [only, ...others] = currencies.filter((currency) => currency.unit === unit);
    if (!only || others.length > 0 || only.kind === 'crypto') return tickerOf(unit);
    const { title, note } = labelsOf(only);
    return `${title} ${note}`;
  };
}
