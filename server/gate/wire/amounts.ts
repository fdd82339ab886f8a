import { assetOf, format, money } from '@kurs/money';
import { digitsOf } from '../methods/current-price.ts';

/** Returns an amount of a unit in the form of the API, with the digits of its payments at least. */
export const unitMoney = (unit: string, parts: bigint): { amount: string; currency: string } => ({
  amount: format(money(unit, parts), digitsOf(assetOf(unit))),
  currency: unit,
});
