import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeAmount } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { writeDay } from '../../../../ui/base/time.ts';
import { pageUrl } from '../../../pages.ts';
import { HEIGHT, drawBars } from './bars.ts';
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
          <Chart figures={figures} days={days} />
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

function Chart({ figures, days }: { figures: Figures; days: Days }): ReactNode {
  const { locale } = useSite();
  const { heights, ticks } = drawBars(figures.days.map((day) => day.exchanged.amount));
  return (
    <div className={cx(css['chart'], days > 30 && css['dense'])} aria-hidden="true">
      <div className={css['plot']}>
        <svg className={css['grid']} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none">
          {ticks.map((tick, band) => (
            <path key={tick} d={`M0 ${(band * HEIGHT) / 4}H100`} />
          ))}
        </svg>
        <ul className={css['days']}>
          {figures.days.map(({ day, exchanged: sum }, index) => (
            <li key={day}>
              <svg viewBox={`0 0 1 ${HEIGHT}`} preserveAspectRatio="none">
                <rect width={1} y={HEIGHT - (heights[index] ?? 0)} height={heights[index] ?? 0} />
              </svg>
              <span className={cx(css['tip'], 'num')}>
                <b>{`${writeAmount(sum.amount, 2, locale)}\u00a0USD`}</b> {dated(day, locale)}
              </span>
              <small>{index % DATED[days] === 0 && dated(day, locale)}</small>
            </li>
          ))}
        </ul>
      </div>
      <ul className={css['ticks']}>
        {ticks.map((tick) => (
          <li key={tick} className="num">
            {writeAmount(tick, 0, locale)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const dated = (day: string, locale: 'en' | 'ru'): string => writeDay(`${day}T00:00:00Z`, locale);

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
