import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { Status } from '../../../features/order/status.tsx';
import { Money } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { writeTime } from '../../../ui/base/time.ts';
import css from './latest-orders.module.css';

export type LatestOrder = Output<Routes['landing']>['latest_orders'][number];

/** Section with the latest orders, without personal data. In the sandbox it says that they are about play money. */
export function LatestOrders({ orders, isSample }: { orders: readonly LatestOrder[]; isSample: boolean }): ReactNode {
  const locale = useLocale();
  return (
    <section className={css['section']} aria-labelledby="latest-title">
      <div className={css['head']}>
        <h2 className="section-title" id="latest-title">
          {m.latest_title()}
        </h2>
        {isSample && <span className="small mute">{m.latest_sample()}</span>}
      </div>
      <ul className={`card ${css['list']}`}>
        {orders.map((order, index) => (
          <li key={`${order.at} ${index}`}>
            <span className={css['sums']}>
              <Money of={order.from} look="quiet" beside={order.to} />
              <Icon name="arrow-right" size={16} className="mute" />
              <Money of={order.to} look="quiet" beside={order.from} />
            </span>
            <span className="tiny mute num">{writeTime(order.at, locale)}</span>
            <Status status={order.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
