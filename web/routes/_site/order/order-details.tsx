import type { ReactNode } from 'react';
import { shortNetwork } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import type { Order, Transfer } from '../../../features/order/order.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Code, CopyButton } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Pill, type PillTone } from '../../../ui/parts/pill.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import type { OrderData } from './page.server.ts';
import css from './order-details.module.css';

const TRANSFER_TONE: Record<Transfer['status'], PillTone> = {
  seen: 'iris',
  confirming: 'iris',
  final: 'success',
  dropped: 'neutral',
  reversed: 'error',
  queued: 'brand',
  sending: 'brand',
  sent: 'brand',
  done: 'success',
  failed: 'error',
};

/** Card with all payments from the customer to us and from us to the customer. */
export function Transfers({ order }: { order: Order }): ReactNode {
  if (order.transfers.length === 0) return null;
  return (
    <section className={cx('card', css['card'])} aria-labelledby="transfers-title">
      <h2 className={cx('card-title', css['head'])} id="transfers-title">
        {m.transfers_title()}
      </h2>
      <ul>
        {order.transfers.map((transfer) => (
          <TransferRow key={`${transfer.kind} ${transfer.txid ?? transfer.at}`} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}

function TransferRow({ transfer }: { transfer: Transfer }): ReactNode {
  const locale = useLocale();
  const { kind, money, status, txid, confirmations, needed, at, late } = transfer;
  const words = { copy: m.copy(), copied: m.copied() };
  const counted = status === 'confirming' && confirmations !== undefined && needed !== undefined;
  return (
    <li className={css['transfer']}>
      <div>
        <b>{{ payment: m.transfer_payment, payout: m.transfer_payout, refund: m.transfer_refund }[kind]()}</b>
        <div className="tiny mute num">
          {writeTime(at, locale)}
          {late && ` · ${m.transfer_late()}`}
        </div>
        {txid && (
          <div className={css['txid']}>
            <Code isShort>{txid}</Code>
            <CopyButton value={txid} words={words} name={m.transfer_txid()} />
          </div>
        )}
      </div>
      <div className={css['figures']}>
        <span className={kind === 'payment' ? undefined : css['incoming']}>
          <Money of={money} {...(kind === 'payment' ? {} : { sign: '+' })} look="quiet" />
        </span>
        <Pill tone={TRANSFER_TONE[status]}>
          {counted ? m.transfer_counted({ count: Math.min(confirmations, needed), needed }) : transferWord(status)}
        </Pill>
      </div>
    </li>
  );
}

function transferWord(status: Transfer['status']): string {
  return {
    seen: m.transfer_seen,
    confirming: m.transfer_confirming,
    final: m.transfer_final,
    dropped: m.transfer_dropped,
    reversed: m.transfer_reversed,
    queued: m.transfer_queued,
    sending: m.transfer_sending,
    sent: m.transfer_sent,
    done: m.transfer_done,
    failed: m.transfer_failed,
  }[status]();
}

/** Returns a row with the promised time of the payout; none if the order has no promised time, or will not pay out. */
function promisedRow({ status, promised_minutes: minutes }: Order): [string, ReactNode][] {
  if (minutes === undefined || NO_PAYOUT.has(status)) return [];
  return [[status === 'done' ? m.promised_was() : m.promised(), m.promised_text({ minutes })]];
}
const NO_PAYOUT: ReadonlySet<Order['status']> = new Set(['expired', 'cancelled', 'rejected', 'refunding', 'refunded']);

/** Card with the order's accounts and contact, other payments to the same receiving address, and the order's history. */
export function OrderDetails({ data }: { data: OrderData }): ReactNode {
  const { order, history } = data;
  const { locale } = useSite();
  const rows: [string, ReactNode][] = [
    ...Object.values(order.receive?.fields ?? {}).map((value): [string, ReactNode] => [
      m.review_receive({ network: shortNetwork(order.receive?.network ?? '') }),
      <Code key="code">{value}</Code>,
    ]),
    ...Object.values(order.refund?.fields ?? {}).map((value): [string, ReactNode] => [
      m.review_refund(),
      <Code key="code">{value}</Code>,
    ]),
    ...(order.email === '' ? [] : [[m.review_updates(), order.email] satisfies [string, ReactNode]]),
    ...promisedRow(order),
  ];
  return (
    <section className={cx('card', css['card'])} aria-labelledby="details-title">
      <h2 className={cx('card-title', css['head'])} id="details-title">
        {m.order_details()}
      </h2>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label} className={css['row']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {order.related.map(({ id, token, kind }) => (
          <div key={id} className={css['row']}>
            <dt>{kind === 'unallocated' ? m.order_other_payment() : m.order_other()}</dt>
            <dd>
              <a className="link" href={pageUrl(locale, 'order', { id, token })}>
                {id}
              </a>
            </dd>
          </div>
        ))}
      </dl>
      {history.length > 0 && (
        <details className={css['history']}>
          <summary>
            {m.order_history()}
            <Icon name="caret-down" size={16} />
          </summary>
          <ol>
            {history.map(({ seq, at, words }) => (
              <li key={seq}>
                <span className="tiny mute num">{writeTime(at, locale)}</span>
                <span>{words}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
