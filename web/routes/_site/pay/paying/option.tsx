import type { ReactNode } from 'react';
import { coinOf, mayBeHandedOn, shortNetwork } from '../../../../features/currency.ts';
import { useFramed } from '../../../../features/account/framed.ts';
import { ProviderLink } from '../../../../features/provider-link.tsx';
import { Money } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { writeDeadline } from '../../../../ui/base/time.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { Button, ButtonLink } from '../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { QrCode } from '../../../../ui/parts/qr-code.tsx';
import css from './option.module.css';
import { PartLink } from '../part-link.tsx';
import { type PayOption, partUrl } from '../pay-data.ts';
import { SandboxPay } from './sandbox-pay.tsx';
import { usePay } from '../use-pay.ts';
import type { View } from '../view.ts';

/** Chosen method: where and how much to pay, or why that is not possible now. */
export function OptionPart({ view }: { view: View }): ReactNode {
  const { invoice } = usePay().data;
  const { option, test } = invoice;
  if (!option || view === 'refused') return null;
  return (
    <>
      <ChosenMethod option={option} />
      {view === 'preparing' && <Message tone="info">{m.pay_preparing_text()}</Message>}
      {view === 'over' && <PriceOver option={option} />}
      {view === 'pay' && !test && (option.kind === 'address' ? <Address option={option} /> : <Leave option={option} />)}
    </>
  );
}

/** Row with the chosen method, and a link to choose another one. */
function ChosenMethod({ option: { method, network } }: { option: PayOption }): ReactNode {
  const { methods } = usePay().data.invoice;
  const name = methods.find((one) => one.method === method)?.name ?? shortNetwork(network);
  const note = shortNetwork(network);
  return (
    <div className={css['chosen']}>
      <Coin {...coinOf(method)} size={32} />
      <span className={css['what']}>
        <b>{name}</b>
        {note !== name && <span className="tiny mute">{note}</span>}
      </span>
      <span className="small">
        <PartLink part="change">{m.checkout_other()}</PartLink>
      </span>
    </div>
  );
}

/** Address on a chain with its amount, as text to copy, as a QR code and as a link for wallets. */
function Address({ option }: { option: PayOption }): ReactNode {
  const { qr, isSandbox } = usePay().data;
  const { address, amount, memo, code, uri, currency, network } = option;
  if (address === undefined) return null;
  const words = { copy: m.copy(), copied: m.copied() };
  const short = shortNetwork(network);
  return (
    <>
      <div className={css['split']}>
        <div className={css['rows']}>
          {amount !== undefined && (
            <Copyable label={m.pay_amount()} value={amount} words={words} look="icon">
              <b className={css['amount']}>
                <Money of={{ amount, currency }} look="quiet" />
              </b>
            </Copyable>
          )}
          <Copyable label={m.checkout_address({ network: short })} value={address} words={words} look="icon" />
          {memo !== undefined && (
            <Copyable label={m.pay_memo()} value={memo} words={words} look="icon" hint={m.pay_memo_hint()} />
          )}
          <p className={css['only']}>
            <Icon name="warning-fill" size={16} />
            {m.checkout_only({ network: short })}
          </p>
        </div>
        <div className={css['code']}>
          {qr && <QrCode qr={qr} label={m.pay_qr()} className={css['qr']} />}
          {qr && (
            <p className="tiny mute">{code?.holds === 'address_and_amount' ? m.pay_qr_with_amount() : m.checkout_qr_address()}</p>
          )}
        </div>
      </div>
      {uri !== undefined && (
        <ButtonLink size="large" isWide icon="wallet" href={uri}>
          {m.pay_open_wallet()}
        </ButtonLink>
      )}
      {isSandbox && <SandboxPay option={option} />}
      <PriceNote option={option} />
      {mayBeHandedOn(currency) && <Message tone="neutral">{m.pay_internal({ currency })}</Message>}
    </>
  );
}

/** Note about the end of the price, and about a payment that is too small. */
function PriceNote({ option: { pays, expires_at: until } }: { option: PayOption }): ReactNode {
  const { now, data } = usePay();
  const locale = useLocale();
  if (pays === undefined || data.invoice.amount === undefined) return <Message tone="neutral">{m.checkout_rate_later()}</Message>;
  return (
    <Message tone="neutral">
      {m.checkout_price_until({ time: writeDeadline(until, now, locale) })} {m.checkout_partly()}
    </Message>
  );
}

/**
 * Button that leads to a payment system's own page: a link, or a POST form if the system requires one. Payment systems refuse to
 * be shown in a frame, so the button leaves the shop's frame.
 */
function Leave({ option }: { option: PayOption }): ReactNode {
  const { now, data } = usePay();
  const locale = useLocale();
  const isTopUp = data.invoice.amount === undefined;
  const target = useFramed() ? '_blank' : '_top';
  return (
    <ProviderLink
      {...{ url: option.url, method: option.url_method, fields: option.fields, target }}
      label={m.checkout_leave({ name: option.network })}
    >
      {m.checkout_leave_text({ name: option.network, time: writeDeadline(option.expires_at, now, locale) })}{' '}
      {isTopUp ? m.checkout_rate_later() : m.checkout_partly()}
    </ProviderLink>
  );
}

/** Note about a price that has ended, with a button for a new one. A payment that was sent already isn't lost. */
function PriceOver({ option: { method, kind } }: { option: PayOption }): ReactNode {
  const { data, submit, sent } = usePay();
  return (
    <>
      <Message tone="warning" isLive>
        {kind === 'address' ? m.checkout_over_address() : m.checkout_over_redirect()}
      </Message>
      <form method="post" action={partUrl(data, 'change')} onSubmit={submit} className={css['form']}>
        <input type="hidden" name="intent" value="method" />
        <input type="hidden" name="method" value={method} />
        <Button type="submit" size="large" isWide icon="arrow-clockwise" busy={sent && m.checkout_choosing()}>
          {m.checkout_new_price()}
        </Button>
      </form>
    </>
  );
}
