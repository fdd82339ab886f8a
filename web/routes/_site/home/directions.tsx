import { type ReactNode, useState } from 'react';
import type { Direction } from '../../../features/calculator/slip.ts';
import { closedWords } from '../../../features/contract-words.ts';
import { type Currency, coinOf, labelsOf } from '../../../features/currency.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writePercent, writeShortRate } from '../../../ui/amount.ts';
import { cx } from '../../../ui/cx.ts';
import { Coin, Icon } from '../../../ui/icon.tsx';
import { useLocale } from '../../../ui/locale.ts';
import { writeClock } from '../../../ui/time.ts';
import { pageUrl } from '../../pages.ts';
import css from './directions.module.css';

/** The table of directions with live rates, and its search. */
export function Directions({
  directions,
  ratesAt,
  seeded,
}: {
  directions: readonly Direction[];
  ratesAt: string | undefined;
  seeded: boolean;
}): ReactNode {
  const [query, setQuery] = useState('');
  const { currencies } = useSite();
  const textOf = (code: string): string => {
    const currency = currencies.find((one) => one.code === code);
    return [code, currency?.name, currency?.asset, currency?.network].join(' ').toLowerCase();
  };
  const words = query.toLowerCase().split(/\s+/);
  const rows = directions.filter(({ from, to }) => words.every((word) => `${textOf(from)} ${textOf(to)}`.includes(word)));
  return (
    <section id="directions" aria-labelledby="directions-title">
      <div className={css['head']}>
        <h2 className="section-title" id="directions-title">
          {m.directions_title()}
        </h2>
        <div className={css['aside']}>
          {ratesAt && (
            <span className={cx(css['updated'], 'small mute num')}>
              <i />
              {m.rates_updated({ time: writeClock(ratesAt, true) })}
              {seeded && ` · ${m.rates_seeded()}`}
            </span>
          )}
          <label className={css['search']}>
            <Icon name="magnifying-glass" size={16} />
            <span className="sr">{m.directions_search()}</span>
            <input
              type="search"
              placeholder={m.directions_search()}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </label>
        </div>
      </div>
      <div className="card">
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{m.directions_direction()}</th>
              <th scope="col">{m.slip_rate()}</th>
              <th scope="col">{m.directions_fee()}</th>
              <th scope="col">{m.directions_reserve()}</th>
              {directions.some(({ usual_minutes: minutes }) => minutes !== undefined) && (
                <th scope="col">{m.directions_time()}</th>
              )}
              <th scope="col">
                <span className="sr">{m.directions_go()}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((direction) => (
              <Row
                key={direction.slug}
                direction={direction}
                timed={directions.some(({ usual_minutes: minutes }) => minutes !== undefined)}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && (
          <p className={css['nothing']}>
            {m.nothing_matches()}{' '}
            <button type="button" className="link" onClick={() => setQuery('')}>
              {m.reset()}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

function Row({ direction, timed }: { direction: Direction; timed: boolean }): ReactNode {
  const locale = useLocale();
  const from = useCurrency(direction.from);
  const to = useCurrency(direction.to);
  const { rate } = direction;
  return (
    <tr>
      <td>
        <span className={css['pair']}>
          <span className={css['coins']}>
            <Coin {...coinOf(direction.from)} size={26} />
            <Coin {...coinOf(direction.to)} size={26} />
          </span>
          <Name currency={from} />
          <Icon name="arrow-right" size={18} className="mute" />
          <Name currency={to} />
        </span>
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
      {timed && (
        <td className={cx('num', direction.usual_minutes === undefined && css['none'])} data-label={m.directions_time()}>
          {direction.usual_minutes === undefined ? '–' : m.minutes({ minutes: direction.usual_minutes })}
        </td>
      )}
      <td>
        {direction.open ? (
          <a
            className="link"
            href={pageUrl(locale, 'home', { from: direction.from, to: direction.to })}
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
      {title} {note !== title && <span className="mute">{note}</span>}
    </span>
  );
}
