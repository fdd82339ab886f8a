import type { ReactNode } from 'react';
import { AccountInput } from '../../../../features/account-input.tsx';
import { coinOf, shortNetwork, tickerOf } from '../../../../features/currency.ts';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { CLOSED_METHOD, methodTime } from './method-words.ts';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import css from './methods.module.css';
import { PartLink } from '../part-link.tsx';
import { type PayMethod, awaitsPayment, isPriceOver, partUrl } from '../pay-data.ts';
import { askedMethod, errorOf, valueOf } from '../answer.ts';
import { usePay } from '../use-pay.ts';
import { WalletsPart } from './wallets.tsx';

/**
 * Choice of a method. While a payment is awaited that isn't counted yet, the choice is folded at first, so that nobody pays twice
 * by mistake. A method that requires fields of the payer's account has a second step.
 */
export function MethodsPart({ isRefused }: { isRefused: boolean }): ReactNode {
  const { data, answer, part, now } = usePay();
  const { methods, option, chosen_by_store: isOnlyNamed } = data.invoice;
  const isFolded = awaitsPayment(data.invoice) && (!option || isPriceOver(option, now));
  const asked = askedMethod(answer);
  const asking = methods.find(({ method }) => method === asked);
  const choice = asking ? (
    <PayerForm key={asking.method} of={asking} />
  ) : (
    <>
      <MethodList />
      <WalletsPart />
    </>
  );
  return (
    <>
      {isRefused && (
        <Message tone="error" title={m.pay_refused_title()} isLive>
          {m.checkout_refused_text()}
        </Message>
      )}
      {isFolded && !asking ? (
        <details className={css['again']} open={answer?.intent === 'method'}>
          <summary>
            {m.checkout_again()}
            <Icon name="caret-down" size={16} />
          </summary>
          <div className={css['form']}>{choice}</div>
        </details>
      ) : (
        choice
      )}
      {part === 'change' && option && !isOnlyNamed && <PartLink part={undefined}>{m.checkout_keep()}</PartLink>}
    </>
  );
}

/**
 * Methods as buttons, in the order of their costs; closed ones are folded up below the others. For a top-up, the sum for payment
 * systems stands above them; for an invoice with an amount, a folded field for a part of it.
 */
function MethodList(): ReactNode {
  const { data, submit } = usePay();
  const { amount, stated, methods, option, chosen_by_store: isOnlyNamed } = data.invoice;
  const [open, closed] = [methods.filter((one) => !one.closed), methods.filter((one) => one.closed)];
  const named = isOnlyNamed ? open.find(({ method }) => method === option?.method) : undefined;
  const shown = named ? [named, ...open.filter((one) => one !== named)] : open;
  // In a crypto wallet, buyers enter the amount themselves.
  const hasAmount = stated === undefined && open.some(({ kind }) => kind === 'redirect');
  return (
    <form method="post" action={partUrl(data, 'change')} onSubmit={submit} noValidate className={css['form']}>
      <input type="hidden" name="intent" value="method" />
      {hasAmount && (
        <>
          {/* The form's default button, so that Enter in the field chooses no method. */}
          <button type="submit" disabled hidden aria-label={m.checkout_continue()} />
          {amount === undefined ? <AmountField label={m.checkout_amount()} hint={m.checkout_amount_hint()} /> : <PartAmount />}
        </>
      )}
      {open.length === 0 && <Message tone="neutral">{m.checkout_closed_text()}</Message>}
      {named && <p className="small soft">{m.checkout_named({ name: named.name })}</p>}
      {open.length > 0 && (
        <ul className={css['list']}>
          {shown.map((method) => (
            <li key={method.method}>
              <MethodButton of={method} />
            </li>
          ))}
        </ul>
      )}
      {closed.length > 0 && (
        <details className={css['closed']} open={open.length === 0}>
          <summary>
            {m.checkout_unavailable({ count: closed.length })}
            <Icon name="caret-down" size={16} />
          </summary>
          <ul>
            {closed.map((method) => (
              <ClosedMethod key={method.method} of={method} />
            ))}
          </ul>
        </details>
      )}
    </form>
  );
}

