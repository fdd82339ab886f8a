import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { isZero } from '../../../wallet/worth.ts';
import type { InvoiceState } from '../invoices/invoice-words.ts';
import { useStoreTime } from '../invoices/store-times.ts';
import type { InvoiceData } from './page.server.ts';

const TONES: Readonly<Record<InvoiceState, Parameters<typeof Message>[0]['tone']>> = {
  open: 'neutral',
  confirming: 'info',
  settled: 'success',
  short: 'warning',
  expired: 'neutral',
  cancelled: 'neutral',
  invalid: 'error',
};

/** Says what the state of an invoice means for the shop and for the money. */
export function StateMessage({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const money = useMoneyText();
  const write = useStoreTime(store.timezone);
  const { state, currency, amount, credited, pending, due, payments } = invoice;
  const time = write(invoice.expires_at);
  const sum = (of: string): string => money({ amount: of, currency });
  const hasPart = !isZero(credited) || !isZero(pending);
  if (invoice.mark && state !== 'confirming')
    return (
      <Message
        tone={invoice.mark === 'settled' ? 'success' : 'warning'}
        title={invoice.mark === 'settled' ? m.invoices_says_marked_settled() : m.invoices_says_marked_invalid()}
      >
        {m.invoices_says_marked_text()}
      </Message>
    );
  const says = (): readonly [title: string, text?: string] => {
    switch (state) {
      case 'open':
        if (amount === undefined || due === undefined) return [m.invoices_says_any({ time })];
        return hasPart ? [m.invoices_says_part({ due: sum(due), time })] : [m.invoices_says_open({ time })];
      case 'confirming':
        return [m.invoices_says_confirming(), m.invoices_says_confirming_text()];
      case 'settled':
        return [m.invoices_says_settled()];
      case 'short':
        return [
          m.invoices_says_short({ credited: sum(credited), amount: sum(amount ?? credited) }),
          m.invoices_says_short_text(),
        ];
      case 'expired':
        if (payments.some(({ status }) => status === 'returning' || status === 'given_back'))
          return [m.invoices_says_given_back(), m.invoices_says_ended_text()];
        return [m.invoices_says_expired(), m.invoices_says_ended_text()];
      case 'cancelled':
        return [m.invoices_says_cancelled(), m.invoices_says_ended_text()];
      case 'invalid':
        return [m.invoices_says_invalid(), m.invoices_says_invalid_text()];
    }
  };
  const [title, text] = says();
  return (
    <Message tone={TONES[state]} title={title}>
      {text}
    </Message>
  );
}
