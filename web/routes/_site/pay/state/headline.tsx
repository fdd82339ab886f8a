import type { ReactNode } from 'react';
import { tickerOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { writeRemaining } from '../../../../ui/base/time.ts';
import css from './headline.module.css';
import {
  type Invoice,
  type PayData,
  type PayOption,
  awaitsPayment,
  isChecked,
  isMarked,
  isPartlyPaid,
  isTimeOver,
} from '../pay-data.ts';
import { usePay } from '../use-pay.ts';
import type { View } from '../view.ts';

/** Headline of the page: what to do now, or the state of the invoice. Beside it, the countdown of the price. */
export function Headline({ view }: { view: View }): ReactNode {
  const { data, now } = usePay();
  const { option, test } = data.invoice;
  const isTimed = view === 'pay' && option?.pays !== undefined && !test;
  return (
    <div className={css['head']} aria-live="polite">
      <h1 className={cx('title', css['title'])}>{titleOf(view, data.invoice, now)}</h1>
      {isTimed && <Countdown until={option.expires_at} now={now} />}
    </div>
  );
}

function titleOf(view: View, invoice: PayData['invoice'], now: number): ReactNode {
  const { option, test, mark } = invoice;
  switch (view) {
    case 'choose':
    case 'refused':
      if (awaitsPayment(invoice)) return m.checkout_late_wait();
      return isPartlyPaid(invoice) ? m.checkout_choose_rest() : m.checkout_choose();
    case 'over':
      return invoice.state === 'short' ? m.checkout_choose_rest() : m.checkout_over();
    case 'preparing':
      return m.pay_preparing();
    case 'pay':
      return test ? m.checkout_test_waits() : option && <PayTitle option={option} />;
    default:
      if (isMarked(invoice)) return mark === 'settled' ? m.checkout_marked_settled() : m.checkout_marked_invalid();
      if (invoice.state === 'confirming' && isChecked(invoice)) return m.checkout_checking();
      return isTimeOver(invoice, now) ? m.checkout_time_over() : STATES[invoice.state]();
  }
}

function PayTitle({ option }: { option: PayOption }): ReactNode {
  const currency = useCurrency(option.currency);
  if (option.amount === undefined) return m.checkout_send_any({ currency: tickerOf(currency) });
  return (
    <>
      {option.kind === 'address' ? m.headline_waiting() : m.headline_pay()}{' '}
      <strong>
        <Money of={{ amount: option.amount, currency: option.currency }} />
      </strong>
    </>
  );
}

const STATES: Readonly<Record<Invoice['state'], () => string>> = {
  open: () => m.checkout_closed(),
  confirming: () => m.checkout_confirming(),
  settled: () => m.checkout_settled(),
  short: () => m.checkout_short(),
  expired: () => m.checkout_expired(),
  cancelled: () => m.checkout_cancelled(),
  invalid: () => m.checkout_invalid(),
};

/** Last part of the time, in ms, in which the countdown is urgent. */
const LAST_MS = 60_000;

/** Remaining time of the price. Screen readers announce it at five minutes, at one minute, and at the end. */
function Countdown({ until, now }: { until: string; now: number }): ReactNode {
  const left = Math.max(0, Date.parse(until) - now);
  const seconds = Math.floor(left / 1000);
  const announced = [300, 60, 0].find((mark) => seconds <= mark && seconds > mark - 5);
  return (
    <span className={cx(css['clock'], left <= LAST_MS && css['last'])}>
      <Icon name="timer" size={18} />
      <b className="num" role="timer" aria-live="off" aria-label={m.checkout_price_time()}>
        {writeRemaining(left)}
      </b>
      <output className="sr">{announced === undefined ? '' : m.hold_left({ time: writeRemaining(left) })}</output>
    </span>
  );
}
