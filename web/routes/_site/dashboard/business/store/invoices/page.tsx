import type { ReactNode } from 'react';
import { useLoaderData, useNavigation } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { storeInvoiceExportTicket, storePaymentExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { ExportButtons } from '../../../orders/export-buttons.tsx';
import orders from '../../../orders/orders.module.css';
import pager from '../../../orders/pager.module.css';
import { Pager } from '../../../orders/pager.tsx';
import { StorePage } from '../store-head.tsx';
import { InvoiceFilters, InvoiceGroups, useInvoicesAddress } from './filters.tsx';
import css from './invoices.module.css';
import { InvoicesTable } from './invoices-table.tsx';
import { isStopped, mayMake } from './may-make.ts';
import type { InvoicesData } from './page.server.ts';

/** Invoices of a store, by state, days and search text. The URL contains the filters and the page's position. */
export default function StoreInvoicesPage(): ReactNode {
  const data = useLoaderData<InvoicesData | Closed>();
  return (
    <StorePage page="storeInvoices" data={data}>
      {(own) => (own.isWhole && own.invoices.length === 0 ? <NoInvoices data={own} /> : <Invoices data={own} />)}
    </StorePage>
  );
}

function Invoices({ data }: { data: InvoicesData }): ReactNode {
  const { store, filter } = data;
  const { locale } = useSite();
  const address = useInvoicesAddress(store.id);
  const busy = useNavigation().state === 'loading';
  return (
    <>
      <Stopped data={data} />
      <div className={css['top']}>
        <p className="small soft">{m.invoices_zone({ zone: store.timezone.replaceAll('_', ' ') })}</p>
        <div className={css['acts']}>
          <ButtonLink look="secondary" href={pageUrl(locale, 'storePreview', { store: store.id })}>
            {m.preview_open()}
          </ButtonLink>
          <NewInvoice data={data} />
        </div>
      </div>
      <section className="card" aria-label={m.store_invoices()} aria-busy={busy || undefined}>
        <InvoiceGroups data={data} />
        <InvoiceFilters key={JSON.stringify(filter)} data={data} />
        <div className={cx(busy && orders['stale'])}>
          {data.invoices.length > 0 ? <InvoicesTable data={data} /> : <NothingFound store={store.id} />}
        </div>
        {data.after === '' && <Pager meta={data.meta} label={m.invoices_pages()} address={(more) => address(filter, more)} />}
        <Beyond data={data} />
      </section>
      <Exports data={data} />
    </>
  );
}

/** Downloads of the invoices that match the filter, and of their payments. */
function Exports({ data: { store, request } }: { data: InvoicesData }): ReactNode {
  if (!store.permissions.includes('reports.read')) return null;
  return (
    <div className={css['exports']}>
      <ExportButtons ticket={(format) => exportClient.storeInvoiceExportTicket({ ...request, format })} />
      <ExportButtons
        of={m.invoices_export_payments()}
        ticket={(format) => exportClient.storePaymentExportTicket({ ...request, format })}
      />
    </div>
  );
}

/** Links past the pages that have numbers: to the rows that follow, and back to the newest. */
function Beyond({ data: { store, filter, after, next, meta } }: { data: InvoicesData }): ReactNode {
  const address = useInvoicesAddress(store.id);
  if (after === '' && next === undefined) return null;
  return (
    <nav className={pager['pager']} aria-label={m.invoices_pages_beyond()}>
      <span className={pager['turn']}>
        {after !== '' && (
          <ButtonLink size="small" look="secondary" href={address(filter)}>
            {m.moves_look_newest()}
          </ButtonLink>
        )}
        {next !== undefined && (
          <ButtonLink
            size="small"
            look="secondary"
            href={address(filter, { after: next, ...(meta.per_page > 20 && { rows: String(meta.per_page) }) })}
            rel="next"
          >
            {m.orders_after()}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}

function NewInvoice({ data: { store } }: { data: InvoicesData }): ReactNode {
  const { locale } = useSite();
  if (!mayMake(store)) return null;
  return (
    <ButtonLink icon="plus" href={pageUrl(locale, 'storeInvoiceNew', { store: store.id })}>
      {m.invoices_new()}
    </ButtonLink>
  );
}

/** Says why members can't make invoices while the store's business is suspended or closed. */
function Stopped({ data: { store } }: { data: InvoicesData }): ReactNode {
  if (!isStopped(store)) return null;
  return (
    <div className={css['stopped']}>
      <Message tone="warning" title={m.invoices_stopped_title()}>
        {m.invoices_stopped_text()}
      </Message>
    </div>
  );
}

function NoInvoices({ data }: { data: InvoicesData }): ReactNode {
  return (
    <>
      <Stopped data={data} />
      <div className={cx('card', css['none'])}>
        <p className="soft">{mayMake(data.store) ? m.invoices_none() : m.invoices_none_yet()}</p>
        <NewInvoice data={data} />
      </div>
    </>
  );
}

function NothingFound({ store }: { store: string }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={orders['none']}>
      <output className="soft">{m.orders_nothing()}</output>
      <ButtonLink look="secondary" href={pageUrl(locale, 'storeInvoices', { store })}>
        {m.orders_reset()}
      </ButtonLink>
    </div>
  );
}

const exportClient = clientOf(pageTransport(accessToken), { storeInvoiceExportTicket, storePaymentExportTicket });
