// Amounts of invoices in the form of the API.

import { assetOf, format, money } from '@kurs/money';
import type { InvoiceTerms } from '../invoices/invoice.ts';
import { digitsOf } from '../methods/current-price.ts';

/** Returns a sum of the invoice's currency as text. */
export const sumText = ({ currency, digits }: Pick<InvoiceTerms, 'currency' | 'digits'>, parts: bigint): string =>
  format(money(currency, parts), digits);

/** Returns an amount of a unit in the form of the API, with the digits of its payments at least. */
export const unitMoney = (unit: string, parts: bigint): { amount: string; currency: string } => ({
  amount: format(money(unit, parts), digitsOf(assetOf(unit))),
  currency: unit,
});
