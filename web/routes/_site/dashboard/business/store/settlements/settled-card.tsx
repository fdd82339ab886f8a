import type { ReactNode } from 'react';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { DayBars, dated } from '../../../overview/day-bars.tsx';
import chart from '../../../overview/exchanged.module.css';
import { isZero } from '../../../wallet/worth.ts';
import { Card } from '../../card.tsx';
import css from './settlements.module.css';
import type { StoreBalance } from './page.server.ts';

/** Interval between the dates below the chart, in days. */
const DATED = 7;

/** Card with the worth of what was settled on each of the last days, as a bar chart and as a table. */
export function SettledCard({ days }: { days: StoreBalance['days'] }): ReactNode {
  const { locale } = useSite();
  const busy = days.filter(({ usd }) => !isZero(usd));
  return (
    <Card id="settled" title={m.settlements_by_day({ days: days.length })}>
      {busy.length === 0 ? (
        <p className={css['quiet']}>{m.settlements_quiet()}</p>
      ) : (
        <>
          <DayBars days={days} every={DATED} />
          <details className={chart['table']}>
            <summary className="link">{m.overview_as_table()}</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col">{m.overview_day()}</th>
                  <th scope="col">{m.overview_sum()}</th>
                </tr>
              </thead>
              <tbody>
                {busy.toReversed().map(({ day, usd }) => (
                  <tr key={day}>
                    <td>{dated(day, locale)}</td>
                    <td>
                      <Money of={{ amount: usd, currency: 'USD' }} look="quiet" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </Card>
  );
}
