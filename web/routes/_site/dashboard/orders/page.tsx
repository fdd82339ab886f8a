import { type FormEvent, type ReactNode, useState } from 'react';
import { useLoaderData, useNavigate, useNavigation } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { orderExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { findCurrency, shortNameOf } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { DateField } from '../../../../ui/fields/date-field.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { type Closed, isClosed } from '../../../closed.ts';
import { Select } from '../../../../ui/fields/select.tsx';
import { pageUrl } from '../../../pages.ts';
import { GROUPS, type OrdersFilter, type OrdersGroup, dayError, groupName, isFiltered, queryOf } from './filter.ts';
import type { OrdersData } from './page.server.ts';
import { OrdersTable } from './orders-table.tsx';
import { showCurrent } from '../show-current.ts';
import css from './orders.module.css';
import { ExportButtons } from './export-buttons.tsx';
import { Pager } from './pager.tsx';
import { Skeleton } from '../frame/skeleton.tsx';

/** Page with the account's orders, by group, with filters. The URL contains the group, the filters and the page's number. */
export default function OrdersPage(): ReactNode {
  const data = useLoaderData<OrdersData | Closed>();
  const { locale } = useSite();
  const busy = useNavigation().state === 'loading';
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{m.dashboard_orders()}</h1>
        {!isClosed(data) && data.meta.total > 0 && (
          <ExportButtons ticket={(format) => exportClient.orderExportTicket({ ...data.request, format })} />
        )}
      </div>
      {isClosed(data) ? (
        <Skeleton rows={8} />
      ) : data.isWhole && data.meta.total === 0 ? (
        <div className={`card ${css['none']}`}>
          <p className="soft">{m.orders_none()}</p>
          <ButtonLink look="secondary" href={pageUrl(locale, 'newOrder')}>
            {m.orders_first()}
          </ButtonLink>
        </div>
      ) : (
        <section className="card" aria-label={m.dashboard_orders()} aria-busy={busy || undefined}>
          <Groups filter={data.filter} />
          <Filters key={JSON.stringify(data.filter)} data={data} />
          <div className={cx(busy && css['stale'])}>
            {data.orders.length > 0 ? <OrdersTable orders={data.orders} now={data.now} /> : <Nothing />}
          </div>
          <Pager
            meta={data.meta}
            label={m.orders_pages()}
            address={(more) => pageUrl(locale, 'orders', queryOf({ ...data.filter, ...more }))}
          />
        </section>
      )}
    </>
  );
}

function useAddress(): (filter: OrdersFilter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return (filter, more = {}) => pageUrl(locale, 'orders', queryOf({ ...filter, ...more }));
}

/** Links to the groups of orders. The other filters stay set. */
function Groups({ filter }: { filter: OrdersFilter }): ReactNode {
  const address = useAddress();
  const groups = ['all', ...(Object.keys(GROUPS) as OrdersGroup[])] as const;
  return (
    <nav ref={showCurrent} className={css['groups']} aria-label={m.orders_groups()}>
      {groups.map((status) => (
        <a key={status} href={address({ ...filter, status })} aria-current={status === filter.status ? 'true' : undefined}>
          {groupName(status)}
        </a>
      ))}
    </nav>
  );
}

function Filters({ data: { filter, wrongDays, now } }: { data: OrdersData }): ReactNode {
  const { locale, currencies } = useSite();
  const navigate = useNavigate();
  const address = useAddress();
  const [open, setOpen] = useState(isFiltered(filter));
  const words = { open: m.calendar_open(), before: m.calendar_before(), after: m.calendar_after() };
  const today = now.slice(0, 10);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
    );
    void navigate(pageUrl(locale, 'orders', queryOf({ status: filter.status, ...fields })));
  };
  const day = (name: 'from' | 'to', label: string): ReactNode => (
    <DateField name={name} label={label} start={filter[name]} today={today} words={words} error={dayError(wrongDays[name])} />
  );
  return (
    <>
      <div className={cx('only-mobile', css['open'])}>
        <Button look="secondary" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {m.orders_filter()}
        </Button>
      </div>
      <form className={cx(css['filters'], !open && css['closed'])} aria-label={m.orders_filter()} onSubmit={submit} noValidate>
        <Field name="q" label={m.orders_search()} type="search" maxLength={120} defaultValue={filter.q} />
        <Select name="currency" label={m.orders_currency()} defaultValue={filter.currency}>
          <option value="">{m.orders_any_currency()}</option>
          {currencies.map(({ code }) => (
            <option key={code} value={code}>
              {shortNameOf(findCurrency(currencies, code), currencies)}
            </option>
          ))}
        </Select>
        {day('from', m.orders_from())}
        {day('to', m.orders_to())}
        <div className={css['acts']}>
          <Button type="submit" look="secondary">
            {m.orders_show()}
          </Button>
          {isFiltered(filter) && (
            <a className="link" href={address({ status: filter.status, currency: '', from: '', to: '', q: '' })}>
              {m.orders_reset()}
            </a>
          )}
        </div>
      </form>
    </>
  );
}

function Nothing(): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['none']}>
      <output className="soft">{m.orders_nothing()}</output>
      <ButtonLink look="secondary" href={pageUrl(locale, 'orders')}>
        {m.orders_reset()}
      </ButtonLink>
    </div>
  );
}

const exportClient = clientOf(pageTransport(accessToken), { orderExportTicket });
