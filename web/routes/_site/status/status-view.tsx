import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../../features/currency.ts';
import { useSite } from '../../../features/site.ts';
import { filled } from '../../../server/document/page-words.ts';
import type { SiteLocale } from '../../../site.ts';
import { writePercent } from '../../../ui/base/amount.ts';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { writeDay, writeTime } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import css from './status.module.css';
import { STATUS_WORDS } from './status-words.ts';

type Status = Output<Routes['status']>;
type Day = Status['rails'][number]['days'][number];
export type ShownRail = Status['rails'][number] & { readonly name: string };

interface StatusProps {
  readonly status: Status;
  readonly rails: readonly ShownRail[];
  readonly locale: SiteLocale;
}

/** Longest time since the last check of a rail, in ms. After it the status is shown as unknown. */
const SILENT_MS = 120_000;

/** Page for the time until a status could be read. */
export function StatusUnread({ locale }: Pick<StatusProps, 'locale'>): ReactNode {
  const words = STATUS_WORDS[locale];
  return (
    <>
      <header className={css['head']}>
        <h1 className="title">{words.title}</h1>
      </header>
      <Message tone="warning" title={words.unread} />
    </>
  );
}

/** Body of the status page. Rendered on the server only. */
export function StatusView({ status, rails, locale }: StatusProps): ReactNode {
  const words = STATUS_WORDS[locale];
  const down = rails.filter(({ up, on }) => on && !up).length;
  const off = rails.filter(({ on }) => !on).length;
  const looked = Math.max(0, ...rails.map(({ checked_at }) => Date.parse(checked_at)));
  const silentMs = Date.parse(status.at) - looked;
  return (
    <>
      <header className={css['head']}>
        <h1 className="title">{words.title}</h1>
        <p className="small mute num">{filled(words.at, locale, { time: writeTime(status.at, locale) })}</p>
      </header>
      {rails.length > 0 && silentMs > SILENT_MS ? (
        <Message tone="warning" title={filled(words.silent, locale, { minutes: Math.floor(silentMs / 60_000) })} />
      ) : (
        <Message
          tone={down + off === 0 ? 'success' : 'warning'}
          title={
            down + off === 0
              ? words.all_well
              : [
                  ...(down > 0 ? [filled(words.some_down, locale, { count: down })] : []),
                  ...(off > 0 ? [filled(words.some_off, locale, { count: off })] : []),
                ].join(' ')
          }
        />
      )}
      <section className={css['section']} aria-labelledby="rails-title">
        <h2 className="section-title" id="rails-title">
          {words.rails.title}
        </h2>
        <ul className={cx('card', css['rails'])}>
          {rails.map((rail) => (
            <Rail key={rail.rail} rail={rail} locale={locale} />
          ))}
        </ul>
        <p className={cx('tiny mute', css['legend'])}>{filled(words.rails.legend, locale)}</p>
      </section>
      <Times status={status} locale={locale} />
    </>
  );
}

/** Returns the number of days on which the rail was monitored, and the percentage of the monitored time in which it answered. */
function answered(days: readonly Day[]): { days: number; percent: string } {
  const watched = days.reduce((sum, day) => sum + day.watched, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return { days: days.filter((day) => day.watched > 0).length, percent: share(watched, down) };
}

/** Returns the percentage of the monitored time without an outage. It is rounded down, so that only uninterrupted time is 100. */
const share = (watched: number, down: number): string =>
  String(watched === 0 ? 0 : Math.floor(((watched - down) * 10_000) / watched) / 100);

function Rail({ rail, locale }: { rail: ShownRail; locale: SiteLocale }): ReactNode {
  const words = STATUS_WORDS[locale].rails;
  const { days, percent } = answered(rail.days);
  const known = { days, percent: writePercent(percent, locale) };
  const works = rail.up && rail.on;
  return (
    <li>
      <div className={css['name']}>
        <b>{rail.name}</b>
        <span className={cx(css['state'], works ? css['up'] : css['down'])}>
          <Icon name={works ? 'check-circle-fill' : 'warning-fill'} size={16} />
          {rail.on ? (rail.up ? words.up : words.down) : words.off}
        </span>
        <span className="tiny mute num">
          {rail.up
            ? days > 0 && filled(words.share, locale, known)
            : filled(words.since, locale, { time: writeTime(rail.since, locale) })}
        </span>
      </div>
      <Bars days={rail.days} label={filled(words.picture, locale, { name: rail.name, ...known })} />
      <details className={css['table']}>
        <summary className="tiny">
          {words.table}
          <Icon name="caret-down" size={14} />
        </summary>
        <table className="num">
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.answered}</th>
            </tr>
          </thead>
          <tbody>
            {rail.days
              .filter(({ watched }) => watched > 0)
              .map(({ day, watched, down }) => (
                <tr key={day}>
                  <th scope="row">{writeDay(`${day}T00:00:00Z`, locale)}</th>
                  <td>{writePercent(share(watched, down), locale)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </li>
  );
}

/**
 * Share of a day's monitored time. If the outages of the day took less time than this share, the day's outage is shown as short.
 */
const BAD = 0.01;

/** Chart with one bar per day: no outage, a short one, a long one, or unknown. */
function Bars({ days, label }: { days: readonly Day[]; label: string }): ReactNode {
  const look = ({ watched, down }: Day): string | undefined =>
    watched === 0 ? css['unknown'] : down === 0 ? css['well'] : down / watched < BAD ? css['short'] : css['long'];
  return (
    <svg className={css['bars']} viewBox={`0 0 ${days.length * 10} 32`} preserveAspectRatio="none" role="img" aria-label={label}>
      {days.map((day, index) => (
        <rect key={day.day} className={look(day)} x={index * 10 + 1.5} y="0" width="7" height="32" rx="1.5" />
      ))}
    </svg>
  );
}

function Times({ status, locale }: { status: Status; locale: SiteLocale }): ReactNode {
  const words = STATUS_WORDS[locale].times;
  const { currencies } = useSite();
  const nameOf = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  const minutes = (count: number): string => filled(words.minutes, locale, { count });
  return (
    <section className={css['section']} aria-labelledby="times-title">
      <h2 className="section-title" id="times-title">
        {words.title}
      </h2>
      <p className={css['lead']}>{filled(words.lead, locale)}</p>
      {status.directions.length === 0 ? (
        <p className={cx('card pad', css['none'])}>{filled(words.none, locale)}</p>
      ) : (
        <div className="card">
          <table className={cx(css['times'], 'num')}>
            <thead>
              <tr>
                <th scope="col">{words.direction}</th>
                <th scope="col">{words.orders}</th>
                <th scope="col">{words.half}</th>
                <th scope="col">{words.most}</th>
              </tr>
            </thead>
            <tbody>
              {status.directions.map(({ from, to, slug, orders, median_minutes, most_minutes }) => (
                <tr key={slug}>
                  <th scope="row">
                    <a className="link" href={pageUrl(locale, 'service', { slug })}>
                      {nameOf(from)} → {nameOf(to)}
                    </a>
                  </th>
                  <td data-label={words.orders}>{orders}</td>
                  <td data-label={words.half}>{minutes(median_minutes)}</td>
                  <td data-label={words.most}>{minutes(most_minutes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
