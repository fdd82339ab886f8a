import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import type { StorePayment } from '../invoices/invoice-words.ts';
import css from './invoice.module.css';
import type { InvoiceData } from './page.server.ts';

/** Statuses of payments that an invoice can be cancelled beside: they bring it no money. */
const WITHOUT_MONEY: ReadonlySet<StorePayment['status']> = new Set(['unallocated', 'dropped', 'reversed']);

/** Opens the form that cancels an invoice. Absent if the invoice isn't open, has seen a payment, or the role lacks the permission. */
export function Cancel({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const busy = useNavigation().formData?.get('intent') === 'cancel';
  const isUnpaid = invoice.payments.every(({ status }) => WITHOUT_MONEY.has(status));
  if (invoice.state !== 'open' || !isUnpaid || !store.permissions.includes('invoices.manage')) return null;
  return (
    <details className={css['cancel']}>
      <summary>{m.invoices_cancel()}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="cancel" />
        <p className="small soft">{m.invoices_cancel_lead()}</p>
        <Button type="submit" look="danger" size="small" busy={busy && m.account_saving()}>
          {m.invoices_cancel_sure({ number: invoice.number })}
        </Button>
      </Form>
    </details>
  );
}
