// Paying from a wallet: a balance here is a method, without any cost of receiving.

import type { CurrencyInfo } from '../../payments/index.ts';
import { currencyOf } from '../../payments/index.ts';
import type { InvoiceTerms } from '../invoices/invoice.ts';
import { type OptionPrice, amountFor, leastOf } from '../invoices/option-price.ts';
import { currentPrice } from './current-price.ts';

/** A wallet's unit as a method. `parts`: sum that pays what is due; undefined for a top-up. */
export interface WalletMethod {
  readonly info: CurrencyInfo;
  readonly price: OptionPrice;
  readonly parts: bigint | undefined;
  readonly least: bigint;
}

/** Returns the units of wallets from which an invoice can be paid: those of its methods. */
export const walletUnits = ({ methods }: InvoiceTerms): string[] => [
  ...new Set(methods.flatMap((code) => currencyOf(code)?.unit ?? [])),
];

/** Returns a wallet's unit as a method of an invoice; undefined if no method has that unit, or while there is no price. */
export function walletMethodOf(terms: InvoiceTerms, unit: string, due: bigint | undefined): WalletMethod | undefined {
  for (const code of terms.methods) {
    const info = currencyOf(code);
    const price = info?.unit === unit ? currentPrice(terms, code, true) : undefined;
    const least = price && leastOf(price);
    if (!info || !price || least === undefined) continue;
    const parts = due === undefined ? undefined : amountFor(price, due);
    if (due === undefined || parts !== undefined) return { info, price, parts, least };
  }
  return undefined;
}
