import { type ReactNode, useEffect, useState } from 'react';
import { type AccountField, AccountInput } from '../../../../features/account-input.tsx';
import { discountName, feeName } from '../../../../features/calculator/fee-name.ts';
import { useCurrency } from '../../../../features/use-currency.ts';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import type { Choice, Order } from '../../../../features/order/order.ts';
import { restOf } from '../../../../features/rest-of.ts';
import { m } from '../../../../features/words.ts';
import { writePercent, writeRate } from '../../../../ui/base/amount.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { useHydrated } from '../../../../ui/base/clock.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Dialog } from '../../../../ui/parts/dialog.tsx';
import { OneTimeCode } from '../../../../ui/fields/one-time-code.tsx';
import { useLocale } from '../../../../ui/base/locale.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { writeRemaining } from '../../../../ui/base/time.ts';
import { DirectionFields } from './direction-fields.tsx';
import { EmailForm } from './email-form.tsx';
import css from './choices.module.css';
import type { DrawnChoicesProps } from '../card-props.ts';
import type { OrderAnswer } from '../page.server.ts';

/** Form for an address that is missing, and cards of the choices that the customer has, each with its consequences. */
export function Choices({ data, answer, now, Form, sending, revalidate }: DrawnChoicesProps): ReactNode {
  const { order, fields } = data;
  useFreshOffers(order, now, revalidate);
  return (
    <>
      {order.needs_email && <EmailForm answer={answer} Form={Form} isBusy={sending === 'email'} />}
      {order.choices.map((choice, index) => (
        <ChoiceCard
          key={choice.choice}
          choice={choice}
          isPrimary={index === 0}
          fields={fields}
          email={order.email}
          answer={answer}
          now={now}
          Form={Form}
          isBusy={sending === choice.choice}
        />
      ))}
    </>
  );
}

/** Loads the order again when the offer of a choice has expired. The server then makes a new offer. */
function useFreshOffers({ choices }: Order, now: number, revalidate: () => Promise<void>): void {
  const isOver = choices.some(({ expires_at: until }) => until !== undefined && Date.parse(until) <= now);
  useEffect(() => {
    if (isOver) void revalidate();
  }, [isOver, revalidate]);
}

interface CardProps {
  readonly choice: Choice;
  readonly isPrimary: boolean;
  readonly fields: DrawnChoicesProps['data']['fields'];
  readonly email: string;
  readonly answer: OrderAnswer | undefined;
  readonly now: number;
  readonly Form: DrawnChoicesProps['Form'];
  readonly isBusy: boolean;
}

function ChoiceCard({ choice, isPrimary, fields, email, answer, now, Form, isBusy }: CardProps): ReactNode {
  const text = useMoneyText();
  const left = choice.expires_at === undefined ? undefined : Date.parse(choice.expires_at) - now;
  const coded = answer?.code?.choice === choice.choice;
  const own = answer?.values?.['choice'] === choice.choice ? answer : undefined;
  const button = (
    <Button
      type="submit"
      name="intent"
      value={choice.needs_code ? 'code' : 'choose'}
      look={isPrimary ? 'primary' : 'secondary'}
      isWide
      busy={isBusy && m.choice_sending()}
    >
      {choiceButton(choice, text)}
    </Button>
  );
  return (
    <div className={cx('card', css['card'])}>
      <h2 className="card-title">{choiceTitle(choice)}</h2>
      {choice.money && (
        <p className={css['sum']}>
          <Money of={choice.money} look="large" />
        </p>
      )}
      <p className="small soft">{choiceText(choice)}</p>
      <ChoicePrice choice={choice} />
      {left !== undefined && (
        <p className="tiny mute num" role="timer">
          {left > 0 ? m.choice_offer({ time: writeRemaining(left) }) : m.choice_offer_over()}
        </p>
      )}
      <Form method="post" className={css['form']} noValidate>
        {choice.currencies ? (
          <DirectionFields choice={choice} fields={fields} answer={own}>
            {button}
          </DirectionFields>
        ) : (
          <>
            <ChoiceFields choice={choice} fields={fields[choice.account?.currency ?? ''] ?? []} answer={own} />
            {button}
          </>
        )}
      </Form>
      {coded && <CodeStep choice={choice} email={email} answer={answer} isBusy={isBusy} Form={Form} />}
    </div>
  );
}

/** The figures by which a choice's amount is computed: price, rate, fees and discounts. */
function ChoicePrice({ choice }: { choice: Choice }): ReactNode {
  const text = useMoneyText();
  const locale = useLocale();
  return (
    <>
      {choice.give && (
        <p className="tiny mute num">
          {m.price_of()}: {text(choice.give)}
        </p>
      )}
      {choice.rate && (
        <p className="tiny mute num">
          {m.slip_rate()}: 1{'\u00a0'}
          {choice.rate.base} = {writeRate(choice.rate.value, locale)}
          {'\u00a0'}
          {choice.rate.quote}
        </p>
      )}
      {choice.fees?.map((fee) => (
        <p key={fee.code} className="tiny mute num">
          {feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}: {text(fee)}
        </p>
      ))}
      {choice.discounts?.map((line) => (
        <p key={line.code} className="tiny mute num">
          {discountName(line.code)}: +{text(line)}
        </p>
      ))}
    </>
  );
}

