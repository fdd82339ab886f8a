import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Icon } from '../../../../../../ui/base/icon.tsx';
import line from '../../../wallet/move.module.css';
import css from '../invoice/invoice.module.css';
import { useStoreTime } from '../invoices/store-times.ts';
import { REFUND_EVENTS, type RefundEvent } from '../refunds/refund-words.ts';
import type { StoreRefundData } from './page.server.ts';

/** Events that are no step forward. */
const SET_BACKS: ReadonlySet<RefundEvent['event']> = new Set(['returned', 'failed', 'expired', 'cancelled']);

/** Events of a refund, the oldest first. An event about a claim names its amount. */
export function RefundEvents({ data: { refund, store } }: { data: StoreRefundData }): ReactNode {
  const write = useStoreTime(store.timezone);
  const money = useMoneyText();
  const claims = new Map(refund.claims.map((claim) => [claim.id, claim]));
  return (
    <section className={css['events']} aria-labelledby="events-title">
      <h2 className="card-title" id="events-title">
        {m.moves_what_happened()}
      </h2>
      <ol className={line['line']}>
        {refund.events.map(({ version, at, event, claim: id }) => {
          const { icon, word } = REFUND_EVENTS[event];
          const claim = claims.get(id ?? '');
          return (
            <li key={version} className={SET_BACKS.has(event) ? line['stopped'] : line['done']}>
              <span className={line['dot']}>
                <Icon name={icon} size={16} />
              </span>
              <b>{claim ? `${word()}: ${money({ ...claim.receives, currency: claim.method })}` : word()}</b>
              <span className="num">{write(at)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
