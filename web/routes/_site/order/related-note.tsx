import type { ReactNode } from 'react';
import type { Order } from '../../../features/order/order.ts';
import { useMoneyText } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { pageUrl } from '../../pages.ts';
import css from './order.module.css';

/**
 * Note with a link. On an order's page it leads to a further payment that is unallocated; on the page of such a payment, to the
 * order that used it.
 */
export function RelatedNote({ order }: { order: Order }): ReactNode {
  const { locale } = useSite();
  const { kind, related, applied_to: applied } = order;
  const isExtra = applied === undefined;
  const shown = related.filter((one) => (isExtra ? kind === 'order' && one.kind === 'unallocated' : one.id === applied));
  const text = useMoneyText();
  // A further payment is called the rest only after the order was exchanged.
  const isRest = order.status === 'paying' || order.status === 'done';
  const left = isRest ? shown.filter(({ give }) => give.currency === order.give.currency) : [];
  const extra =
    left.length === 0 ? m.order_other_payment() : m.related_left({ amount: left.map(({ give }) => text(give)).join(' + ') });
  if (shown.length === 0) return null;
  return (
    <div className={css['block']}>
      <Message tone={isExtra ? 'info' : 'success'} title={isExtra ? extra : m.related_applied()}>
        {isExtra && m.related_extra()}{' '}
        {shown.map((one) => (
          <a key={one.id} className={`link ${css['related']}`} href={pageUrl(locale, 'order', { id: one.id, token: one.token })}>
            {one.kind === 'unallocated' ? m.order_unallocated({ id: one.id }) : m.order_number({ id: one.id })}
          </a>
        ))}
      </Message>
    </div>
  );
}
