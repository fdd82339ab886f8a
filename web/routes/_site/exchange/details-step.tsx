import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useNavigation, useRevalidator } from 'react-router';
import { AccountInput, type AccountField } from '../../../features/account-input.tsx';
import { type Currency, coinOf, labelsOf, shortNetwork } from '../../../features/currency.ts';
import { ErrorSummary } from '../../../features/refusal/error-summary.tsx';
import { useCurrency } from '../../../features/use-currency.ts';
import { useSavedForm } from '../../../features/stored-form.ts';
import { discountName, feeName } from '../../../features/calculator/fee-name.ts';
import { Money, type Sum } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writePercent, writeRate } from '../../../ui/base/amount.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Checkbox, Field } from '../../../ui/fields/field.tsx';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Chip } from '../../../ui/parts/pill.tsx';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import css from './details-step.module.css';
import type { Calculation, ExchangeAnswer } from './page.server.ts';
import flow from './exchange.module.css';
import { useCalculatorUrl } from './calculator-url.ts';

interface DetailsProps {
  readonly calculation: Calculation;
  readonly receiveFields: readonly AccountField[];
  readonly refundFields: readonly AccountField[];
  readonly isVoucherRefund: boolean;
  readonly couponRefused?: string;
  readonly answer: ExchangeAnswer | undefined;
}

/** Step 2 of an exchange: receiving account, refund account and e-mail address. */
export function DetailsStep({
  calculation,
  receiveFields,
  refundFields,
  isVoucherRefund,
  couponRefused,
  answer,
}: DetailsProps): ReactNode {
  const sending = useNavigation().state === 'submitting';
  const form = useSavedForm();
  useMovingQuote(sending);
  const shownFields = [
    ...sideFields('receive', isWallet(calculation, 'get') ? [] : receiveFields),
    ...sideFields('refund', isWallet(calculation, 'give') ? [] : refundFields),
    ...['email', 'terms_accepted'],
  ];
  return (
    <Main className={cx('wrap', flow['flow'])}>
      <Form method="post" noValidate ref={form}>
        {/* The Enter key presses the first button of a form. This hidden button continues with the coupon. The next button, shown
            after the coupon was refused, continues without the coupon. */}
        <button type="submit" hidden>
          {m.details_continue()}
        </button>
        <input type="hidden" name="intent" value="details" />
        <h1 className="title">{isWallet(calculation, 'get') ? m.details_title_own() : m.details_title()}</h1>
        {!isWallet(calculation, 'get') && <p className={flow['lead']}>{m.details_lead()}</p>}
        {answer?.message && <ErrorSummary answer={answer} fields={shownFields} />}
        <CouponRefused words={answer ? answer.couponRefused : couponRefused} />
        <ReceiveGroup {...{ calculation, answer }} fields={receiveFields} />
        <RefundGroup {...{ calculation, answer }} fields={refundFields} isVoucher={isVoucherRefund} />
        <UpdatesGroup {...{ calculation, answer }} />
        <div className={css['end']}>
          <Button type="submit" size="large" iconAfter="arrow-right" busy={sending && m.details_checking()}>
            {m.details_continue()}
          </Button>
          <span className="small mute not-mobile">{m.details_change_later()}</span>
        </div>
      </Form>
      <ExchangeSlip calculation={calculation} />
    </Main>
  );
}

type GroupProps = Pick<DetailsProps, 'calculation' | 'answer'>;

/** Fields of the account that receives the money; a note if it is the customer's own wallet. */
function ReceiveGroup({ calculation, answer, fields }: GroupProps & { fields: readonly AccountField[] }): ReactNode {
  const currency = useCurrency(calculation.quote.get.currency);
  if (isWallet(calculation, 'get')) return <WalletNote words={m.details_into_wallet()} />;
  return (
    <fieldset className={css['group']}>
      <legend>{receiveTitle(currency, fields)}</legend>
      <p className={css['under']}>{receiveHint(currency, fields)}</p>
      <AccountFields side="receive" {...{ calculation, answer, fields, currency }} />
    </fieldset>
  );
}

