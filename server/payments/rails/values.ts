import { type Money, assetOf } from '@kurs/money';
import { latest, usdValue } from '../../rates/index.ts';

/** Source of prices and of the values of amounts. Passed as an argument, so that tests and the simulation can replace it. */
export interface Values {
  /** Returns the value in USD cents, rounded up; null while no rate is known. */
  usd(amount: Money): bigint | null;
  /** Returns the USD price of one whole unit, in plain decimals; undefined while no rate is known. */
  price(unit: string): string | undefined;
}

/** Prices and values by the newest rate snapshot in this process. An amount of a unit without a price has no known value. */
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

/** Returns the known prices of units, for a journal. */
export function pricesOf(values: Values, units: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...new Set(units)].flatMap((unit) => {
      const price = values.price(unit);
      return price === undefined ? [] : [[unit, price]];
    }),
  );
}

/** Returns the prices of units that the newest rate snapshot knows, for a journal. */
export const marketPrices = (units: readonly string[]): Record<string, string> => pricesOf(marketValues, units);
