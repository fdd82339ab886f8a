import { type ReactNode, useCallback } from 'react';
import { useLoaderData, useRevalidator } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeClock } from '../../../../../../ui/base/time.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../../ui/parts/copyable.tsx';
import { type Closed, isClosed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { BackLink } from '../../../back-link.tsx';
import { Skeleton } from '../../../frame/skeleton.tsx';
import { PrintHead } from '../../../orders/print-head.tsx';
import { ArchivedChip, InvoicePill, MarkPill, TestPill } from '../invoices/invoice-pills.tsx';
import { Cancel } from './cancel.tsx';
import { DecisionCard } from './decision.tsx';
import { InvoiceDetails, InvoiceTerms, Metadata } from './details.tsx';
import { InvoiceEvents } from './events.tsx';
import css from './invoice.module.css';
import { InvoiceLines } from './lines.tsx';
import { ArchiveForm, MarkForms, Result } from './marks.tsx';
import type { InvoiceData } from './page.server.ts';
import { Payments } from './payments.tsx';
import { InvoiceSums } from './sums.tsx';
import { StateMessage } from './state-message.tsx';
import { useInvoiceChanges } from './use-invoice-changes.ts';

/** Page of one invoice: its link, state, sums, payments, history and terms. */
export default function StoreInvoicePage(): ReactNode {
  const data = useLoaderData<InvoiceData | Closed>();
  if (isClosed(data))
    return (
      <>
        <h1 className="sr">{data.head.title}</h1>
        <Skeleton rows={9} />
      </>
    );
  return <InvoiceParts key={data.invoice.id} data={data} />;
}

function InvoiceParts({ data }: { data: InvoiceData }): ReactNode {
  const { store, invoice, status, now } = data;
  const { revalidate } = useRevalidator();
  const again = useCallback(() => void revalidate(), [revalidate]);
  const isConnected = useInvoiceChanges(invoice.id, status, again);
  const title = m.invoices_number({ number: invoice.number });
  return (
    <>
      <BackLink to="storeInvoices" query={{ store: store.id }}>
        {m.invoices_back({ store: store.name })}
      </BackLink>
      <PrintHead title={title} note={store.name} now={now} />
      <div className={css['head']}>
        <h1 className="title">{title}</h1>
        <span className={css['pills']}>
          <InvoicePill state={invoice.state} />
          {invoice.mark && <MarkPill mark={invoice.mark} />}
          {invoice.archived && <ArchivedChip />}
          {invoice.test && <TestPill />}
        </span>
        <Button look="secondary" size="small" icon="printer" onClick={() => print()}>
          {m.moves_print()}
        </Button>
      </div>
      <div className={css['grid']}>
        <div className={css['stack']}>
          <div className={css['first']}>
            {!isConnected && <output className="small soft">{m.dashboard_lost({ time: writeClock(now) })}</output>}
            <Result />
            <StateMessage data={data} />
            <PayLink url={invoice.url} />
            <div className={css['acts']}>
              <ButtonLink look="secondary" size="small" icon="link-simple" href={invoice.url} target="_blank" rel="noopener">
                {m.invoices_link_open()}
              </ButtonLink>
              <RefundLink data={data} />
              <ArchiveForm data={data} />
              <MarkForms data={data} />
              <Cancel data={data} />
            </div>
          </div>
          <DecisionCard data={data} />
          <Payments data={data} />
          {invoice.lines.length > 0 && <InvoiceLines invoice={invoice} />}
          <InvoiceDetails data={data} />
          <InvoiceTerms invoice={invoice} />
          <Metadata of={invoice.metadata} />
        </div>
        <aside className={css['aside']} aria-label={m.invoices_sums()}>
          <InvoiceSums invoice={invoice} />
          <InvoiceEvents data={data} />
        </aside>
      </div>
    </>
  );
}

/** Link to the form that refunds a paid invoice. Absent if nothing was received, or the role lacks the permission. */
function RefundLink({ data: { store, invoice } }: { data: InvoiceData }): ReactNode {
  const { locale } = useSite();
  const canRefund = store.permissions.includes('refunds.create') && !invoice.test && invoice.received.length > 0;
  if (!canRefund) return null;
  return (
    <ButtonLink
      look="secondary"
      size="small"
      icon="arrow-u-up-left"
      href={pageUrl(locale, 'storeRefundNew', { store: store.id, invoice: invoice.id })}
    >
      {m.refunds_make()}
    </ButtonLink>
  );
}

/** Link of the page on which the buyer pays, to copy. */
function PayLink({ url }: { url: string }): ReactNode {
  return (
    <Copyable
      label={m.invoices_link()}
      value={url}
      hint={m.invoices_link_hint()}
      words={{ copy: m.copy(), copied: m.copied() }}
      isStacked
    >
      <span className={css['url']}>{url}</span>
    </Copyable>
  );
}