/** Field for the sum that a payment system is asked for, in the invoice's currency. */
function AmountField({ label, hint }: { label: string; hint: string }): ReactNode {
  const { data, answer } = usePay();
  const currency = useCurrency(data.invoice.currency);
  return (
    <Field
      name="amount"
      label={label}
      hint={hint}
      inputMode="decimal"
      maxLength={40}
      defaultValue={valueOf(answer, 'method', 'amount')}
      error={errorOf(answer, 'method', 'amount')}
      trailing={<span className="mute">{tickerOf(currency)}</span>}
    />
  );
}

/** Folded field for a part of what is due. It is unfolded once something was typed. */
function PartAmount(): ReactNode {
  const { answer } = usePay();
  return (
    <details className={css['part']} open={valueOf(answer, 'method', 'amount') !== ''}>
      <summary>
        {m.checkout_part_open()}
        <Icon name="caret-down" size={16} />
      </summary>
      <AmountField label={m.checkout_part()} hint={m.checkout_part_hint()} />
    </details>
  );
}

/** Coin, name and notes of a method. The first note tells methods of one name apart: by their network or their currency. */
function MethodName({ of: { method, name, network }, note }: { of: PayMethod; note: string }): ReactNode {
  const currency = useCurrency(method);
  const short = shortNetwork(network);
  return (
    <>
      <Coin {...coinOf(method)} size={32} />
      <span className={css['what']}>
        <b>{name}</b>
        <span className={css['note']}>{[short === name ? tickerOf(currency) : short, note].join(' · ')}</span>
      </span>
    </>
  );
}

const ClosedMethod = ({ of: one }: { of: PayMethod }): ReactNode => (
  <li className={css['row']}>
    <MethodName of={one} note={CLOSED_METHOD[one.closed ?? 'off']()} />
  </li>
);

/** Button that chooses a method, with what is to be sent and what it costs. */
function MethodButton({ of: one }: { of: PayMethod }): ReactNode {
  const { data, sent } = usePay();
  const text = useMoneyText();
  const { method, amount, least, currency } = one;
  const isSent = sent?.get('intent') === 'method' && sent.get('method') === method;
  const isChosen = data.invoice.option?.method === method;
  const cost =
    one.cost !== undefined && /[1-9]/.test(one.cost) ? { amount: one.cost, currency: data.invoice.currency } : undefined;
  return (
    <button
      type="submit"
      name="method"
      value={method}
      aria-busy={isSent || undefined}
      aria-current={isChosen || undefined}
      className={cx(css['row'], css['method'], isChosen && css['chosen'], isSent && css['busy'])}
    >
      <MethodName of={one} note={methodTime(one)} />
      <span className={css['sums']}>
        {amount !== undefined && (
          <b>
            <Money of={{ amount, currency }} look="quiet" />
          </b>
        )}
        {amount === undefined && least !== undefined && (
          <span className={cx(css['note'], 'num')}>{m.checkout_least({ sum: text({ amount: least, currency }) })}</span>
        )}
        {cost && (
          <span className={cx(css['note'], 'num')}>
            {amount === undefined ? m.checkout_cost_from({ sum: text(cost) }) : m.checkout_cost({ sum: text(cost) })}
          </span>
        )}
      </span>
      <Icon name="caret-down" size={16} className={css['caret']} />
    </button>
  );
}

/** Second step of a method that requires fields of the payer's account. */
function PayerForm({ of: one }: { of: PayMethod }): ReactNode {
  const { data, answer, sent, submit } = usePay();
  const currency = useCurrency(one.method);
  const amount = valueOf(answer, 'method', 'amount');
  return (
    <form method="post" action={partUrl(data, 'change')} onSubmit={submit} noValidate className={css['payer']}>
      <h2 className="card-title">{m.checkout_payer({ name: one.name })}</h2>
      <input type="hidden" name="intent" value="method" />
      <input type="hidden" name="method" value={one.method} />
      {amount !== '' && <input type="hidden" name="amount" value={amount} />}
      {one.payer_fields.map((field) => (
        <AccountInput
          key={field.name}
          field={field}
          name={`payer.${field.name}`}
          currency={currency}
          value={valueOf(answer, 'method', `payer.${field.name}`)}
          error={errorOf(answer, 'method', `payer.${field.name}`)}
        />
      ))}
      <div className={css['acts']}>
        <Button type="submit" size="large" isWide busy={sent && m.checkout_choosing()}>
          {m.checkout_continue()}
        </Button>
        <PartLink part="change">{m.checkout_other()}</PartLink>
      </div>
    </form>
  );
}
