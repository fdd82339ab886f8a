import { tickerOf } from '@kurs/money';
import { labelsOf } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';

/** What a unit is called: by its currency (`PayPal USD`), or by itself where several networks carry it (`USDT`). */
export function useUnitName(): (unit: string) => string {
  const { currencies } = useSite();
  return (unit) => {
    const [only, ...others] = currencies.filter((currency) => currency.unit === unit);
    if (!only || others.length > 0 || only.kind === 'crypto') return tickerOf(unit);
    const { title, note } = labelsOf(only);
    return `${title} ${note}`;
  };
}
