import { type ReactNode, useEffect } from 'react';
import type { AccountField } from '../../../features/account-input.tsx';
import { ProviderLink } from '../../../features/provider-link.tsx';
import { Money, useMoneyText } from '../../../features/money.tsx';
import { storeKey } from '../../../features/order/stored-key.ts';
import { restOf } from '../../../features/rest-of.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Copyable } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { OneTimeCode } from '../../../ui/fields/one-time-code.tsx';
import { writeDeadline, writeTime } from '../../../ui/base/time.ts';
import { type DrawnProps, hasReceipt } from './card-props.ts';
import css from './pay-card.module.css';
import { Receipt } from './receipt.tsx';

type Pay = NonNullable<DrawnProps['data']['order']['pay']>;
type Entry = NonNullable<DrawnProps['data']['order']['entry']>;
type Sum = { amount: string; currency: string };

/** Props of a part by which the customer pays. */
interface Part {
  readonly pay: Pay;
  /** Content at the top of the part, such as the countdown of the rate. */
  readonly hold?: ReactNode;
}

interface VoucherPartProps extends Part {
  /** Minimum amount of the voucher; absent if any amount is accepted. */
  readonly sum?: Sum | undefined;
  readonly entry: Entry | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  readonly isBusy: boolean;
  readonly note: string;
  readonly form: (inner: ReactNode) => ReactNode;
}

/**
 * Cards of an order that is paid at a provider: leaving for the provider's site, entering a voucher, waiting, or a bought
 * voucher. Also the receipt of any order.
 */
export function ProviderCards(props: DrawnProps): ReactNode {
  const { order } = props.data;
  if (order.voucher || hasReceipt(order)) {
    return (
      <>
        {order.voucher && <BoughtVoucherCard {...props} />}
        {hasReceipt(order) && <Receipt order={order} />}
      </>
    );
  }
  if (order.pay_refused) {
    return (
      <div className={css['above']}>
        <Message tone="error" title={m.pay_refused_title()}>
          {m.pay_refused_text()}
        </Message>
      </div>
    );
  }
  if (order.pay?.kind === 'redirect') return <LeaveCard {...props} pay={order.pay} />;
  return order.pay?.kind === 'voucher' ? <VoucherCard {...props} pay={order.pay} /> : <Preparing />;
}

/** Message while we request the payment from the provider. */
export function Preparing(): ReactNode {
  return (
    <section className={cx('card pad', css['quiet'])} aria-live="polite">
      <Icon name="hourglass-medium" size={24} />
      <div>
        <h2 className="card-title">{m.pay_preparing()}</h2>
        <p className="small soft">{m.pay_preparing_text()}</p>
      </div>
    </section>
  );
}

/** Amount to pay, and the provider who accepts it. */
function Facts({ pay, sum }: { pay: Pay; sum: Sum }): ReactNode {
  return (
    <dl className={css['facts']}>
      <div>
        <dt className="tiny mute">{m.pay_amount()}</dt>
        <dd>
          <Money of={sum} look="quiet" />
        </dd>
      </div>
      <div>
        <dt className="tiny mute">{m.pay_through()}</dt>
        <dd>{pay.network}</dd>
      </div>
    </dl>
  );
}

const sumOf = ({ data: { order } }: DrawnProps, pay: Pay): Sum => ({
  amount: pay.amount ?? order.due?.amount ?? order.give.amount,
  currency: pay.currency,
});

/** Card for a payment on a provider's own page. This tab stores the order until the customer returns. */
function LeaveCard(props: DrawnProps & { pay: Pay }): ReactNode {
  const { order, token } = props.data;
  const locale = useLocale();
  // The provider redirects to a URL without the order's token, so this tab stores the token.
  useEffect(() => storeKey({ id: order.id, token, locale }), [order.id, token, locale]);
  const time = writeDeadline(order.expires_at, props.now, locale);
  return (
    <LeavePart pay={props.pay} sum={sumOf(props, props.pay)} hold={props.hold}>
      {m.pay_leave_text({ name: props.pay.network, time })}
    </LeavePart>
  );
}

/** Button that leads to a provider's own page, with an explanation. It is a link, or a POST form if the provider requires one. */
export function LeavePart({ pay, sum, hold, children }: Part & { sum: Sum; children: ReactNode }): ReactNode {
  const text = useMoneyText();
  return (
    <section className={cx('card', css['card'])} aria-label={m.pay_label()}>
      {hold}
      <div className={cx('pad', css['stack'])}>
        <Facts pay={pay} sum={sum} />
        <ProviderLink
          {...{ url: pay.url, method: pay.method, fields: pay.fields }}
          label={m.pay_leave({ amount: text(sum), name: pay.network })}
        >
          {children}
        </ProviderLink>
      </div>
    </section>
  );
}

