// Currencies that a store may choose.

import { fieldProblem } from '@kurs/contract';
import { currencies, takenPurposes } from '../../payments/index.ts';
import { closedReason, latest, now } from '../../rates/index.ts';
import type { Store } from './store.ts';

/** Returns the assets in which invoices can be made now: those with a usable price, by market or by a peg. */
export function invoiceCurrencies(): string[] {
  const snapshot = latest();
  const moment = now();
  return Object.keys(snapshot?.body.assets ?? {})
    .filter((asset) => !closedReason(snapshot, moment, [asset]))
    .toSorted();
}

/** Returns the currencies that a store can be paid in: those of rails that take payments. */
export const settlementCurrencies = (): string[] =>
  currencies()
    .filter(({ rail }) => takenPurposes(rail).length > 0)
    .map(({ code }) => code);

type Chosen = Partial<Pick<Store, 'invoiceCurrency' | 'settlementCurrency'>>;

/** Throws `validation` for an invoice currency without a price, and for a settlement currency that the desk doesn't take. */
export function requireCurrencies({ invoiceCurrency, settlementCurrency }: Chosen): void {
  if (invoiceCurrency !== undefined && !invoiceCurrencies().includes(invoiceCurrency))
    throw fieldProblem('invoice_currency', 'currency_without_price');
  if (settlementCurrency !== undefined && !settlementCurrencies().includes(settlementCurrency))
    throw fieldProblem('settlement_currency', 'currency_unknown');
}
