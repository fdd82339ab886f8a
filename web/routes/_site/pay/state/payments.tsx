import type { ReactNode } from 'react';
import { shortNetwork } from '../../../../features/currency.ts';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { writeTime } from '../../../../ui/base/time.ts';
import { Code, CopyButton } from '../../../../ui/parts/copyable.tsx';
import { Pill, type PillTone } from '../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../pages.ts';
import { type Invoice, type PayPayment, isUnfinished } from '../pay-data.ts';
import css from './payments.module.css';
import { usePay } from '../use-pay.ts';
import { WithNumber } from './with-number.tsx';

/** All payments to the invoice, with what happens to the money of each. */
export function Payments(): ReactNode {
  const { payments } = usePay().data.invoice;
  if (payments.length === 0) return null;
  return (
    <section className={css['payments']} aria-labelledby="payments-title">
      <h2 className="card-title" id="payments-title">
        {m.checkout_payments()}
      </h2>
      <ul>
        {payments.map((payment) => (
          <PaymentRow key={payment.id} of={payment} />
        ))}
      </ul>
    </section>
  );
}

const TONE: Readonly<Record<PayPayment['status'], PillTone>> = {
  seen: 'iris',
  held: 'warning',
  waiting: 'iris',
  credited: 'success',
  unallocated: 'warning',
  returning: 'warning',
  given_back: 'warning',
  dropped: 'neutral',
  reversed: 'error',
};

function PaymentRow({ of: payment }: { of: PayPayment }): ReactNode {
  const locale = useLocale();
  const { name } = useSite();
  const { paid, status, txid, network, at } = payment;
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <li className={css['payment']}>
      <div className={css['row']}>
        <b>
          <Money of={paid} look="quiet" />
        </b>
        <Pill tone={TONE[status]}>{statusWord(payment)}</Pill>
      </div>
      <p className="tiny mute num">
        {network === '' ? m.checkout_wallets({ name }) : shortNetwork(network)} · {writeTime(at, locale)}
      </p>
      {txid !== undefined && (
        <div className={css['txid']}>
          <Code isShort>{txid}</Code>
          <CopyButton value={txid} words={words} name={m.transfer_txid()} look="icon" />
        </div>
      )}
      <PaymentNotes of={payment} />
    </li>
  );
}

/** Sentences about the money of a payment: its credit, and what its payer keeps. */
function PaymentNotes({ of: payment }: { of: PayPayment }): ReactNode {
  const { currency, number, state } = usePay().data.invoice;
  const text = useMoneyText();
  const { status, late, over, given_back: given, credit, order, refused = false } = payment;
  const counts = /[1-9]/.test(credit) ? text({ amount: credit, currency }) : undefined;
  const isOnWay = status === 'seen' || status === 'waiting' || status === 'held';
  const notes = [
    status === 'credited' && counts !== undefined && m.checkout_counted({ sum: counts }),
    isOnWay && !late && isUnfinished({ state }) && counts !== undefined && m.checkout_counts({ sum: counts }),
    isOnWay && (late || state === 'settled') && LATE[state](),
    status === 'held' && m.checkout_held(),
    status === 'waiting' && m.checkout_waits(),
    status === 'dropped' && m.checkout_payment_dropped(),
    status === 'reversed' && m.checkout_payment_reversed(),
    refused && m.checkout_refused(),
    status === 'unallocated' && (order ? m.checkout_unallocated_own() : m.checkout_unallocated({ number })),
    status === 'returning' && m.checkout_returning(),
    given !== undefined && (order ? m.checkout_given_own({ sum: text(given) }) : m.checkout_given({ sum: text(given), number })),
    over !== undefined && status !== 'unallocated' && overWords(order, text(over), number),
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : (
    <p className="small soft">
      <WithNumber>{notes.join(' ')}</WithNumber>
      {order && <OrderLink of={order} />}
    </p>
  );
}

/** Sentence about a payment that is on its way and comes too late, by the state of the invoice. */
const LATE: Readonly<Record<Invoice['state'], () => string>> = {
  open: m.checkout_payment_late,
  confirming: m.checkout_payment_late,
  short: m.checkout_payment_late,
  settled: m.checkout_payment_extra,
  expired: m.checkout_payment_ended,
  cancelled: m.checkout_payment_ended,
  invalid: m.checkout_payment_ended,
};

const overWords = (order: PayPayment['order'], sum: string, number: string): string =>
  order ? m.checkout_over_own({ sum }) : m.checkout_payment_over({ sum, number });

/** Link to the page on which the payer decides about money that the invoice doesn't need. That page is never shown in a frame. */
function OrderLink({ of: order }: { of: NonNullable<PayPayment['order']> }): ReactNode {
  return (
    <>
      {' '}
      <a className="link" href={pageUrl(useLocale(), 'order', { ...order })} target="_blank" rel="noopener">
        {m.checkout_own_open()}
      </a>
    </>
  );
}

function statusWord({ status, refused, confirmations, needed }: PayPayment): string {
  if (refused) return m.checkout_status_refused();
  if (status === 'seen' && needed > 0) return m.checkout_confirmed({ count: Math.min(confirmations, needed), needed });
  return {
    seen: m.transfer_seen,
    held: m.checkout_status_held,
    waiting: m.checkout_status_waiting,
    credited: m.checkout_status_credited,
    unallocated: m.checkout_status_unallocated,
    returning: m.checkout_status_returning,
    given_back: m.checkout_status_given_back,
    dropped: m.transfer_dropped,
    reversed: m.transfer_reversed,
  }[status]();
}
