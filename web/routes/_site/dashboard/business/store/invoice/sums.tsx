import type { ReactNode } from 'react';
import { Money } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../../../../ui/parts/slip.tsx';
import { isZero } from '../../../wallet/worth.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import { PaidBar } from '../invoices/paid-bar.tsx';
import css from './invoice.module.css';

/** Sums of an invoice: amount, paid and due sums, and the store's part after the fee. */
export function InvoiceSums({ invoice }: { invoice: Invoice }): ReactNode {
  const { currency, amount, credited, pending, due, tax, received, fees } = invoice;
  const of = (sum: string): ReactNode => <Money of={{ amount: sum, currency }} />;
  return (
    <Slip label={m.invoices_sums()}>
      <SlipLines>
        <SlipLine label={m.invoices_column_amount()}>{amount === undefined ? m.invoices_any_amount() : of(amount)}</SlipLine>
        {tax !== undefined && <SlipLine label={m.invoices_tax()}>{of(tax)}</SlipLine>}
        <SlipLine label={m.invoices_sum_credited()}>{of(credited)}</SlipLine>
        {!isZero(pending) && <SlipLine label={m.invoices_sum_pending()}>{of(pending)}</SlipLine>}
        {due !== undefined && (
          <SlipLine label={m.invoices_sum_due()} isTotal>
            {of(due)}
          </SlipLine>
        )}
      </SlipLines>
      <div className={css['bar']}>
        <PaidBar of={invoice} />
      </div>
      {received.length + fees.length > 0 && (
        <>
          <SlipCut />
          <SlipLines>
            {received.map((sum) => (
              <SlipLine key={sum.currency} label={m.invoices_received()}>
                <Money of={sum} />
              </SlipLine>
            ))}
            {fees.map((sum) => (
              <SlipLine key={sum.currency} label={m.invoices_fee()}>
                <Money of={sum} />
              </SlipLine>
            ))}
          </SlipLines>
        </>
      )}
    </Slip>
  );
}