/** Card for a payment by voucher. Entering the voucher pays. The card shows the result of the last entry. */
function VoucherCard(props: DrawnProps & { pay: Pay }): ReactNode {
  const { data, answer, pay, hold, Form, intent } = props;
  const { order } = data;
  const form = (inner: ReactNode): ReactNode => (
    <Form method="post" noValidate className={css['form']}>
      <input type="hidden" name="seq" value={order.seq} />
      {inner}
    </Form>
  );
  const { values, errors } = answer ?? {};
  const sum = sumOf(props, pay);
  return (
    <VoucherPart
      {...{ pay, sum, hold, form, values, errors }}
      entry={order.entry}
      isBusy={intent === 'redeem'}
      note={m.entry_note()}
    />
  );
}

/** Part with the fields to enter a voucher. `form` puts its argument into the form that submits the voucher. */
export function VoucherPart({ pay, sum, hold, entry, values, errors, isBusy, note, form }: VoucherPartProps): ReactNode {
  const fields = Array.isArray(pay.fields) ? (pay.fields as readonly AccountField[]) : [];
  const taken = entry === 'taken';
  return (
    <section className={cx('card', css['card'])} aria-label={m.pay_label()}>
      {hold}
      <div className={cx('pad', css['stack'])}>
        {sum && <Facts pay={pay} sum={sum} />}
        {entry && (
          <Message tone={taken ? 'info' : 'error'} title={entryTitle(entry)} isLive>
            {taken ? m.entry_taken_text() : m.entry_refused_text()}
          </Message>
        )}
        {form(
          <>
            <div>
              {fields.map((field) => (
                <Field
                  key={field.name}
                  name={`fields.${field.name}`}
                  label={field.label}
                  isMono
                  autoComplete="off"
                  autoCapitalize="characters"
                  inputMode={/\[0-9\]|\\d/.test(field.pattern ?? '') ? 'numeric' : 'text'}
                  maxLength={60}
                  defaultValue={values?.[`fields.${field.name}`] ?? ''}
                  error={errors?.[`fields.${field.name}`]?.[0]}
                />
              ))}
            </div>
            <Button
              type="submit"
              name="intent"
              value="redeem"
              size="large"
              isWide
              look={taken ? 'secondary' : 'primary'}
              busy={isBusy && m.entry_sending()}
            >
              {m.entry_send()}
            </Button>
          </>,
        )}
        <p className="tiny mute">{note}</p>
      </div>
    </section>
  );
}

function entryTitle(entry: Entry): string {
  return {
    taken: m.entry_taken,
    wrong: m.entry_wrong,
    foreign: m.entry_foreign,
    unavailable: m.entry_unavailable,
  }[entry]();
}

/** Card of a bought voucher. The voucher is shown on request; after the first time only with a mailed code. */
function BoughtVoucherCard({ data: { order }, answer, Form, intent }: DrawnProps): ReactNode {
  const locale = useLocale();
  const words = { copy: m.copy(), copied: m.copied() };
  const asksCode = answer?.code?.choice === 'voucher';
  const again = order.voucher === 'seen';
  const rest = answer?.code && restOf(answer, (name) => name === 'otp');
  return (
    <section className={cx('card pad', css['above'], css['stack'])} aria-labelledby="voucher-title">
      <div>
        <h2 className="card-title" id="voucher-title">
          {m.voucher_title()}
        </h2>
        <p className="small soft">{answer?.voucher ? m.voucher_shown() : again ? m.voucher_again() : m.voucher_lead()}</p>
      </div>
      {answer?.voucher && (
        <>
          {Object.entries(answer.voucher.fields).map(([name, value]) => (
            <Copyable key={name} label={voucherLabel(name)} value={value} words={words} look="primary" />
          ))}
          <p className="tiny mute num">{m.voucher_until({ time: writeTime(answer.voucher.until, locale) })}</p>
        </>
      )}
      {!answer?.voucher && (
        <Form method="post" noValidate className={css['form']}>
          {asksCode && (
            <>
              <p className="soft">{m.code_lead_voucher({ email: order.email })}</p>
              <input type="hidden" name="handle" value={answer?.code?.handle ?? ''} />
              {rest !== undefined && <Message tone="error" title={rest} isLive />}
              <OneTimeCode name="otp" label={m.code_label()} error={answer?.errors?.['otp']?.[0]} />
            </>
          )}
          <Button
            type="submit"
            name="intent"
            value={again && !asksCode ? 'voucher_code' : 'voucher'}
            size="large"
            busy={(intent === 'voucher' || intent === 'voucher_code') && m.voucher_showing()}
          >
            {again && !asksCode ? m.voucher_mail() : m.voucher_show()}
          </Button>
        </Form>
      )}
    </section>
  );
}

const voucherLabel = (name: string): string =>
  name === 'number' ? m.voucher_number() : name === 'code' ? m.voucher_code() : name;
