import type { ReactNode } from 'react';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount } from '../../../ui/amount.ts';
import { writeDay } from '../../../ui/time.ts';
import { HEIGHT, drawBars } from './bars.ts';
import css from './exchanged.module.css';
import type { OverviewData } from './overview-data.ts';

const STEP = 20;
const BAR = 14;

/** What was exchanged on each of the last 30 days: bars, and the same as a table. */
export function Exchanged({ figures }: Pick<OverviewData, 'figures'>): ReactNode {
  const { locale } = useSite();
  const { days, exchanged } = figures;
  const { heights, ticks } = drawBars(days.map((day) => day.exchanged.amount));
  const dated = (day: string): string => writeDay(`${day}T00:00:00Z`, locale);
  const busy = days.filter(({ orders }) => orders > 0);
  return (
    <section className="card" aria-labelledby="exchanged-title">
      <div className={css['head']}>
        <h2 className="card-title" id="exchanged-title">
          {m.overview_exchanged()}
        </h2>
        <b>
          <Money of={exchanged} />
        </b>
      </div>
      <div className={css['chart']} aria-hidden="true">
        <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none">
          {ticks.map((tick, band) => (
            <path key={tick} className={css['grid']} d={`M0 ${(band * HEIGHT) / 4}H${days.length * STEP}`} />
          ))}
          {days.map(({ day, exchanged: sum }, index) => (
            <rect
              key={day}
              x={index * STEP + (STEP - BAR) / 2}
              y={HEIGHT - (heights[index] ?? 0)}
              width={BAR}
              height={heights[index] ?? 0}
            >
              <title>{`${dated(day)}: ${writeAmount(sum.amount, 2, locale)} USD`}</title>
            </rect>
          ))}
        </svg>
        <ul className={css['ticks']}>
          {ticks.map((tick) => (
            <li key={tick} className="num">
              {writeAmount(tick, 0, locale)}
            </li>
          ))}
        </ul>
        <ul className={css['dates']}>
          {days.map(({ day }, index) => (
            <li key={day}>{index % 7 === 0 && dated(day)}</li>
          ))}
        </ul>
      </div>
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
                <td>{dated(day)}</td>
                <td className="num">{orders}</td>
                <td>
                  <Money of={sum} look="quiet" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
