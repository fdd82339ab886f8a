import { type Money, assetOf } from '@kurs/money';
import { latest, usdValue } from '../../rates/index.ts';

/** What amounts are worth: an argument, so that tests and the simulation put their own. */
export interface Values {
  /** Cents of USD, rounded up; null while no rate is known. */
  usd(amount: Money): bigint | null;
  /** USD for one whole unit as plain decimals, or undefined while no rate is known. */
  price(unit: string): string | undefined;
}

/** Values by the newest rate snapshot of this process. A unit without a price is worth an unknown sum. */
export const marketValues: Values = {
  usd(amount) {
    const snapshot = latest();
    if (!snapshot) return null;
    const asset = assetOf(amount.unit);
    if (asset === 'USD') return amount.unit === 'USD' ? amount.parts : usdValue(snapshot, amount, asset).parts;
    return snapshot.body.assets[asset] ? usdValue(snapshot, amount, asset).parts : null;
  },
  price: (unit) => latest()?.body.assets[assetOf(unit)]?.bid,
};

/** Prices of units for a journal: those that are known. */
export function pricesOf(values: Values, units: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...new Set(units)].flatMap((unit) => {
      const price = values.price(unit);
      return price === undefined ? [] : [[unit, price]];
    }),
  );
}

/** Prices of units for a journal by the newest rate snapshot: those that are known. */
export const marketPrices = (units: readonly string[]): Record<string, string> => pricesOf(marketValues, units);
