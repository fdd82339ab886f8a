import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import { DayBars, dated } from './day-bars.tsx';
import css from './exchanged.module.css';
import { type Days, RANGES } from './days.ts';
import type { OverviewData } from './page.server.ts';

type Figures = OverviewData['figures'];

/** Interval between the dates below the bar chart, in days, by the selected number of days. */
const DATED: Readonly<Record<Days, number>> = { 7: 1, 30: 7, 90: 21 };

/** Card with the amount exchanged on each of the selected days, as a bar chart and as a table. */
export function Exchanged({ figures, days }: { figures: Figures; days: Days }): ReactNode {
  const isQuiet = figures.days.every(({ orders }) => orders === 0);
  return (
    <section className="card" aria-labelledby="exchanged-title">
      <div className={css['head']}>
        <h2 className="card-title" id="exchanged-title">
          {m.overview_exchanged({ days })}
        </h2>
        <b>
          <Money of={figures.exchanged} />
        </b>
        <Range days={days} />
      </div>
      {isQuiet ? (
        <p className={cx(css['quiet'], 'soft')}>{m.overview_quiet({ days })}</p>
      ) : (
        <>
          <DayBars days={figures.days.map(({ day, exchanged: { amount } }) => ({ day, usd: amount }))} every={DATED[days]} />
          <Table figures={figures} />
        </>
      )}
    </section>
  );
}

/** Choice of the number of days, which the URL contains. */
function Range({ days }: { days: Days }): ReactNode {
  const { locale } = useSite();
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate(pageUrl(locale, 'dashboard', chosen === '30' ? {} : { days: chosen }), { preventScrollReset: true });
  return (
    <span className={css['range']}>
      <select aria-label={m.overview_range()} value={days} onChange={(event) => choose(event.currentTarget.value)}>
        {RANGES.map((one) => (
          <option key={one} value={one}>
            {m.overview_days({ days: one })}
          </option>
        ))}
      </select>
      <Icon name="caret-down" size={16} />
    </span>
  );
}

function Table({ figures }: { figures: Figures }): ReactNode {
  const { locale } = useSite();
  const busy = figures.days.filter(({ orders }) => orders > 0);
  return (
    <details className={css['table']}>
      <summary className="link">{m.overview_as_table()}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{m.overview_day()}</th>
            <th scope="col">{m.dashboard_orders()}</th>
            <th scope="col">{m.overview_sum()}</th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ day, orders, exchanged: sum }) => (
            <tr key={day}>
              <td>{dated(day, locale)}</td>
              <td className="num">{orders}</td>
              <td>
                <Money of={sum} look="quiet" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
