// Paying from a wallet: a balance here is a method, without any cost of receiving.

import type { CurrencyInfo } from '../../payments/index.ts';
import { currencyOf } from '../../payments/index.ts';
import type { InvoiceTerms } from '../invoices/invoice.ts';
import { type OptionPrice, amountFor, leastOf } from '../invoices/option-price.ts';
import { currentPrice } from './current-price.ts';
import { isOpen } from './methods.ts';

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

/**
 * Returns a wallet's unit as a method of an invoice: `off` if no method of that unit is switched on, `rates` while there is no
 * price. Money in a wallet is of its rail, so what closes the rail's method closes the wallet, too.
 */
export function walletMethodOf(terms: InvoiceTerms, unit: string, due: bigint | undefined): WalletMethod | 'off' | 'rates' {
  const infos = terms.methods.flatMap((code) => currencyOf(code) ?? []);
  const open = infos.filter((info) => info.unit === unit && isOpen(terms, info));
  for (const info of open) {
    const price = currentPrice(terms, info.code, true);
    const least = price && leastOf(price);
    if (!price || least === undefined) continue;
    const parts = due === undefined ? undefined : amountFor(price, due);
    if (due === undefined || parts !== undefined) return { info, price, parts, least };
  }
  return open.length === 0 ? 'off' : 'rates';
}
