import { tickerOf } from '@kurs/money';
import { labelsOf } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';

/**
 * Returns a function that names a unit: by its currency (`PayPal USD`), or by its ticker if it is a crypto currency or has
 * several networks (`USDT`).
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
