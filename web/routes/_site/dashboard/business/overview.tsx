import type { ReactNode } from 'react';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { pageUrl } from '../../../pages.ts';
import charts from '../overview/exchanged.module.css';
import { DayBars, dated } from '../overview/day-bars.tsx';
import css from './overview.module.css';
import type { StoresOverview } from './page.server.ts';
import type { InvoiceGroup } from './store/invoices/invoice-groups.ts';
import type { OwnStore } from './store-words.ts';

type Waiting = StoresOverview['waiting'][number];

/** Money of the account's stores, invoices that wait for somebody, and the sales of the last 30 days. */
export function Overview({ overview, stores }: { overview: StoresOverview; stores: readonly OwnStore[] }): ReactNode {
  return (
    <>
      <div className={css['pair']}>
        <section className="card" aria-labelledby="money-title">
          <h2 className={`card-title ${css['head']}`} id="money-title">
            {m.business_money()}
          </h2>
          <Balances overview={overview} />
        </section>
        <section className="card" aria-labelledby="waiting-title">
          <h2 className={`card-title ${css['head']}`} id="waiting-title">
            {m.business_waiting()}
          </h2>
          <WaitingList waiting={overview.waiting} stores={stores} />
        </section>
      </div>
      <Sales sales={overview.sales} />
    </>
  );
}

/** Sums of the stores together by currency: the balance, and beside it what is in the reserve. */
function Balances({ overview: { balances, reserves } }: { overview: StoresOverview }): ReactNode {
  const onlyReserved = reserves.filter(({ currency }) => balances.every((sum) => sum.currency !== currency));
  const rows = [...balances, ...onlyReserved.map(({ currency }) => ({ amount: '0', currency }))];
  if (rows.length === 0) return <p className={`soft ${css['none']}`}>{m.business_money_none()}</p>;
  return (
    <ul className={css['list']}>
      {rows.map((sum) => {
        const reserve = reserves.find(({ currency }) => currency === sum.currency);
        return (
          <li key={sum.currency}>
            <span className={css['balance']}>
              <Money of={sum} look="quiet" />
            </span>
            {reserve && (
              <span className="small soft">
                {m.business_money_reserve()} <Money of={reserve} look="quiet" />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const STATES: readonly {
  readonly state: Waiting['state'];
  readonly group: InvoiceGroup;
  readonly words: (count: number) => string;
}[] = [
  { state: 'short', group: 'short', words: (count) => m.business_waiting_short({ count }) },
  { state: 'confirming', group: 'confirming', words: (count) => m.business_waiting_confirming({ count }) },
  { state: 'open', group: 'open', words: (count) => m.business_waiting_open({ count }) },
];

/** Invoices that wait, by store; those that need a decision come first. */
function WaitingList({ waiting, stores }: Pick<StoresOverview, 'waiting'> & { stores: readonly OwnStore[] }): ReactNode {
  const { locale } = useSite();
  const rows = STATES.flatMap(({ state, group, words }) =>
    waiting
      .filter((one) => one.state === state)
      .map(({ store, count }) => ({ key: `${store} ${state}`, store, group, text: words(count) })),
  );
  if (rows.length === 0) return <p className={`soft ${css['none']}`}>{m.business_waiting_none()}</p>;
  return (
    <ul className={css['list']}>
      {rows.map(({ key, store, group, text }) => (
        <li key={key}>
          <a className="link" href={pageUrl(locale, 'storeInvoices', { store, state: group })}>
            {text}
          </a>
          <span className="tiny mute">{stores.find(({ id }) => id === store)?.name}</span>
        </li>
      ))}
    </ul>
  );
}

function Sales({ sales: { sum, invoices, days } }: Pick<StoresOverview, 'sales'>): ReactNode {
  const { locale } = useSite();
  const busy = days.filter((day) => day.invoices > 0);
  return (
    <section className="card" aria-labelledby="sales-title">
      <div className={charts['head']}>
        <h2 className="card-title" id="sales-title">
          {m.business_sales_days()}
        </h2>
        <b>
          <Money of={sum} />
        </b>
      </div>
      {invoices === 0 ? (
        <p className={`soft ${css['none']}`}>{m.business_sales_none()}</p>
      ) : (
        <>
          <DayBars days={days.map(({ day, sum: { amount } }) => ({ day, usd: amount }))} every={7} />
          <details className={charts['table']}>
            <summary className="link">{m.overview_as_table()}</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col">{m.overview_day()}</th>
                  <th scope="col">{m.store_invoices()}</th>
                  <th scope="col">{m.overview_sum()}</th>
                </tr>
              </thead>
              <tbody>
                {busy.map((row) => (
                  <tr key={row.day}>
                    <td>{dated(row.day, locale)}</td>
                    <td className="num">{row.invoices}</td>
                    <td>
                      <Money of={row.sum} look="quiet" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="tiny mute">{m.business_sales_hint()}</p>
          </details>
        </>
      )}
    </section>
  );
}
