import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { coinOf, shortNetwork, tickerOf } from '../../../../../../features/currency.ts';
import { CLOSED_METHOD, methodTime } from '../../../../pay/paying/method-words.ts';
import { Money, useMoneyText } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { useCurrency } from '../../../../../../features/use-currency.ts';
import { m } from '../../../../../../features/words.ts';
import { Coin, Icon } from '../../../../../../ui/base/icon.tsx';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../ui/fields/select.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { isZero } from '../../../wallet/worth.ts';
import { StorePage } from '../store-head.tsx';
import type { Preview, PreviewData } from './page.server.ts';
import css from './preview.module.css';

/** Page on which members see what a buyer would pay for a sum, by each method. The URL contains the sum. */
export default function StorePreviewPage(): ReactNode {
  const data = useLoaderData<PreviewData | Closed>();
  return (
    <StorePage page="storeInvoices" data={data}>
      {(own) => (
        <>
          <h2 className={css['title']}>{m.preview_title()}</h2>
          <p className={`soft ${css['lead']}`}>{m.preview_lead()}</p>
          <section className="card" aria-label={m.preview_title()}>
            <SumForm data={own} />
            {own.preview && <Methods preview={own.preview} />}
          </section>
        </>
      )}
    </StorePage>
  );
}

function SumForm({ data: { store, choices, values, errors } }: { data: PreviewData }): ReactNode {
  const { locale } = useSite();
  return (
    <form className={css['form']} action={pageUrl(locale, 'storePreview')} noValidate>
      <input type="hidden" name="store" value={store.id} />
      <Field
        {...{ name: 'amount', label: m.invoices_amount(), inputMode: 'decimal', autoComplete: 'off', maxLength: 40 }}
        defaultValue={values.amount}
        error={errors['amount']}
      />
      <Select name="currency" label={m.invoices_currency()} defaultValue={values.currency} error={errors['currency']}>
        {choices.invoice_currencies.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </Select>
      <div className={css['act']}>
        <Button type="submit">{m.preview_show()}</Button>
      </div>
    </form>
  );
}

/** Open methods with what the buyer sends and the store receives. Closed ones are folded up below them. */
function Methods({ preview }: { preview: Preview }): ReactNode {
  const [open, closed] = [
    preview.methods.filter((one) => one.closed === undefined),
    preview.methods.filter((one) => one.closed !== undefined),
  ];
  return (
    <>
      {preview.costs_bearer === 'store' && <p className={`small soft ${css['note']}`}>{m.preview_store_bears()}</p>}
      {open.length === 0 && <p className={`soft ${css['note']}`}>{m.preview_none()}</p>}
      {open.length > 0 && <OpenMethods methods={open} currency={preview.currency} />}
      {closed.length > 0 && (
        <details className={css['closed']} open={open.length === 0}>
          <summary>
            {m.checkout_unavailable({ count: closed.length })}
            <Icon name="caret-down" size={16} />
          </summary>
          <ul>
            {closed.map((method) => (
              <li key={method.method}>
                <MethodName of={method} note={CLOSED_METHOD[method.closed ?? 'off']()} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

type PreviewMethod = Preview['methods'][number];

function OpenMethods({ methods, currency }: { methods: readonly PreviewMethod[]; currency: string }): ReactNode {
  return (
    <table className={css['table']}>
      <caption className="sr">{m.preview_methods()}</caption>
      <thead>
        <tr>
          <th scope="col">{m.preview_method()}</th>
          <th scope="col" className={css['right']}>
            {m.preview_pays()}
          </th>
          <th scope="col" className={css['right']}>
            {m.preview_receives()}
          </th>
        </tr>
      </thead>
      <tbody>
        {methods.map((method) => (
          <MethodRow key={method.method} of={method} currency={currency} />
        ))}
      </tbody>
    </table>
  );
}

/** Coin, name and notes of a method. The first note tells methods of one name apart: by their network or their currency. */
function MethodName({ of: { method, name, network }, note }: { of: PreviewMethod; note: string }): ReactNode {
  const currency = useCurrency(method);
  const short = shortNetwork(network);
  return (
    <>
      <Coin {...coinOf(method)} size={32} />
      <span>
        <b>{name}</b>
        <small>{[short === name ? tickerOf(currency) : short, note].filter((part) => part !== '').join(' · ')}</small>
      </span>
    </>
  );
}

function MethodRow({ of: one, currency }: { of: PreviewMethod; currency: string }): ReactNode {
  const text = useMoneyText();
  const cost = one.cost === undefined || isZero(one.cost) ? undefined : { amount: one.cost, currency };
  return (
    <tr>
      <th scope="row">
        <span className={css['method']}>
          <MethodName of={one} note={methodTime(one)} />
        </span>
      </th>
      <td className={css['pays']} data-label={m.preview_pays()}>
        {one.amount !== undefined && (
          <>
            <b>
              <Money of={{ amount: one.amount, currency: one.currency }} look="quiet" />
            </b>
            {cost && <small>{m.checkout_cost({ sum: text(cost) })}</small>}
          </>
        )}
      </td>
      <td className={css['receives']} data-label={m.preview_receives()}>
        {one.received && (
          <>
            <Money of={one.received} look="quiet" />
            {one.fee && <small>{m.preview_fee({ sum: text(one.fee) })}</small>}
          </>
        )}
      </td>
    </tr>
  );
}
