import type { ReactNode } from 'react';
import { useLoaderData, useNavigation } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { storeEntryExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { ExportButtons } from '../../../orders/export-buttons.tsx';
import orders from '../../../orders/orders.module.css';
import pager from '../../../orders/pager.module.css';
import { PrintHead } from '../../../orders/print-head.tsx';
import { StorePage } from '../store-head.tsx';
import { showCurrent } from '../../../show-current.ts';
import css from './entries.module.css';
import { EntriesTable } from './entries-table.tsx';
import { ENTRY_GROUPS, type EntryGroup, groupName } from './entry-words.ts';
import { monthBeside, writeMonth } from './month.ts';
import type { EntriesData, EntriesFilter } from './page.server.ts';
import { UnitCard } from './unit-card.tsx';

/** Report of a store by month: what each unit began with, what moved, and what it ended with. The URL contains the filter. */
export default function StoreEntriesPage(): ReactNode {
  const data = useLoaderData<EntriesData | Closed>();
  return (
    <StorePage page="storeEntries" data={data}>
      {(own) => <ReportParts data={own} />}
    </StorePage>
  );
}

/** Returns a function that makes the URL of the report from a filter, with only the fields that are set. */
function useEntriesAddress(store: string): (filter: EntriesFilter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return ({ month, currency, group }, more = {}) => {
    const all = { month, currency, group: group === 'all' ? '' : group, ...more };
    const set = Object.entries(all).filter(([, value]) => value !== '');
    return pageUrl(locale, 'storeEntries', { store, ...Object.fromEntries(set) });
  };
}

function ReportParts({ data }: { data: EntriesData }): ReactNode {
  const { locale } = useSite();
  const { store, report, filter } = data;
  const busy = useNavigation().state === 'loading';
  const zone = report.timezone.replaceAll('_', ' ');
  return (
    <>
      <PrintHead title={`${m.store_report()}, ${writeMonth(report.month, locale)}`} note={store.name} now={data.now} />
      <div className={css['top']}>
        <MonthChoice data={data} />
        <div className={css['acts']}>
          <ExportButtons
            ticket={(format) =>
              exportClient.storeEntryExportTicket({
                ...{ store: store.id, month: report.month, format },
                ...(filter.currency !== '' && { currency: filter.currency }),
              })
            }
          />
          <Button look="secondary" size="small" icon="printer" onClick={() => print()}>
            {m.moves_print()}
          </Button>
        </div>
      </div>
      <p className={cx('small soft', css['zone'])}>{m.entries_lead({ zone })}</p>
      {report.units.length === 0 ? (
        <div className={cx('card', css['none'])}>
          <p className="soft">{store.test ? m.entries_none_test() : m.entries_none()}</p>
        </div>
      ) : (
        <div className={css['stack']}>
          <div className={css['units']}>
            {report.units.map((unit) => (
              <UnitCard key={unit.currency} unit={unit} month={report.month} />
            ))}
          </div>
          <Entries data={data} busy={busy} />
        </div>
      )}
    </>
  );
}

/** Name of the month, with links to those beside it. */
function MonthChoice({ data: { store, report, filter } }: { data: EntriesData }): ReactNode {
  const { locale } = useSite();
  const address = useEntriesAddress(store.id);
  const beside = (by: number) => monthBeside(report.month, by, report);
  const link = (by: -1 | 1): ReactNode => {
    const month = beside(by);
    if (month === undefined) return null;
    return (
      <ButtonLink
        look="secondary"
        size="tiny"
        href={address({ ...filter, month })}
        {...(by < 0 ? { rel: 'prev' } : { rel: 'next' })}
      >
        {writeMonth(month, locale)}
      </ButtonLink>
    );
  };
  return (
    <nav className={css['months']} aria-label={m.entries_months()}>
      {link(-1)}
      <h2 className="card-title">{writeMonth(report.month, locale)}</h2>
      {link(1)}
    </nav>
  );
}

function Entries({ data, busy }: { data: EntriesData; busy: boolean }): ReactNode {
  const { store, entries, filter } = data;
  const address = useEntriesAddress(store.id);
  const groups = ['all', ...(Object.keys(ENTRY_GROUPS) as EntryGroup[])] as const;
  return (
    <section className="card" aria-labelledby="entries-title" aria-busy={busy || undefined}>
      <h2 className="sr" id="entries-title">
        {m.entries_title()}
      </h2>
      <nav ref={showCurrent} className={orders['groups']} aria-label={m.entries_groups()}>
        {groups.map((group) => (
          <a key={group} href={address({ ...filter, group })} aria-current={group === filter.group ? 'true' : undefined}>
            {groupName(group)}
          </a>
        ))}
      </nav>
      {data.report.units.length > 1 && <Units data={data} />}
      <div className={cx(busy && orders['stale'])}>
        {entries.length > 0 ? (
          <EntriesTable entries={entries} data={data} />
        ) : (
          <div className={orders['none']}>
            <output className="soft">{data.next === undefined ? m.entries_nothing() : m.entries_nothing_yet()}</output>
          </div>
        )}
      </div>
      <Further data={data} />
    </section>
  );
}

/** Links that show the entries of one unit only. */
function Units({ data: { store, filter, report } }: { data: EntriesData }): ReactNode {
  const address = useEntriesAddress(store.id);
  return (
    <nav className={css['chips']} aria-label={m.entries_units()}>
      {['', ...report.units.map(({ currency }) => currency)].map((currency) => (
        <a
          key={currency}
          href={address({ ...filter, currency })}
          aria-current={currency === filter.currency ? 'true' : undefined}
        >
          {currency === '' ? m.entries_all_units() : currency.replaceAll('_', ' ')}
        </a>
      ))}
    </nav>
  );
}

/** Links to older entries, and back to the newest. */
function Further({ data: { store, filter, after, next } }: { data: EntriesData }): ReactNode {
  const address = useEntriesAddress(store.id);
  if (after === '' && next === undefined) return null;
  return (
    <nav className={pager['pager']} aria-label={m.entries_pages()}>
      <span className={pager['turn']}>
        {after !== '' && (
          <ButtonLink size="small" look="secondary" href={address(filter)}>
            {m.moves_look_newest()}
          </ButtonLink>
        )}
        {next !== undefined && (
          <ButtonLink size="small" look="secondary" href={address(filter, { after: next })} rel="next">
            {m.orders_after()}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}

const exportClient = clientOf(pageTransport(accessToken), { storeEntryExportTicket });
