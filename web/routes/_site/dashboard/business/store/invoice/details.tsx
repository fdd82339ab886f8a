import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../../../../../features/currency.ts';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writePercent } from '../../../../../../ui/base/amount.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Card } from '../../card.tsx';
import { BEARER_WORDS } from '../../store-words.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import { useStoreTime } from '../invoices/store-times.ts';
import css from './invoice.module.css';
import type { InvoiceData } from './page.server.ts';
import { Fact } from './payments.tsx';

/** Data of an invoice: the shop's order, its buyer, and times. */
export function InvoiceDetails({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const write = useStoreTime(store.timezone);
  const { order_id: order, email, description, return_url: back } = invoice;
  return (
    <Card id="details" title={m.invoices_details()}>
      <dl className={cx(css['facts'], css['inCard'])}>
        {order !== undefined && <Fact name={m.invoices_order_id()}>{order}</Fact>}
        {email !== undefined && <Fact name={m.invoices_email()}>{email}</Fact>}
        <Fact name={m.invoices_column_created()}>{write(invoice.created_at)}</Fact>
        <Fact name={m.invoices_column_until()}>{write(invoice.expires_at)}</Fact>
        <Fact name={m.invoices_changed()}>{write(invoice.updated_at)}</Fact>
        {description !== undefined && (
          <Fact name={m.invoices_description()} isWide>
            <span className={css['text']}>{description}</span>
          </Fact>
        )}
        {back !== undefined && (
          <Fact name={m.store_return()} isWide>
            {back}
          </Fact>
        )}
      </dl>
    </Card>
  );
}

/** Terms under which an invoice is paid, and the payment option that its buyer has chosen. */
export function InvoiceTerms({ invoice }: { invoice: Invoice }): ReactNode {
  const { locale, currencies } = useSite();
  const nameOf = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  const { methods, tolerance, costs_bearer: bearer, settlement_currency: settlement, option } = invoice;
  return (
    <Card id="terms" title={m.invoices_terms()}>
      <dl className={cx(css['facts'], css['inCard'])}>
        <Fact name={m.store_tolerance()}>{writePercent(tolerance, locale)}</Fact>
        <Fact name={m.store_costs()}>{BEARER_WORDS[bearer]()}</Fact>
        <Fact name={m.store_settlement_currency()}>{nameOf(settlement)}</Fact>
        <Fact name={m.store_methods()} isWide>
          {methods.map(nameOf).join(', ')}
        </Fact>
        {option && (
          <Fact name={m.invoices_option()} isWide>
            <Option of={option} name={nameOf(option.method)} />
          </Fact>
        )}
      </dl>
    </Card>
  );
}

const OPTION_WORDS: Readonly<Record<NonNullable<Invoice['option']>['status'], () => string>> = {
  preparing: () => m.invoices_option_preparing(),
  refused: () => m.invoices_option_refused(),
  open: () => m.invoices_option_open(),
  over: () => m.invoices_option_over(),
};

function Option({ of: { amount, currency, status }, name }: { of: NonNullable<Invoice['option']>; name: string }): ReactNode {
  return (
    <>
      {name}
      {amount !== undefined && (
        <>
          {', '}
          <Money of={{ amount, currency }} />
        </>
      )}
      {`. ${OPTION_WORDS[status]()}`}
    </>
  );
}

/** Data that the shop's programs stored with an invoice, as text. Absent if there are none. */
export function Metadata({ of: metadata }: { of: Invoice['metadata'] }): ReactNode {
  if (Object.keys(metadata).length === 0) return null;
  return (
    <Card id="metadata" title={m.invoices_metadata()}>
      <div className={css['metadata']}>
        <p className="small soft">{m.invoices_metadata_hint()}</p>
        <pre>{JSON.stringify(metadata, null, 2)}</pre>
      </div>
    </Card>
  );
}
