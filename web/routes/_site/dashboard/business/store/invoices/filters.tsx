import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { DateField } from '../../../../../../ui/fields/date-field.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { pageUrl } from '../../../../../pages.ts';
import { dayError } from '../../../orders/filter.ts';
import orders from '../../../orders/orders.module.css';
import { showCurrent } from '../../../show-current.ts';
import {
  INVOICE_GROUPS,
  type InvoiceGroup,
  type InvoicesFilter,
  OTHER_GROUPS,
  filterQuery,
  groupName,
  isNarrowed,
} from './invoice-groups.ts';
import css from './invoices.module.css';
import type { InvoicesData } from './page.server.ts';

/** Returns a function that makes the URL of a store's list from a filter, with only the fields that are set. */
export function useInvoicesAddress(store: string): (filter: InvoicesFilter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return (filter, more = {}) => pageUrl(locale, 'storeInvoices', { store, ...filterQuery(filter), ...more });
}

/** Links to the groups of invoices. The other filters stay set. */
export function InvoiceGroups({ data: { store, filter } }: { data: InvoicesData }): ReactNode {
  const address = useInvoicesAddress(store.id);
  const groups = ['all', ...(Object.keys({ ...INVOICE_GROUPS, ...OTHER_GROUPS }) as InvoiceGroup[])] as const;
  return (
    <nav ref={showCurrent} className={orders['groups']} aria-label={m.invoices_groups()}>
      {groups.map((state) => (
        <a key={state} href={address({ ...filter, state })} aria-current={state === filter.state ? 'true' : undefined}>
          {groupName(state)}
        </a>
      ))}
    </nav>
  );
}

/** Form with the other filters of the list. On phones a button opens it. */
export function InvoiceFilters({ data: { store, filter, wrongDays, wrongSums, now } }: { data: InvoicesData }): ReactNode {
  const navigate = useNavigate();
  const address = useInvoicesAddress(store.id);
  const [open, setOpen] = useState(isNarrowed(filter));
  const words = { open: m.calendar_open(), before: m.calendar_before(), after: m.calendar_after() };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    void navigate(address({ ...filter, ...Object.fromEntries(fields) }));
  };
  const day = (name: 'from' | 'to', label: string): ReactNode => (
    <DateField {...{ name, label, words }} start={filter[name]} today={now.slice(0, 10)} error={dayError(wrongDays[name])} />
  );
  const sum = (name: 'min' | 'max', label: string): ReactNode => (
    <Field
      {...{ name, label, inputMode: 'decimal', autoComplete: 'off', maxLength: 40, defaultValue: filter[name] }}
      error={wrongSums.includes(name) ? m.moves_wrong_sum() : undefined}
    />
  );
  return (
    <>
      <div className={cx('only-mobile', orders['open'])}>
        <Button look="secondary" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {m.orders_filter()}
        </Button>
      </div>
      <form
        className={cx(orders['filters'], css['filters'], !open && orders['closed'])}
        aria-label={m.orders_filter()}
        onSubmit={submit}
        noValidate
      >
        <Field name="q" label={m.invoices_search()} type="search" maxLength={120} defaultValue={filter.q} />
        {day('from', m.orders_from())}
        {day('to', m.orders_to())}
        {sum('min', m.invoices_min())}
        {sum('max', m.invoices_max())}
        <div className={orders['acts']}>
          <Button type="submit" look="secondary">
            {m.orders_show()}
          </Button>
          {isNarrowed(filter) && (
            <a className="link" href={address({ state: filter.state, from: '', to: '', min: '', max: '', q: '' })}>
              {m.orders_reset()}
            </a>
          )}
        </div>
      </form>
    </>
  );
}
