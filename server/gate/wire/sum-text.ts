import { format, money } from '@kurs/money';
import type { InvoiceTerms } from '../invoices/invoice.ts';

/** Returns a sum of the invoice's currency as text, with the currency's digits. */
export const sumText = ({ currency, digits }: Pick<InvoiceTerms, 'currency' | 'digits'>, parts: bigint): string =>
  format(money(currency, parts), digits);
