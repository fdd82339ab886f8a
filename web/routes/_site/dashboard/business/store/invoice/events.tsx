import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Icon } from '../../../../../../ui/base/icon.tsx';
import line from '../../../wallet/move.module.css';
import { EVENT_LOOKS, type InvoiceEvent, MARK_WORDS } from '../invoices/invoice-words.ts';
import { useStoreTime } from '../invoices/store-times.ts';
import css from './invoice.module.css';
import type { InvoiceData } from './page.server.ts';

/** Events that are no step forward. */
const SET_BACKS: ReadonlySet<InvoiceEvent['event']> = new Set([
  'payment_dropped',
  'payment_reversed',
  'refused',
  'cancelled',
  'invalid',
]);

/** Events of an invoice, the oldest first. An event about a payment names its amount, or the part that was not needed. */
export function InvoiceEvents({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const write = useStoreTime(store.timezone);
  const money = useMoneyText();
  const payments = new Map(invoice.payments.map((one) => [one.id, one]));
  const sumOf = ({ event, payment: id }: InvoiceEvent): string | undefined => {
    const payment = payments.get(id ?? '');
    const sum = event === 'over' ? payment?.over : payment?.paid;
    return sum && money(sum);
  };
  return (
    <section className={css['events']} aria-labelledby="events-title">
      <h2 className="card-title" id="events-title">
        {m.moves_what_happened()}
      </h2>
      <ol className={line['line']}>
        {invoice.events.map((each) => {
          const { version, at, event, mark } = each;
          const { icon, word: usual } = EVENT_LOOKS[event];
          const word = mark ? MARK_WORDS[mark] : usual;
          const sum = sumOf(each);
          return (
            <li key={`${version} ${event}`} className={SET_BACKS.has(event) ? line['stopped'] : line['done']}>
              <span className={line['dot']}>
                <Icon name={icon} size={16} />
              </span>
              <b>{sum === undefined ? word() : `${word()}: ${sum}`}</b>
              <span className="num">{write(at)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
