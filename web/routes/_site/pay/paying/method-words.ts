import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../features/words.ts';

/** Method by which an invoice can be paid. */
type PayMethod = Output<Routes['paymentInvoice']>['methods'][number];

/** Ties the numbers of a range (`12–64`), which could break after the dash. U+2060 is a word joiner. */
const tied = (range: string): string => range.replace('–', '\u2060–\u2060');

/** Returns the usual time until a payment is final; without enough payments, the confirmations that it needs. */
export function methodTime({ minutes, confirmations }: Pick<PayMethod, 'minutes' | 'confirmations'>): string {
  if (minutes !== undefined && minutes > 0) return m.checkout_minutes({ minutes });
  return confirmations === '' || minutes !== undefined ? m.checkout_at_once() : m.checkout_needs({ count: tied(confirmations) });
}

/** Reasons for which a method is closed, in words. */
export const CLOSED_METHOD: Readonly<Record<NonNullable<PayMethod['closed']>, () => string>> = {
  off: () => m.checkout_closed_off(),
  rates: () => m.checkout_closed_rates(),
  costs: () => m.checkout_closed_costs(),
  too_small: () => m.checkout_closed_small(),
  addresses: () => m.checkout_closed_addresses(),
  invoice_limit: () => m.checkout_closed_invoice(),
  receipts_limit: () => m.checkout_closed_receipts(),
};
