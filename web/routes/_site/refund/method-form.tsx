import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { coinOf, shortNetwork, tickerOf } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { m } from '../../../features/words.ts';
import { Coin } from '../../../ui/base/icon.tsx';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { pageUrl } from '../../pages.ts';
import type { ClaimMethod, RefundData } from './page.server.ts';
import css from './refund.module.css';

/** First step: the sum, and the currencies with what arrives. It is sent by GET, so the page works without scripts. */
export function MethodForm({ data }: { data: RefundData }): ReactNode {
  const { locale } = useSite();
  const busy = useNavigation().state === 'loading';
  const { refund, token, wanted } = data;
  const [open, closed] = [refund.methods.filter((one) => !one.closed), refund.methods.filter((one) => one.closed)];
  return (
    <section className="card" aria-labelledby="refund-how">
      <h2 className={`card-title ${css['title']}`} id="refund-how">
        {m.refund_how()}
      </h2>
      <Form method="get" action={pageUrl(locale, 'refund')} className={css['form']} noValidate preventScrollReset>
        <input type="hidden" name="id" value={refund.id} />
        <input type="hidden" name="token" value={token} />
        {refund.left.length > 1 && <Units data={data} />}
        <Field
          name="amount"
          label={m.refund_amount()}
          hint={m.refund_amount_hint()}
          inputMode="decimal"
          maxLength={40}
          defaultValue={wanted.amount}
          error={data.amountError}
          trailing={refund.claim && <span className="mute">{refund.claim.currency}</span>}
        />
        <Button type="submit" look="secondary" busy={busy && m.refund_show()}>
          {m.refund_show()}
        </Button>
        {open.length > 0 ? (
          <ul className={css['methods']}>
            {open.map((method) => (
              <li key={method.method}>
                <MethodButton method={method} unit={refund.claim?.currency ?? ''} />
              </li>
            ))}
          </ul>
        ) : (
          <Message tone="neutral" title={m.refund_none_title()}>
            {m.refund_none_text()}
          </Message>
        )}
      </Form>
      {closed.length > 0 && <Closed methods={closed} unit={refund.claim?.currency ?? ''} />}
    </section>
  );
}

/** The units that are left, if something came back in another one. */
function Units({ data: { refund, wanted } }: { data: RefundData }): ReactNode {
  const chosen = wanted.unit === '' ? refund.claim?.currency : wanted.unit;
  return (
    <fieldset className={css['units']}>
      <legend className="small soft">{m.refund_units()}</legend>
      {refund.left.map((sum) => (
        <label key={sum.currency}>
          <input type="radio" name="unit" value={sum.currency} defaultChecked={sum.currency === chosen} />
          <Money of={sum} />
        </label>
      ))}
    </fieldset>
  );
}

function MethodButton({ method, unit }: { method: ClaimMethod; unit: string }): ReactNode {
  const { currency, receives = '0', fee = '0', spread } = method;
  return (
    <button type="submit" name="method" value={method.method} className={css['method']}>
      <Coin {...coinOf(currency)} size={32} />
      <MethodName of={method} />
      <span className={css['gets']}>
        <b>
          <Money of={{ amount: receives, currency }} />
        </b>
        <small>
          {m.refund_fee()} <Money of={{ amount: fee, currency: unit }} />
          {spread !== undefined && (
            <>
              {' · '}
              {m.refund_spread()} <Money of={{ amount: spread, currency: unit }} />
            </>
          )}
        </small>
      </span>
    </button>
  );
}

/** Name of a method. The note tells methods of one name apart: by their network or their currency. */
function MethodName({ of: { currency, name, network } }: { of: ClaimMethod }): ReactNode {
  const known = useCurrency(currency);
  const short = shortNetwork(network);
  return (
    <span>
      <b>{name}</b>
      <small>{short === name ? tickerOf(known) : short}</small>
    </span>
  );
}

/** Currencies in which this sum can't be claimed, with the reason. */
function Closed({ methods, unit }: { methods: readonly ClaimMethod[]; unit: string }): ReactNode {
  return (
    <details className={css['closed']}>
      <summary>{m.refund_closed()}</summary>
      <ul>
        {methods.map(({ closed, least, ...method }) => (
          <li key={method.method} className="small">
            <MethodName of={method} />
            <span className="soft">
              {closed === 'too_small' && least !== undefined && (
                <>
                  {m.refund_least()} <Money of={{ amount: least, currency: unit }} />
                </>
              )}
              {closed === 'too_small' && least === undefined && m.refund_too_small()}
              {closed === 'rates' && m.refund_no_rate()}
              {closed === 'no_money' && m.refund_no_money()}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
