import type { ReactNode } from 'react';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { pageUrl } from '../../../../../pages.ts';
import { isZero } from '../../../wallet/worth.ts';
import { InvoicePill, MarkPill } from './invoice-pills.tsx';
import type { ListedInvoice } from './invoice-words.ts';
import css from './invoices-table.module.css';
import { PaidBar } from './paid-bar.tsx';
import type { InvoicesData } from './page.server.ts';
import { momentIn } from './store-times.ts';

/** Table of a store's invoices. On small screens each invoice takes a few lines. A row links to its invoice. */
export function InvoicesTable({ data }: { data: InvoicesData }): ReactNode {
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{m.invoices_column_invoice()}</th>
          <th scope="col">{m.invoices_column_order()}</th>
          <th scope="col" className={css['right']}>
            {m.invoices_column_amount()}
          </th>
          <th scope="col">{m.invoices_column_state()}</th>
          <th scope="col" className={css['right']}>
            {m.invoices_column_created()}
          </th>
          <th scope="col" className={css['right']}>
            {m.invoices_column_until()}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} data={data} />
        ))}
      </tbody>
    </table>
  );
}

function InvoiceRow({ invoice, data: { store, now } }: { invoice: ListedInvoice; data: InvoicesData }): ReactNode {
  const { locale } = useSite();
  const { id, number, order_id: order, email, state, mark, decision, created_at: created, expires_at: until } = invoice;
  const moment = (time: string): ReactNode => <time dateTime={time}>{momentIn(store.timezone, time, now, locale)}</time>;
  return (
    <tr>
      <td className={css['number']}>
        <a className="num" href={pageUrl(locale, 'storeInvoice', { store: store.id, id })}>
          {number}
        </a>
      </td>
      <td className={cx(css['order'], order === undefined && email === undefined && css['bare'])}>
        {order !== undefined && <span>{order}</span>}
        {email !== undefined && <small>{email}</small>}
        {order === undefined && email === undefined && '–'}
      </td>
      <td className={css['amount']}>
        <Amount of={invoice} />
      </td>
      <td className={css['state']}>
        {mark ? <MarkPill mark={mark} /> : <InvoicePill state={state} />}
        {decision && <small>{m.invoices_waits()}</small>}
      </td>
      <td className={cx(css['time'], 'num')}>{moment(created)}</td>
      <td className={cx(css['time'], css['until'], 'num')}>{moment(until)}</td>
    </tr>
  );
}

/** Amount of an invoice with the bar of received sums. An invoice without an amount shows the credited sum. */
function Amount({ of: invoice }: { of: ListedInvoice }): ReactNode {
  const { amount, credited, currency } = invoice;
  if (amount === undefined)
    return (
      <>
        {!isZero(credited) && <Money of={{ amount: credited, currency }} look="quiet" />}
        <small>{m.invoices_any_amount()}</small>
      </>
    );
  return (
    <>
      <Money of={{ amount, currency }} look="quiet" />
      <PaidBar of={invoice} />
    </>
  );
}
