import type { ReactNode } from 'react';
import { coinOf, findCurrency, shortNameOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { isOver } from '../../../../features/order/order.ts';
import { Status, statusOf } from '../../../../features/order/status.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Coin } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import { writeMoment } from './write-moment.ts';
import type { OwnOrder } from './page.server.ts';
import css from './orders-table.module.css';

/** True if the order has paid its customer the exchanged amount, or may still do so. */
const brings = (order: OwnOrder): boolean => !isOver(order) || order.status === 'done';

/** Table of orders. On small screens each order takes two lines. A row links to its order. */
export function OrdersTable({ orders, now }: { orders: readonly OwnOrder[]; now: string }): ReactNode {
  const { locale } = useSite();
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{m.orders_column_order()}</th>
          <th scope="col">{m.orders_column_direction()}</th>
          <th scope="col" className={css['right']}>
            {m.orders_column_sent()}
          </th>
          <th scope="col" className={css['right']}>
            {m.orders_column_received()}
          </th>
          <th scope="col">{m.orders_column_status()}</th>
          <th scope="col" className={css['right']}>
            {m.orders_column_created()}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <td className={css['number']}>
              <a className="num" href={pageUrl(locale, 'ownOrder', { id: order.id })}>
                {order.id}
              </a>
            </td>
            <td className={css['pair']}>
              <Pair order={order} />
            </td>
            <td className={css['give']}>
              <Money of={order.give} look="quiet" />
            </td>
            <td className={css['get']}>{order.get && brings(order) ? <Money of={order.get} look="quiet" /> : '–'}</td>
            <td className={css['status']}>
              <Status status={statusOf(order)} />
            </td>
            <td className={`${css['created']} num`}>{writeMoment(order.created_at, now, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Coin icons and names of an order's two currencies. */
export function Pair({ order }: { order: Pick<OwnOrder, 'give' | 'get' | 'kind'> }): ReactNode {
  const { currencies } = useSite();
  const codes = [order.give.currency, ...(order.get ? [order.get.currency] : [])];
  return (
    <span className={css['sides']}>
      <span className={css['coins']}>
        {codes.map((code) => (
          <Coin key={code} {...coinOf(code)} size={24} />
        ))}
      </span>
      <span>{codes.map((code) => shortNameOf(findCurrency(currencies, code), currencies)).join(' → ')}</span>
    </span>
  );
}
