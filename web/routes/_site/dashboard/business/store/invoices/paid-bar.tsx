import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { isZero } from '../../../wallet/worth.ts';
import type { ListedInvoice } from './invoice-words.ts';
import { paidShare } from './paid-share.ts';
import css from './paid-bar.module.css';

/** Sums of an invoice, in lists and on its page. */
type PaidInvoice = Pick<ListedInvoice, 'amount' | 'credited' | 'pending' | 'due' | 'currency'>;

/**
 * Bar of the sums that an invoice has received: the credited part, then the part on the way. Absent while nothing was received, and
 * for an invoice without an amount.
 */
export function PaidBar({ of: invoice }: { of: PaidInvoice }): ReactNode {
  const text = usePaidText()(invoice);
  if (invoice.amount === undefined || text === '') return null;
  const { credited, pending } = paidShare(invoice.amount, invoice.credited, invoice.pending);
  return (
    <svg className={css['bar']} role="img" aria-label={text} width="100%" height="6">
      <title>{text}</title>
      <rect className={css['whole']} width="100%" height="6" rx="3" />
      <rect className={css['pending']} width={`${credited + pending}%`} height="6" rx="3" />
      <rect className={css['credited']} width={`${credited}%`} height="6" rx="3" />
    </svg>
  );
}

/** Returns a function that writes the sums that an invoice has received; an empty text if there are none. */
export function usePaidText(): (invoice: PaidInvoice) => string {
  const money = useMoneyText();
  return ({ credited, pending, currency }) =>
    [
      ...(isZero(credited) ? [] : [m.invoices_bar_credited({ sum: money({ amount: credited, currency }) })]),
      ...(isZero(pending) ? [] : [m.invoices_bar_pending({ sum: money({ amount: pending, currency }) })]),
    ].join(', ');
}
