import type { ReactNode } from 'react';
import { coinOf } from '../../../../../../features/currency.ts';
import { Money } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Coin } from '../../../../../../ui/base/icon.tsx';
import { Code, CopyButton } from '../../../../../../ui/parts/copyable.tsx';
import { Chip } from '../../../../../../ui/parts/pill.tsx';
import { Card } from '../../card.tsx';
import { isZero } from '../../../wallet/worth.ts';
import { PaymentPill } from '../invoices/invoice-pills.tsx';
import { PAYMENT_NOTES, type StorePayment } from '../invoices/invoice-words.ts';
import { useStoreTime } from '../invoices/store-times.ts';
import css from './invoice.module.css';
import type { InvoiceData } from './page.server.ts';

/** Payments to an invoice, each with its credit, costs, confirmations and the store's part. */
export function Payments({ data }: { data: InvoiceData }): ReactNode {
  const { payments } = data.invoice;
  return (
    <Card id="payments" title={m.invoices_payments()}>
      {payments.length === 0 ? (
        <p className={`soft ${css['empty']}`}>{m.invoices_payments_none()}</p>
      ) : (
        <ul className={css['payments']}>
          {payments.map((payment) => (
            <Payment key={payment.id} payment={payment} data={data} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Payment({ payment, data }: { payment: StorePayment; data: InvoiceData }): ReactNode {
  const { invoice, store } = data;
  const write = useStoreTime(store.timezone);
  const { currency, network, paid, credit, status, late, over, given_back: given, in_kind: isInKind, txid } = payment;
  const note = payment.refused ? m.invoices_note_refused() : PAYMENT_NOTES[status]?.();
  return (
    <li data-status={status}>
      <div className={css['paid']}>
        <Coin {...coinOf(currency)} size={32} />
        <div>
          <b>
            <Money of={paid} />
          </b>
          <span className="tiny mute">{network === '' ? m.invoices_pay_wallet() : network}</span>
        </div>
        <span className={css['pills']}>
          {late && <Chip>{m.invoices_pay_late()}</Chip>}
          {isInKind && <Chip>{m.invoices_pay_in_kind()}</Chip>}
          <PaymentPill status={status} />
        </span>
      </div>
      {note !== undefined && <p className="small soft">{note}</p>}
      {late && status === 'credited' && <p className="small soft">{m.invoices_note_late()}</p>}
      {over && (
        <p className="small soft">
          {m.invoices_note_over()} <Money of={over} />
        </p>
      )}
      {given && (
        <p className="small soft">
          {m.invoices_note_given_back()} <Money of={given} />
        </p>
      )}
      <dl className={css['facts']}>
        {!isZero(credit) && (
          <Fact name={m.invoices_pay_credit()}>
            <Money of={{ amount: credit, currency: invoice.currency }} />
          </Fact>
        )}
        {payment.costs && (
          <Fact name={m.store_costs()}>
            <Money of={payment.costs} />
          </Fact>
        )}
        {payment.settled && (
          <Fact name={m.invoices_pay_settled()}>
            <Money of={payment.settled} />
          </Fact>
        )}
        {payment.in_reserve && <Reserved of={payment.in_reserve} data={data} />}
        {payment.needed > 0 && (
          <Fact name={m.invoices_pay_confirmations()}>
            {m.invoices_pay_confirmed({ count: String(payment.confirmations), needed: String(payment.needed) })}
          </Fact>
        )}
        <Fact name={m.invoices_pay_at()}>{write(payment.at)}</Fact>
        {txid !== undefined && <TransactionId>{txid}</TransactionId>}
      </dl>
    </li>
  );
}

/** Fact with the id of a payment's transaction: short on screens, whole on paper. */
function TransactionId({ children: txid }: { children: string }): ReactNode {
  return (
    <Fact name={m.moves_txid()} isWide>
      <span className={css['txid']}>
        <span className={css['short']}>
          <Code isShort>{txid}</Code>
        </span>
        <code className={css['paper']}>{txid}</code>
        <CopyButton value={txid} name={m.moves_txid()} words={{ copy: m.copy(), copied: m.copied() }} />
      </span>
    </Fact>
  );
}

/** Parts of a payment in the store's reserve, each with the time from which it may leave. */
function Reserved({
  of: sums,
  data: { store, now },
}: {
  of: NonNullable<StorePayment['in_reserve']>;
  data: InvoiceData;
}): ReactNode {
  const write = useStoreTime(store.timezone);
  return (
    <Fact name={m.invoices_pay_reserve()} isWide>
      {sums.map(({ until, sum }) => (
        <span key={until} className={css['reserved']}>
          <Money of={sum} />{' '}
          <small>{until > now ? m.invoices_pay_reserve_until({ time: write(until) }) : m.invoices_pay_reserve_due()}</small>
        </span>
      ))}
    </Fact>
  );
}

/** A fact with its name, for lists of facts. A wide one has a row of its own. */
export function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={cx(isWide && css['whole'])}>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
