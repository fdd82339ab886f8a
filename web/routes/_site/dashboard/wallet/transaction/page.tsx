import type { ReactNode } from 'react';
import { useLoaderData, useNavigation } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { transactionExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';
import { Money } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../../ui/fields/button.tsx';
import { cx } from '../../../../../ui/base/cx.ts';
import { type Closed, isClosed } from '../../../../closed.ts';
import { pageUrl } from '../../../../pages.ts';
import { ExportButtons } from '../../orders/export-buttons.tsx';
import { Pager } from '../../orders/pager.tsx';
import { PrintHead } from '../../orders/print-head.tsx';
import { Skeleton } from '../../frame/skeleton.tsx';
import { Move } from '../move.tsx';
import { OperationsFilters, OperationsKinds, isNarrowed, useOperationsAddress } from '../operations-filter.tsx';
import { OperationsTable } from '../operations-table.tsx';
import css from './transaction.module.css';
import type { MoveData, OperationsData } from './page.server.ts';
import { SearchedBack } from '../search-progress.tsx';
import { useUnitName } from '../unit-name.ts';

/** Page of all operations in the account's wallets, or of one operation. */
export default function TransactionPage(): ReactNode {
  const data = useLoaderData<OperationsData | MoveData | Closed>();
  if (!isClosed(data) && 'one' in data) return <Move data={data} />;
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{m.moves_title()}</h1>
        {!isClosed(data) && (data.meta.total > 0 || data.searched) && <Acts request={data.request} />}
      </div>
      {isClosed(data) ? <Skeleton rows={8} /> : <Operations data={data} />}
    </>
  );
}

function Acts({ request }: Pick<OperationsData, 'request'>): ReactNode {
  return (
    <div className={css['acts']}>
      <ExportButtons ticket={(format) => exportClient.transactionExportTicket({ ...request, format })} />
      <Button look="secondary" size="small" icon="printer" onClick={() => print()}>
        {m.moves_print()}
      </Button>
    </div>
  );
}

function Operations({ data }: { data: OperationsData }): ReactNode {
  const { locale } = useSite();
  const name = useUnitName();
  const busy = useNavigation().state === 'loading';
  const address = useOperationsAddress();
  const { filter, rows, meta, now, searched: looked } = data;
  if (data.isWhole && meta.total === 0)
    return (
      <div className={cx('card', css['none'])}>
        <p className="soft">{m.moves_none()}</p>
        <ButtonLink look="secondary" href={pageUrl(locale, 'deposit')}>
          {m.moves_first()}
        </ButtonLink>
      </div>
    );
  return (
    <section className={cx('card', css['list'])} aria-label={m.moves_title()} aria-busy={busy || undefined}>
      <PrintHead
        title={filter.currency === '' ? m.moves_statement_all() : m.moves_statement({ name: name(filter.currency) })}
        now={now}
        note={filter.from === '' && filter.to === '' ? '' : `${filter.from} – ${filter.to}`.trim()}
      />
      <OperationsKinds data={data} />
      <OperationsFilters key={JSON.stringify(filter)} data={data} />
      <Balances data={data} />
      <div className={cx(busy && css['stale'])}>
        {rows.length > 0 ? (
          <OperationsTable rows={rows} now={now} />
        ) : (
          <div className={css['none']}>
            <output className="soft">{looked?.next ? m.moves_nothing_yet() : m.moves_nothing()}</output>
            {(isNarrowed(filter) || filter.kind !== 'all') && (
              <ButtonLink look="secondary" href={pageUrl(locale, 'transactions')}>
                {m.moves_reset()}
              </ButtonLink>
            )}
          </div>
        )}
      </div>
      {looked ? (
        <SearchedBack searched={looked} isFurther={data.before !== ''} address={(more) => address(filter, more)} />
      ) : (
        <Pager meta={meta} label={m.moves_pages()} address={(more) => address(filter, more)} />
      )}
    </section>
  );
}

/** Balances of the chosen wallet before the first and after the last of the chosen days. */
function Balances({ data: { filter, figures, request } }: { data: OperationsData }): ReactNode {
  const { opening, closing } = figures;
  if (opening === null || closing === null) return null;
  const of = (amount: string) => ({ amount, currency: filter.currency });
  return (
    <dl className={css['standing']}>
      <div>
        <dt>{request.from === undefined ? m.moves_opening_first() : m.moves_opening({ day: filter.from })}</dt>
        <dd>
          <Money of={of(opening)} look="quiet" />
        </dd>
      </div>
      <div>
        <dt>{request.to === undefined ? m.moves_closing_now() : m.moves_closing({ day: filter.to })}</dt>
        <dd>
          <Money of={of(closing)} look="quiet" />
        </dd>
      </div>
    </dl>
  );
}

const exportClient = clientOf(pageTransport(accessToken), { transactionExportTicket });
