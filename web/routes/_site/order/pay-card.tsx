import type { ReactNode } from 'react';
import { mayBeHandedOn } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { Copyable } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Pill } from '../../../ui/parts/pill.tsx';
import { QrCode } from '../../../ui/parts/qr-code.tsx';
import { writeDeadline, writeRemaining } from '../../../ui/base/time.ts';
import type { OrderData } from './page.server.ts';
import css from './pay-card.module.css';

/** Card with the payment instructions: countdown of the rate, QR code, and amount, network and address to copy. */
export function PayCard({ data, now }: { data: OrderData; now: number }): ReactNode {
  const { order, qr } = data;
  const { pay } = order;
  if (!pay?.address) return null;
  const amount = { amount: pay.amount ?? order.due?.amount ?? order.give.amount, currency: pay.currency };
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <section className={cx('card', css['card'])} aria-label={m.pay_label()}>
      <HoldBar from={order.created_at} until={order.expires_at} now={now} />
      <div className={cx('pad', css['split'])}>
        <div className={css['rows']}>
          {pay.uri && (
            <a className={cx(css['wallet'], 'only-mobile')} href={pay.uri}>
              <Icon name="wallet" />
              {m.pay_open_wallet()}
            </a>
          )}
          <Copyable label={m.pay_amount()} value={amount.amount} words={words}>
            <b className={css['amount']}>
              <Money of={amount} look="quiet" />
            </b>
          </Copyable>
          <div className={css['network']}>
            <div>
              <div className="tiny mute">{m.pay_network()}</div>
              <b>{pay.network}</b>
            </div>
            <Pill tone="error">{m.pay_no_other()}</Pill>
          </div>
          <Copyable label={m.pay_address()} value={pay.address} words={words} look="primary" hint={m.pay_compare()} isStacked />
          {pay.memo && <Copyable label={m.pay_memo()} value={pay.memo} words={words} hint={m.pay_memo_hint()} />}
        </div>
        <div className={css['code']}>
          {qr && <QrCode qr={qr} label={m.pay_qr()} />}
          <p className={cx(css['caption'], 'tiny mute')}>
            {pay.code?.holds === 'address_and_amount' ? m.pay_qr_with_amount() : m.pay_qr_address_only({ network: pay.network })}
          </p>
        </div>
      </div>
      <div className={css['note']}>
        <Message tone="neutral">{m.pay_fee_on_top()}</Message>
        {mayBeHandedOn(pay.currency) && <Message tone="neutral">{m.pay_internal({ currency: pay.currency })}</Message>}
      </div>
    </section>
  );
}

/** Remaining time of the locked rate: its end, a countdown and a bar. In the last fifth of the time the bar shows a warning. */
export function HoldBar({ from, until, now }: { from: string; until: string; now: number }): ReactNode {
  const locale = useLocale();
  const whole = Math.max(1, Date.parse(until) - Date.parse(from));
  const left = Math.max(0, Date.parse(until) - now);
  const share = left / whole;
  const seconds = Math.floor(left / 1000);
  const announced = [300, 60, 0].find((mark) => seconds <= mark && seconds > mark - 5);
  return (
    <div className={cx(css['hold'], share <= 0.07 ? css['last'] : share <= 0.2 ? css['soon'] : undefined)}>
      <div className={css['holdRow']}>
        <span className={css['holdText']}>
          <Icon name="timer" size={24} />
          <span>
            {left === 0
              ? m.hold_over()
              : share <= 0.2
                ? m.hold_soon({ time: writeDeadline(until, now, locale) })
                : m.hold_until({ time: writeDeadline(until, now, locale) })}
          </span>
        </span>
        <b className="num" role="timer" aria-live="off">
          {writeRemaining(left)}
        </b>
        <output className="sr">{announced === undefined ? '' : m.hold_left({ time: writeRemaining(left) })}</output>
      </div>
      <svg className={css['bar']} width="100%" height="4" aria-hidden="true">
        <rect width="100%" height="4" className={css['barRest']} />
        <rect width={`${Math.round(share * 1000) / 10}%`} height="4" className={css['barLeft']} />
      </svg>
    </div>
  );
}
