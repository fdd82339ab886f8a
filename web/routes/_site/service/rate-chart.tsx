import { cutRate, formatRate, invert, parseRate } from '@kurs/money';
import type { ReactNode } from 'react';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import { type Chart, type ChartPoint, drawChart, isShort, thinned } from '../../../features/chart/chart.ts';
import { ChartTable, LineChart } from '../../../features/chart/line-chart.tsx';
import { m } from '../../../features/words.ts';
import { writeShortRate } from '../../../ui/base/amount.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useLocale } from '../../../ui/base/locale.ts';
import { writeClock, writeDay, writeTime } from '../../../ui/base/time.ts';
import css from './service.module.css';
import type { ServiceFacts } from './service-facts.ts';

/**
 * Section with the rate of the last seven days, as a line chart and as a table. Absent if both currencies have the same asset.
 */
export function RateChart({ facts, now }: { facts: ServiceFacts; now: string }): ReactNode {
  const locale = useLocale();
  const { history, direction, isSeeded } = facts;
  const { base, quote } = history;
  const known = history.points.map(({ at, value }) => ({ at: Date.parse(at), value }));
  const present = direction.rate && base && presentIn(direction.rate, base);
  if (base === quote || base === undefined || quote === undefined) return null;
  const past = thinned(known);
  const points = present ? [...past, { at: Date.parse(now), value: present }] : past;
  const chart = points.length < 2 ? undefined : drawChart(points);
  return (
    <section className={cx('card', css['rate'])} aria-labelledby="rate-title">
      <div className={css['rateHead']}>
        <h2 className="card-title" id="rate-title">
          {m.service_rate_title()}
        </h2>
        {present && <b className="num">{writeShortRate(present, locale)}</b>}
      </div>
      {chart && <Plot chart={chart} points={points} words={{ base, quote }} />}
      <p className="tiny mute">
        {chart ? m.service_rate_note({ base, quote }) : m.service_rate_none()}
        {isSeeded && ` ${m.service_rate_seeded()}`}
        {chart &&
          isShort(known) &&
          known[0] &&
          ` ${m.service_rate_since({ time: writeTime(new Date(known[0].at).toISOString(), locale) })}`}
      </p>
      {chart && (
        <ChartTable name={m.service_rate_table()}>
          <RateTable points={past} isByDay={!isShort(known)} present={present || undefined} />
        </ChartTable>
      )}
    </section>
  );
}

/**
 * Returns the current rate with the history's base asset. If both assets have about the same value, the current rate may have the
 * other asset as its base. Such a rate is inverted.
 */
function presentIn({ base, quote, value }: NonNullable<Direction['rate']>, first: string): string {
  return base === first ? value : formatRate(cutRate(invert(parseRate(base, quote, value)), 'down'));
}

function Plot({
  chart,
  points,
  words,
}: {
  chart: Chart;
  points: readonly ChartPoint[];
  words: { readonly base: string; readonly quote: string };
}): ReactNode {
  const locale = useLocale();
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const label = m.service_rate_picture({
    ...words,
    low: writeShortRate(chart.low, locale),
    high: writeShortRate(chart.high, locale),
  });
  const when = (at: number): string => {
    const time = new Date(at).toISOString();
    return isShort(points) ? writeClock(time) : writeDay(time, locale);
  };
  return (
    <LineChart
      chart={chart}
      label={label}
      tick={(value) => writeShortRate(value, locale)}
      days={[when(first), when((first + last) / 2), m.service_rate_now()]}
    />
  );
}

const HOURS = ['00:00', '08:00', '16:00'];

/** Table of the rates, with a row per day and a column per hour. For a short history it has a row per hour. */
function RateTable({
  points,
  isByDay,
  present,
}: {
  points: readonly ChartPoint[];
  isByDay: boolean;
  present: string | undefined;
}): ReactNode {
  const locale = useLocale();
  const at = points.map((point) => ({ time: new Date(point.at).toISOString(), value: writeShortRate(point.value, locale) }));
  const days = [...new Set(at.map(({ time }) => time.slice(0, 10)))];
  const rows = isByDay
    ? days.map((day) => ({
        name: writeDay(`${day}T00:00:00Z`, locale),
        cells: HOURS.map((hour) => at.find(({ time }) => time.startsWith(`${day}T${hour}`))?.value ?? '–'),
      }))
    : at.map(({ time, value }) => ({ name: `${writeDay(time, locale)}, ${writeClock(time)}`, cells: [value] }));
  return (
    <table className="num">
      <thead>
        <tr>
          <th scope="col">UTC</th>
          {(isByDay ? HOURS : [m.slip_rate()]).map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
        {present && (
          <tr>
            <th scope="row">{m.service_rate_now()}</th>
            <td colSpan={isByDay ? HOURS.length : 1}>{writeShortRate(present, locale)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
