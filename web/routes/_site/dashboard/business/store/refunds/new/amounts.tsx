import type { Output, Routes } from '@kurs/contract';
import { Fragment, type ReactNode } from 'react';
import { Money, type Sum } from '../../../../../../../features/money.tsx';
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
  reserved,
  url,
  choice,
  typed,
  error,
  funding,
}: {
  amounts: RefundAmounts;
  /** Sums of the invoice's payments that stand in the reserve. */
  reserved: readonly Sum[];
  /** Address of the page of the invoice. */
  url: string;
  choice: string | undefined;
  typed: string | undefined;
  error: string | undefined;
  /** The way to what the balance lacks. */
  funding: ReactNode;
}): ReactNode {
  const { currency, paid, worth, over, refunded, most, free } = amounts;
  const first = paid.open ? paid.amount : 'other';
  const chosen = choice ?? first;
  const isLacking = [paid, worth, most].some((option) => option?.lacks !== undefined);
  return (
    <fieldset className={css['amounts']}>
      <legend className="sr">{m.refunds_how_much()}</legend>
      <div className={css['grid']}>
        <OptionCard {...{ currency, chosen }} of={paid} title={m.refunds_paid_then()} text={m.refunds_paid_then_text()} />
        {worth && (
          <OptionCard {...{ currency, chosen }} of={worth} title={m.refunds_worth_now()} text={m.refunds_worth_now_text()} />
        )}
        <OverPaid sums={over} url={url} />
      </div>
      <label className={css['other']}>
        <input type="radio" name="choice" value="other" defaultChecked={chosen === 'other'} />
        {m.refunds_other()}
      </label>
      <div className={css['typed']}>
        <Field
          name="amount"
          label={m.refunds_amount()}
          inputMode="decimal"
          maxLength={40}
          defaultValue={typed ?? ''}
          error={error}
          trailing={<span className="mute">{currency}</span>}
        />
      </div>
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
        {reserved.map((sum) => (
          <Fragment key={sum.currency}>
            {' · '}
            {m.refunds_reserved()} <Money of={sum} />
          </Fragment>
        ))}
      </p>
      {isLacking && <p className="small">{funding}</p>}
    </fieldset>
  );
}

/** An amount that can be refunded, with what it takes from the balance and from the reserve. */
function OptionCard({
  of,
  currency,
  chosen,
  title,
  text,
}: {
  of: Option;
  currency: string;
  chosen: string;
  title: string;
  text: string;
}): ReactNode {
  const { amount, takes, takes_reserve: reserve, lacks, open } = of;
  return (
    <label className={css['option']}>
      <input type="radio" name="choice" value={amount} disabled={!open} defaultChecked={chosen === amount} />
      <span>
        <small>{title}</small>
        <b>
          <Money of={{ amount, currency }} />
        </b>
        {reserve && (
          <small>
            {m.refunds_takes_reserve()} <Money of={reserve} />
          </small>
        )}
        {takes && !(reserve && isZero(takes.amount)) && (
          <small>
            {m.refunds_takes()} <Money of={takes} />
          </small>
        )}
        {lacks ? (
          <small className="soft">
            {m.refunds_lacks()} <Money of={lacks} />
          </small>
        ) : (
          <small className="soft">{open || isZero(amount) ? text : m.refunds_not_open()}</small>
        )}
      </span>
    </label>
  );
}

/** Sums that were paid too much, with the way to the page where their payer decides about them. */
function OverPaid({ sums, url }: { sums: RefundAmounts['over']; url: string }): ReactNode {
  return (
    <div className={css['option']}>
      <span>
        <small>{m.refunds_over()}</small>
        {sums.length === 0 && <b>–</b>}
        {sums.map((sum) => (
          <b key={sum.currency}>
            <Money of={sum} />
          </b>
        ))}
        <small className="soft">{sums.length === 0 ? m.refunds_over_none() : m.refunds_over_text()}</small>
        {sums.length > 0 && (
          <a className="link small" href={url} target="_blank" rel="noopener">
            {m.refunds_over_open()}
          </a>
        )}
      </span>
    </div>
  );
}