function ChoiceFields({
  choice,
  fields,
  answer,
}: {
  choice: Choice;
  fields: readonly AccountField[];
  answer: OrderAnswer | undefined;
}): ReactNode {
  const currency = useCurrency(choice.account?.currency ?? '');
  return (
    <>
      <input type="hidden" name="choice" value={choice.choice} />
      {choice.offer !== undefined && <input type="hidden" name="offer" value={choice.offer} />}
      {fields.map((field) => (
        <AccountInput
          key={field.name}
          field={field}
          name={`account.${field.name}`}
          currency={currency}
          value={answer?.values?.[`account.${field.name}`] ?? ''}
          error={
            answer?.errors?.[`account.${field.name}`]?.[0] ?? (fields.length === 1 ? answer?.errors?.['account']?.[0] : undefined)
          }
        />
      ))}
    </>
  );
}

/** Form for the mailed code that confirms a choice about money. It is a dialog; without JavaScript, it is part of the page. */
function CodeStep({
  choice,
  email,
  answer,
  isBusy,
  Form,
}: {
  choice: Choice;
  email: string;
  answer: OrderAnswer;
  isBusy: boolean;
  Form: DrawnChoicesProps['Form'];
}): ReactNode {
  const [closed, setClosed] = useState<OrderAnswer>();
  const hydrated = useHydrated();
  const text = useMoneyText();
  const stored = Object.entries(answer.values ?? {}).filter(([name]) => name === 'to' || name.startsWith('account.'));
  const rest = restOf(answer, (name) => name === 'otp' || (name === 'two_factor_code' && answer.code?.isSecond === true));
  const form = (
    <Form method="post" className={css['code']} noValidate>
      <p className="soft">{m.code_lead({ email })}</p>
      <input type="hidden" name="choice" value={choice.choice} />
      <input type="hidden" name="handle" value={answer.code?.handle ?? ''} />
      {answer.code?.offer !== undefined && <input type="hidden" name="offer" value={answer.code.offer} />}
      {stored.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {rest !== undefined && <Message tone="error" title={rest} isLive />}
      <OneTimeCode
        name="otp"
        label={m.code_label()}
        data-focus
        defaultValue={answer.code?.isSecond ? answer.values?.['otp'] : undefined}
        error={answer.errors?.['otp']?.[0]}
      />
      {answer.code?.isSecond && (
        <OneTimeCode name="two_factor_code" label={m.second_label()} error={answer.errors?.['two_factor_code']?.[0]} />
      )}
      <Button type="submit" name="intent" value="choose" isWide busy={isBusy && m.choice_sending()}>
        {choiceButton(choice, text)}
      </Button>
      <button type="submit" name="intent" value="code" className="link small">
        {m.code_again()}
      </button>
    </Form>
  );
  if (!hydrated) return form;
  return (
    <Dialog isOpen={closed !== answer} onClose={() => setClosed(answer)} title={m.code_title()} closeLabel={m.close()}>
      {form}
    </Dialog>
  );
}

function choiceTitle({ choice }: Choice): string {
  return {
    continue: m.choice_continue,
    refund: m.choice_refund,
    new_order: m.choice_new_order,
    new_account: m.choice_new_account,
    give_route: m.choice_give_route,
    name_direction: m.choice_name_direction,
    take_back: m.choice_take_back,
    claim_give: m.choice_claim_give,
    claim_get: m.choice_claim_get,
  }[choice]();
}

function choiceText({ choice }: Choice): string {
  return {
    continue: m.choice_continue_text,
    refund: m.choice_refund_text,
    new_order: m.choice_new_order_text,
    new_account: m.choice_new_account_text,
    give_route: m.choice_give_route_text,
    name_direction: m.choice_name_direction_text,
    take_back: m.choice_take_back_text,
    claim_give: m.choice_claim_text,
    claim_get: m.choice_claim_text,
  }[choice]();
}

/** Returns the label of a choice's button, with the amount if it is known. */
function choiceButton({ choice, money }: Choice, text: ReturnType<typeof useMoneyText>): string {
  if (choice === 'new_account' || choice === 'give_route' || choice === 'name_direction') return m.choice_save_account();
  if (!money) return m.choice_confirm();
  const amount = text(money);
  if (choice === 'continue' || choice === 'new_order') return m.choice_receive({ amount });
  return choice === 'refund' || choice === 'take_back' ? m.choice_refund_button({ amount }) : m.choice_claim_button({ amount });
}
