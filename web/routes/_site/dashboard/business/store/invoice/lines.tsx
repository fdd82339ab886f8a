import type { ReactNode } from 'react';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeAmount } from '../../../../../../ui/base/amount.ts';
import { Card } from '../../card.tsx';
import type { Invoice } from '../invoices/invoice-words.ts';
import css from './invoice.module.css';

/** Lines of an invoice, as the buyer sees them. */
export function InvoiceLines({ invoice: { lines, currency } }: { invoice: Invoice }): ReactNode {
  const { locale } = useSite();
  return (
    <Card id="lines" title={m.invoices_lines()}>
      <table className={css['lines']}>
        <thead>
          <tr>
            <th scope="col">{m.invoices_line()}</th>
            <th scope="col">{m.invoices_line_quantity()}</th>
            <th scope="col">{m.invoices_line_price()}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, quantity, unit_price: price }, at) => (
            <tr key={at}>
              <td>{name}</td>
              <td className="num">{writeAmount(quantity, 0, locale)}</td>
              <td>
                <Money of={{ amount: price, currency }} look="quiet" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
