import type { ReactNode } from 'react';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { pageUrl } from '../../../../../pages.ts';
import { momentIn } from '../invoices/store-times.ts';
import css from './entries-table.module.css';
import { type Entry, KIND_NAMES } from './entry-words.ts';
import type { EntriesData } from './page.server.ts';
import { SignedMoney } from './signed-money.tsx';

/** Table of entries. On small screens each entry takes two lines. */
export function EntriesTable({ entries, data }: { entries: readonly Entry[]; data: EntriesData }): ReactNode {
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{m.entries_column_entry()}</th>
          <th scope="col">{m.entries_column_invoice()}</th>
          <th scope="col">{m.entries_column_time()}</th>
          <th scope="col" className={css['right']}>
            {m.entries_column_change()}
          </th>
          <th scope="col" className={css['right']}>
            {m.entries_column_balance()}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} data={data} />
        ))}
      </tbody>
    </table>
  );
}

function EntryRow({ entry, data: { store, now } }: { entry: Entry; data: EntriesData }): ReactNode {
  const { locale } = useSite();
  const { kind, account, at, currency, gross, net, invoice } = entry;
  return (
    <tr>
      <td className={css['kind']}>
        {KIND_NAMES[kind]()}
        {account === 'reserve' && <small>{m.entries_reserve()}</small>}
      </td>
      <td className={css['invoice']}>
        {invoice && (
          <a className="link num" href={pageUrl(locale, 'storeInvoice', { store: store.id, id: invoice.id })}>
            {invoice.number}
          </a>
        )}
        {entry.order_id !== undefined && <small>{entry.order_id}</small>}
      </td>
      <td className={cx(css['time'], 'num')}>
        <time dateTime={at}>{momentIn(store.timezone, at, now, locale)}</time>
      </td>
      <td className={css['change']}>
        <SignedMoney amount={net} currency={currency} isChange />
        {gross !== net && (
          <small>
            {m.entries_gross()} <SignedMoney amount={gross} currency={currency} />
          </small>
        )}
        {entry.worth !== undefined && entry.invoice_currency !== undefined && entry.invoice_currency !== currency && (
          <small>
            ≈ <SignedMoney amount={entry.worth} currency={entry.invoice_currency} />
          </small>
        )}
      </td>
      <td className={css['balance']}>
        <SignedMoney amount={entry[account]} currency={currency} />
      </td>
    </tr>
  );
}
