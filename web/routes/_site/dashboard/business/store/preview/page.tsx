import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { coinOf, shortNetwork } from '../../../../../../features/currency.ts';
import { CLOSED_METHOD, methodTime } from '../../../../pay/paying/method-words.ts';
import { Money, useMoneyText } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Coin } from '../../../../../../ui/base/icon.tsx';
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

function Methods({ preview }: { preview: Preview }): ReactNode {
  return (
    <>
      {preview.costs_bearer === 'store' && <p className={`small soft ${css['note']}`}>{m.preview_store_bears()}</p>}
      {preview.methods.every(({ closed }) => closed !== undefined) && <p className={`soft ${css['note']}`}>{m.preview_none()}</p>}
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
          {preview.methods.map((method) => (
            <MethodRow key={method.method} of={method} currency={preview.currency} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function MethodRow({ of: one, currency }: { of: Preview['methods'][number]; currency: string }): ReactNode {
  const text = useMoneyText();
  const network = shortNetwork(one.network);
  const note = one.closed === undefined ? methodTime(one) : CLOSED_METHOD[one.closed]();
  const cost = one.cost === undefined || isZero(one.cost) ? undefined : { amount: one.cost, currency };
  return (
    <tr>
      <th scope="row">
        <span className={css['method']}>
          <Coin {...coinOf(one.method)} size={32} />
          <span>
            <b>{one.name}</b>
            <small>{[network, note].filter((part) => part !== '' && part !== one.name).join(' · ')}</small>
          </span>
        </span>
      </th>
      <td className={css['pays']}>
        {one.closed === undefined && one.amount !== undefined && (
          <>
            <b>
              <Money of={{ amount: one.amount, currency: one.currency }} look="quiet" />
            </b>
            {cost && <small>{m.checkout_cost({ sum: text(cost) })}</small>}
          </>
        )}
      </td>
      <td className={css['receives']}>
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
