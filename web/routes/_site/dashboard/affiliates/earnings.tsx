import type { ReactNode } from 'react';
import { drawChart } from '../../../../features/chart/chart.ts';
import { ChartTable, LineChart } from '../../../../features/chart/line-chart.tsx';
import { m } from '../../../../features/words.ts';
import { writeAmount, writeDecimal } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { writeDay } from '../../../../ui/base/time.ts';
import type { Statistics } from './page.server.ts';
import css from './affiliates.module.css';
import { type Day, daysOf } from './days.ts';

/** Daily results: a line chart of the rewards, and all figures as a table. */
export function Earnings({ statistics, tools }: { statistics: Statistics; tools: ReactNode }): ReactNode {
  const locale = useLocale();
  const days = daysOf(statistics);
  const busy = days.filter(({ isBusy }) => isBusy);
  const hasRewards = busy.some(({ reward }) => !/^0[.0]*$/.test(reward));
  const dated = (day: string | undefined): string => (day === undefined ? '' : writeDay(`${day}T00:00:00Z`, locale));
  const chart = drawChart(days.map(({ day, reward }) => ({ at: Date.parse(day), value: reward })));
  return (
    <section className={cx('card', css['earnings'])} aria-labelledby="earnings-title">
      <div className={css['head']}>
        <h2 className="card-title" id="earnings-title">
          {m.affiliates_by_day()}
        </h2>
        {tools}
      </div>
      <div className="pad">
        {hasRewards ? (
          <LineChart
            chart={chart}
            label={m.affiliates_picture({ high: writeAmount(chart.high, 2, locale) })}
            tick={(value) => writeAmount(value, 2, locale)}
            days={[dated(days[0]?.day), dated(days[days.length >> 1]?.day), dated(days.at(-1)?.day)]}
          />
        ) : (
          <p className={cx(css['quiet'], 'soft')}>{m.affiliates_quiet()}</p>
        )}
        {busy.length > 0 && (
          <ChartTable name={m.overview_as_table()}>
            <Table days={busy.toReversed()} dated={dated} />
          </ChartTable>
        )}
      </div>
    </section>
  );
}

function Table({ days, dated }: { days: readonly Day[]; dated: (day: string) => string }): ReactNode {
  const locale = useLocale();
  const whole = (count: number): string => writeDecimal(String(count), locale);
  return (
    <table className="num">
      <thead>
        <tr>
          {[
            m.overview_day(),
            m.affiliates_clicks(),
            m.affiliates_column_sign_ups(),
            m.affiliates_column_orders(),
            m.affiliates_column_reward(),
          ].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, clicks, signUps, orders, reward }) => (
          <tr key={day}>
            <th scope="row">{dated(day)}</th>
            <td>{whole(clicks)}</td>
            <td>{whole(signUps)}</td>
            <td>{whole(orders)}</td>
            <td>{writeAmount(reward, 2, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
