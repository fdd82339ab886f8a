import type { ReactNode } from 'react';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import { closedWords } from '../../../features/contract-words.ts';
import { type Currency, coinOf, labelsOf } from '../../../features/currency.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { Money } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { writePercent, writeShortRate } from '../../../ui/base/amount.ts';
import { SearchButton } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { writeClock } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import css from './directions.module.css';

/** Table of the first directions with live rates. Its search and a link lead to the page of all rates. */
export function Directions({
  directions,
  first,
  rows: max,
  count,
  ratesAt,
  isSeeded,
}: {
  directions: readonly Direction[];
  /** Directions in the order in which the server rendered them. The table shows the first `rows` of them. */
  first: readonly Direction[];
  rows: number;
  /** Number of all directions that the desk offers. */
  count: number;
  ratesAt: string | undefined;
  isSeeded: boolean;
}): ReactNode {
  const locale = useLocale();
  const rows = first.slice(0, max).flatMap(({ slug }) => directions.find((direction) => direction.slug === slug) ?? []);
  const timed = rows.some(({ usual_minutes: minutes }) => minutes !== undefined);
  return (
    <section id="directions" aria-labelledby="directions-title">
      <Head ratesAt={ratesAt} isSeeded={isSeeded} />
      <div className="card">
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{m.directions_direction()}</th>
              <th scope="col">{m.slip_rate()}</th>
              <th scope="col">{m.directions_fee()}</th>
              <th scope="col">{m.directions_reserve()}</th>
              {timed && <th scope="col">{m.directions_time()}</th>}
              <th scope="col">
                <span className="sr">{m.directions_go()}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((direction) => (
              <DirectionRow key={direction.slug} direction={direction} hasTime={timed} />
            ))}
          </tbody>
        </table>
        <p className={css['all']}>
          <a className="link" href={pageUrl(locale, 'rates')}>
            {m.directions_all({ count })}
          </a>
        </p>
      </div>
    </section>
  );
}

/** Head of the table: title, time of the rates, and a search that leads to the page of all rates. */
function Head({ ratesAt, isSeeded }: { ratesAt: string | undefined; isSeeded: boolean }): ReactNode {
  const locale = useLocale();
  return (
    <div className={css['head']}>
      <h2 className="section-title" id="directions-title">
        {m.directions_title()}
      </h2>
      <div className={css['aside']}>
        {ratesAt && (
          <span className={cx(css['updated'], 'small mute num')}>
            <i />
            {m.rates_updated({ time: writeClock(ratesAt, true) })}
            {isSeeded && ` · ${m.rates_seeded()}`}
          </span>
        )}
        <search>
          <form className={css['search']} action={pageUrl(locale, 'rates')}>
            <SearchButton label={m.search_go()} />
            <input type="search" name="q" maxLength={60} aria-label={m.directions_search()} placeholder={m.directions_search()} />
          </form>
        </search>
      </div>
    </div>
  );
}

function DirectionRow({ direction, hasTime }: { direction: Direction; hasTime: boolean }): ReactNode {
  const locale = useLocale();
  const from = useCurrency(direction.from);
  const to = useCurrency(direction.to);
  const { rate } = direction;
  return (
    <tr>
      <td>
        <a className={css['pair']} href={pageUrl(locale, 'service', { slug: direction.slug })}>
          <span className={css['coins']}>
            <Coin {...coinOf(direction.from)} size={26} />
            <Coin {...coinOf(direction.to)} size={26} />
          </span>
          <Name currency={from} />
          <Icon name="arrow-right" size={18} className="mute" />
          <Name currency={to} />
        </a>
      </td>
      <td className="num" data-label={m.slip_rate()}>
        {rate ? `1\u00a0${rate.base} = ${writeShortRate(rate.value, locale)}\u00a0${rate.quote}` : '–'}
      </td>
      <td className="num" data-label={m.directions_fee()}>
        {writePercent(direction.fee_percent, locale)}
      </td>
      <td className="num" data-label={m.directions_reserve()}>
        <Money of={{ amount: direction.reserve, currency: direction.to }} look="quiet" />
      </td>
      {hasTime && (
        <td className={cx('num', direction.usual_minutes === undefined && css['none'])} data-label={m.directions_time()}>
          {direction.usual_minutes === undefined ? '–' : m.minutes({ minutes: direction.usual_minutes })}
        </td>
      )}
      <td>
        {direction.open ? (
          <a
            className="link"
            href={pageUrl(locale, 'service', { slug: direction.slug })}
            aria-label={`${m.directions_go()}: ${labelsOf(from).title} → ${labelsOf(to).title}`}
          >
            {m.directions_go()}
          </a>
        ) : (
          <span className="mute">{closedWords(direction.reason, locale) ?? m.directions_closed()}</span>
        )}
      </td>
    </tr>
  );
}

function Name({ currency }: { currency: Currency }): ReactNode {
  const { title, note } = labelsOf(currency);
  return (
    <span>
      {`${title} `}
      {note !== title && <span className="mute">{note}</span>}
    </span>
  );
}
