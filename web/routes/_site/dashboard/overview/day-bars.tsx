import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { writeAmount } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { writeDay } from '../../../../ui/base/time.ts';
import { HEIGHT, drawBars } from './bars.ts';
import css from './exchanged.module.css';

/** Writes a day (`YYYY-MM-DD`) without its year. */
export const dated = (day: string, locale: 'en' | 'ru'): string => writeDay(`${day}T00:00:00Z`, locale);

/**
 * Bar chart of sums in USD by day, oldest first. `every`: interval between the dates below it, in days. Programs that read the page
 * aloud skip the chart, so the page needs a table of the same sums.
 */
export function DayBars({
  days,
  every,
}: {
  days: readonly { readonly day: string; readonly usd: string }[];
  every: number;
}): ReactNode {
  const { locale } = useSite();
  const { heights, ticks } = drawBars(days.map(({ usd }) => usd));
  return (
    <div className={cx(css['chart'], days.length > 30 && css['dense'])} aria-hidden="true">
      <div className={css['plot']}>
        <svg className={css['grid']} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none">
          {ticks.map((tick, band) => (
            <path key={tick} d={`M0 ${(band * HEIGHT) / 4}H100`} />
          ))}
        </svg>
        <ul className={css['days']}>
          {days.map(({ day, usd }, index) => (
            <li key={day}>
              <svg viewBox={`0 0 1 ${HEIGHT}`} preserveAspectRatio="none">
                <rect width={1} y={HEIGHT - (heights[index] ?? 0)} height={heights[index] ?? 0} />
              </svg>
              <span className={cx(css['tip'], 'num')}>
                <b>{`${writeAmount(usd, 2, locale)}\u00a0USD`}</b> {dated(day, locale)}
              </span>
              <small>{index % every === 0 && dated(day, locale)}</small>
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
