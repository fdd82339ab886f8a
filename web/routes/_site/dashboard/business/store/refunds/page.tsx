import { type FormEvent, type ReactNode } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { storeRefundExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { ExportButtons } from '../../../orders/export-buttons.tsx';
import orders from '../../../orders/orders.module.css';
import { Pager } from '../../../orders/pager.tsx';
import invoices from '../invoices/invoices.module.css';
import table from '../invoices/invoices-table.module.css';
import { momentIn } from '../invoices/store-times.ts';
import { StorePage } from '../store-head.tsx';
import { CapsCard } from './caps-card.tsx';
import type { RefundsData } from './page.server.ts';
import { RefundPill } from './refund-pills.tsx';
import { REFUND_LOOKS, type ListedRefund, type RefundState } from './refund-words.ts';
import { showCurrent } from '../../../show-current.ts';
import css from './refunds.module.css';

/** Refunds of a store, by state and search text, and the caps up to which claims go out without the owner. */
export default function StoreRefundsPage(): ReactNode {
  const data = useLoaderData<RefundsData | Closed>();
  return (
    <StorePage page="storeRefunds" data={data}>
      {(own) => (
        <>
          <Refunds data={own} />
          {own.caps && <CapsCard caps={own.caps} />}
        </>
      )}
    </StorePage>
  );
}

const mayRefund = ({ store }: RefundsData): boolean => !store.test && store.permissions.includes('refunds.create');

function Refunds({ data }: { data: RefundsData }): ReactNode {
  const { refunds, state, q } = data;
  const address = useRefundsAddress(data);
  if (refunds.length === 0 && state === 'all' && q === '') return <NoRefunds data={data} />;
  return (
    <>
      <div className={invoices['top']}>
        <p className="small soft">{m.refunds_lead()}</p>
        <NewRefund data={data} />
      </div>
      <section className="card" aria-label={m.store_refunds()}>
        <Groups data={data} />
        <Search data={data} />
        {refunds.length > 0 ? (
          <RefundsTable data={data} />
        ) : (
          <div className={orders['none']}>
            <output className="soft">{m.orders_nothing()}</output>
            <ButtonLink look="secondary" href={address({ state: 'all', q: '' })}>
              {m.orders_reset()}
            </ButtonLink>
          </div>
        )}
        <Pager meta={data.meta} label={m.refunds_pages()} address={(more) => address({ state, q }, more)} />
      </section>
      <Exports data={data} />
    </>
  );
}

/** Downloads of the refunds that match the filter. */
function Exports({ data: { store, request } }: { data: RefundsData }): ReactNode {
  if (!store.permissions.includes('reports.read')) return null;
  return (
    <div className={invoices['exports']}>
      <ExportButtons ticket={(format) => exportClient.storeRefundExportTicket({ ...request, format })} />
    </div>
  );
}

const exportClient = clientOf(pageTransport(accessToken), { storeRefundExportTicket });

interface Filter {
  readonly state: RefundState | 'all';
  readonly q: string;
}

function useRefundsAddress({ store }: RefundsData): (filter: Filter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return ({ state, q }, more = {}) =>
    pageUrl(locale, 'storeRefunds', { store: store.id, ...(state !== 'all' && { state }), ...(q !== '' && { q }), ...more });
}

function Groups({ data }: { data: RefundsData }): ReactNode {
  const address = useRefundsAddress(data);
  const states = ['all', ...(Object.keys(REFUND_LOOKS) as RefundState[])] as const;
  return (
    <nav ref={showCurrent} className={orders['groups']} aria-label={m.refunds_groups()}>
      {states.map((state) => (
        <a key={state} href={address({ state, q: data.q })} aria-current={state === data.state ? 'true' : undefined}>
          {state === 'all' ? m.invoices_all() : REFUND_LOOKS[state].word()}
        </a>
      ))}
    </nav>
  );
}

function Search({ data }: { data: RefundsData }): ReactNode {
  const navigate = useNavigate();
  const address = useRefundsAddress(data);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    void navigate(address({ state: data.state, q }));
  };
  return (
    <form className={css['search']} aria-label={m.orders_filter()} onSubmit={submit} noValidate>
      <Field name="q" label={m.refunds_search()} type="search" maxLength={120} defaultValue={data.q} />
      <Button type="submit" look="secondary">
        {m.orders_show()}
      </Button>
    </form>
  );
}

function RefundsTable({ data }: { data: RefundsData }): ReactNode {
  return (
    <table className={table['table']}>
      <thead>
        <tr>
          <th scope="col">{m.refunds_column_refund()}</th>
          <th scope="col">{m.refunds_column_for()}</th>
          <th scope="col" className={table['right']}>
            {m.refunds_column_amount()}
          </th>
          <th scope="col">{m.refunds_column_state()}</th>
          <th scope="col" className={table['right']}>
            {m.refunds_column_created()}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.refunds.map((refund) => (
          <RefundRow key={refund.id} refund={refund} data={data} />
        ))}
      </tbody>
    </table>
  );
}

function RefundRow({ refund, data: { store, now } }: { refund: ListedRefund; data: RefundsData }): ReactNode {
  const { locale } = useSite();
  return (
    <tr>
      <td className={table['number']}>
        <a className="num" href={pageUrl(locale, 'storeRefund', { store: store.id, id: refund.id })}>
          {refund.number}
        </a>
      </td>
      <td className={table['order']}>
        {refund.email ?? (refund.invoice === undefined ? m.refunds_anybody() : m.refunds_buyer())}
      </td>
      <td className={table['amount']}>
        <Money of={refund.amount} look="quiet" />
      </td>
      <td className={table['state']}>
        <RefundPill state={refund.state} />
      </td>
      <td className={`${table['time']} num`}>
        <time dateTime={refund.created_at}>{momentIn(store.timezone, refund.created_at, now, locale)}</time>
      </td>
    </tr>
  );
}

function NewRefund({ data }: { data: RefundsData }): ReactNode {
  const { locale } = useSite();
  if (!mayRefund(data)) return null;
  return (
    <ButtonLink icon="plus" href={pageUrl(locale, 'storeRefundNew', { store: data.store.id })}>
      {m.refunds_new()}
    </ButtonLink>
  );
}

function NoRefunds({ data }: { data: RefundsData }): ReactNode {
  return (
    <div className={`card ${invoices['none']}`}>
      <p className="soft">{data.store.test ? m.refunds_none_test() : m.refunds_none()}</p>
      <NewRefund data={data} />
    </div>
  );
}