/** Fields of the account for a refund, and a checkbox by which the customer wants to be asked before a refund. */
function RefundGroup({
  calculation,
  answer,
  fields,
  isVoucher,
}: GroupProps & { fields: readonly AccountField[]; isVoucher: boolean }): ReactNode {
  const currency = useCurrency(calculation.quote.give.currency);
  if (isWallet(calculation, 'give')) return <WalletNote words={m.details_from_wallet()} />;
  return (
    <fieldset className={css['group']}>
      <legend>{m.details_refund()}</legend>
      <p className={css['under']}>{refundHint(currency, fields, isVoucher)}</p>
      <AccountFields side="refund" {...{ calculation, answer, fields, currency }} />
      <div className={css['ask']}>
        <Checkbox
          name="ask_me"
          data-kept="ask_me"
          defaultChecked={answer?.values ? 'ask_me' in answer.values : calculation.ask_me === true}
        >
          {m.details_ask_me()}
        </Checkbox>
      </div>
    </fieldset>
  );
}

function AccountFields({
  side,
  calculation,
  answer,
  fields,
  currency,
}: GroupProps & { side: 'receive' | 'refund'; fields: readonly AccountField[]; currency: Currency }): ReactNode {
  const errors = answer?.errors ?? {};
  return fields.map((field) => {
    const name = `${side}.${field.name}`;
    return (
      <AccountInput
        key={field.name}
        field={field}
        name={name}
        currency={currency}
        value={valueOf(answer, name, calculation[side]?.fields[field.name])}
        error={errors[name]?.[0] ?? (fields.length === 1 ? errors[side]?.[0] : undefined)}
      />
    );
  });
}

/** E-mail address for news of the order, and the checkbox that accepts the terms. */
function UpdatesGroup({ calculation, answer }: GroupProps): ReactNode {
  const { locale } = useSite();
  return (
    <fieldset className={css['group']}>
      <legend>{m.details_updates()}</legend>
      <p className={css['under']}>{m.details_updates_hint()}</p>
      <Field
        readOnly={calculation.wallet !== undefined}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        label={m.details_email()}
        data-kept="email"
        defaultValue={valueOf(answer, 'email', calculation.email)}
        error={answer?.errors?.['email']?.[0]}
      />
      <Checkbox
        name="terms_accepted"
        data-kept="terms_accepted"
        required
        defaultChecked={answer?.values ? 'terms_accepted' in answer.values : calculation.receive !== undefined}
        error={answer?.errors?.['terms_accepted']?.[0]}
      >
        {m.details_terms_before()}{' '}
        <a className="link" href={pageUrl(locale, 'terms')} target="_blank">
          {m.details_terms()}
        </a>{' '}
        {m.details_terms_and()}{' '}
        <a className="link" href={pageUrl(locale, 'aml')} target="_blank">
          {m.details_aml()}
        </a>
        {m.details_terms_after()}
      </Checkbox>
    </fieldset>
  );
}

/** Returns the initial value of a field: the value just submitted, otherwise the value stored with the calculation. */
const valueOf = (answer: ExchangeAnswer | undefined, name: string, saved: string | undefined): string =>
  answer?.values?.[name] ?? saved ?? '';

const isWallet = ({ wallet }: Calculation, side: 'give' | 'get'): boolean => wallet === side || wallet === 'both';

/** Note that replaces the account fields of a side that uses the customer's own wallet. */
function WalletNote({ words }: { words: string }): ReactNode {
  return (
    <div className={css['group']}>
      <Message tone="neutral">{words}</Message>
    </div>
  );
}

/** Interval at which the slip's quote is renewed, in ms. */
const QUOTE_EVERY_MS = 30_000;

/** Renews the quote while the page is visible, since its rate is not locked yet. */
function useMovingQuote(isSending: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isSending) return;
    const timer = setInterval(() => {
      if (!document.hidden) void revalidate();
    }, QUOTE_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSending, revalidate]);
}

/**
 * Returns the names of the fields of one side. If the side has a single field, that field also shows the errors of the whole
 * side.
 */
