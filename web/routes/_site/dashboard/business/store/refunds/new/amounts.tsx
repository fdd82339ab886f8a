import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { Money } from '../../../../../../../features/money.tsx';
import { m } from '../../../../../../../features/words.ts';
import { Field } from '../../../../../../../ui/fields/field.tsx';
import { isZero } from '../../../../wallet/worth.ts';
import css from './amounts.module.css';

type RefundAmounts = Output<Routes['refundAmounts']>;
type Option = RefundAmounts['paid'];

/**
 * The amounts of an invoice side by side, each with what it takes from the balance: what was paid then, its worth now, and what was
 * paid too much. The last one is no refund: its payer decides about it on the page of the invoice.
 */
export function Amounts({
  amounts,
  url,
  choice,
  typed,
  error,
}: {
  amounts: RefundAmounts;
  /** Address of the page of the invoice. */
  url: string;
  choice: string | undefined;
  typed: string | undefined;
  error: string | undefined;
}): ReactNode {
  const { currency, paid, worth, over, refunded, most, free } = amounts;
  const first = paid.open ? paid.amount : 'other';
  const option = (value: Option, title: string, text: string): ReactNode => (
    <label className={css['option']}>
      <input
        type="radio"
        name="choice"
        value={value.amount}
        disabled={!value.open}
        defaultChecked={(choice ?? first) === value.amount}
      />
      <span>
        <small>{title}</small>
        <b>
          <Money of={{ amount: value.amount, currency }} />
        </b>
        {value.takes && (
          <small>
            {m.refunds_takes()} <Money of={value.takes} />
          </small>
        )}
        <small className="soft">{value.open || isZero(value.amount) ? text : m.refunds_not_open()}</small>
      </span>
    </label>
  );
  return (
    <fieldset className={css['amounts']}>
      <legend className="sr">{m.refunds_how_much()}</legend>
      <div className={css['grid']}>
        {option(paid, m.refunds_paid_then(), m.refunds_paid_then_text())}
        {worth && option(worth, m.refunds_worth_now(), m.refunds_worth_now_text())}
        <div className={css['option']}>
          <span>
            <small>{m.refunds_over()}</small>
            {over.length === 0 ? (
              <b>–</b>
            ) : (
              over.map((sum) => (
                <b key={sum.currency}>
                  <Money of={sum} />
                </b>
              ))
            )}
            <small className="soft">{over.length === 0 ? m.refunds_over_none() : m.refunds_over_text()}</small>
            {over.length > 0 && (
              <a className="link small" href={url} target="_blank" rel="noopener">
                {m.refunds_over_open()}
              </a>
            )}
          </span>
        </div>
      </div>
      <label className={css['other']}>
        <input type="radio" name="choice" value="other" defaultChecked={(choice ?? first) === 'other'} />
        {m.refunds_other()}
      </label>
      <Field
        name="amount"
        label={m.refunds_amount()}
        inputMode="decimal"
        maxLength={40}
        defaultValue={typed ?? ''}
        error={error}
        trailing={<span className="mute">{currency}</span>}
      />
      <p className="small soft">
        {m.refunds_most()} <Money of={{ amount: most.amount, currency }} />
        {!isZero(refunded) && (
          <>
            {' · '}
            {m.refunds_before()} <Money of={{ amount: refunded, currency }} />
          </>
        )}
        {' · '}
        {m.refunds_free()} <Money of={free} />
      </p>
    </fieldset>
  );
}