const sideFields = (side: 'receive' | 'refund', fields: readonly AccountField[]): string[] => [
  ...fields.map(({ name }) => `${side}.${name}`),
  ...(fields.length === 1 ? [side] : []),
];

/**
 * Message with the reason why the coupon is refused, and a button to continue without the coupon. It takes the focus when it
 * appears.
 */
function CouponRefused({ words }: { words: string | undefined }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (words !== undefined) box.current?.focus();
  }, [words]);
  if (words === undefined) return null;
  return (
    <div className={css['summary']}>
      <Message ref={box} tone="error" title={m.details_coupon_refused()} isLive>
        <p>{words}</p>
        <Button type="submit" name="without_coupon" value="yes" look="secondary" size="small" className={css['without']}>
          {m.details_without_coupon()}
        </Button>
      </Message>
    </div>
  );
}

/** Slip beside the form with the amounts and the price. */
function ExchangeSlip({ calculation }: { calculation: Calculation }): ReactNode {
  const locale = useLocale();
  const { quote } = calculation;
  return (
    <aside aria-label={m.summary_label()}>
      <Slip labelledBy="summary-title">
        <div className={css['summaryHead']}>
          <h2 className="card-title" id="summary-title">
            {m.summary_title()}
          </h2>
          <a className="link small" href={useCalculatorUrl(calculation)}>
            {m.change()}
          </a>
        </div>
        <SummarySum label={m.you_send()} sum={quote.give} />
        <span className={css['between']} />
        <SummarySum label={m.you_receive()} sum={quote.get} />
        <SlipCut />
        <SlipLines>
          {quote.fees.map((fee) => (
            <SlipLine
              key={fee.code}
              label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
            >
              <Money of={fee} />
            </SlipLine>
          ))}
          {quote.discounts?.map((line) => (
            <SlipLine key={line.code} label={discountName(line.code)} isGain>
              <Money of={line} sign="+" />
            </SlipLine>
          ))}
          <SlipLine label={m.slip_rate()}>
            1{'\u00a0'}
            {quote.rate.base} = {writeRate(quote.rate.value, locale)}
            {'\u00a0'}
            {quote.rate.quote}
          </SlipLine>
        </SlipLines>
        <SlipCut />
        <p className={cx(css['moving'], 'small soft')}>
          <Icon name="arrow-clockwise" />
          <span>{m.summary_moving()}</span>
        </p>
      </Slip>
    </aside>
  );
}

export function SummarySum({ label, sum }: { label: string; sum: Sum }): ReactNode {
  const currency = useCurrency(sum.currency);
  return (
    <div className={css['sum']}>
      <Coin {...coinOf(sum.currency)} size={36} />
      <div>
        <div className="tiny mute">{label}</div>
        <div className={css['amount']}>
          <Money of={sum} /> <Chip>{shortNetwork(currency.network)}</Chip>
        </div>
      </div>
    </div>
  );
}

/** Returns the title above the fields of the receiving account. */
function receiveTitle(currency: Currency, requests: readonly AccountField[]): string {
  const name = labelsOf(currency).title;
  if (requests.length === 0) return m.voucher_title();
  return currency.kind === 'crypto' ? m.details_receive({ name }) : m.details_receive_at({ name });
}

/** Returns the hint for the receiving account: a crypto address, an account, or a voucher that the order's page will show. */
function receiveHint({ kind, network }: Currency, requests: readonly AccountField[]): string {
  if (requests.length === 0) return m.details_receive_voucher();
  return kind === 'crypto' ? m.details_receive_hint({ network }) : m.details_receive_account({ network });
}

/**
 * Returns the hint about where a refund goes: to the account entered here, back to the source of the payment, or into a new
 * voucher.
 */
function refundHint(currency: Currency, requests: readonly AccountField[], isVoucher: boolean): string {
  const name = labelsOf(currency).title;
  if (requests.length > 0) return m.details_refund_hint({ name });
  return isVoucher ? m.details_refund_voucher() : m.details_refund_source({ name });
}
