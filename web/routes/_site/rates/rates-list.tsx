import type { ReactNode } from 'react';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import { closedWords } from '../../../features/contract-words.ts';
import { type Currency, coinOf, findCurrency, labelsOf, minDigits } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { m } from '../../../features/words.ts';
import { writeAmount, writePercent, writeShortRate } from '../../../ui/base/amount.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { writeClock } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import { type Filter, type Group, KINDS, writeFilter } from './filter.ts';
import css from './rates.module.css';

interface ListProps {
  readonly filter: Filter;
  readonly all: readonly Direction[];
  /** Number of directions that match the filter. */
  readonly found: number;
  readonly paged: { readonly groups: readonly Group[]; readonly pages: number; readonly page: number };
  readonly ratesAt: string | undefined;
  readonly isSeeded: boolean;
}

/** Body of the page: the filter, the matching directions, and links to further pages. Rendered on the server only. */
export function RatesList({ filter, all, found, paged, ratesAt, isSeeded }: ListProps): ReactNode {
  const locale = useLocale();
  return (
    <>
      <div className={css['head']}>
        <h1 className="section-title">{m.rates_title()}</h1>
        {ratesAt && (
          <span className="small mute num">
            {m.rates_updated({ time: writeClock(ratesAt, true) })}
            {isSeeded && ` · ${m.rates_seeded()}`}
          </span>
        )}
      </div>
      <p className={css['lead']}>{m.rates_lead()}</p>
      <Search filter={filter} all={all} />
      <p className={cx(css['found'], 'small soft')}>
        {m.rates_found({ count: found })}
        {Object.keys(writeFilter({ ...filter, page: 1 })).length > 0 && (
          <a className="link" href={pageUrl(locale, 'rates')}>
            {m.reset()}
          </a>
        )}
      </p>
      {found === 0 ? <Nothing isEmpty={all.length === 0} /> : <Table groups={paged.groups} />}
      <Pages filter={filter} page={paged.page} pages={paged.pages} />
    </>
  );
}

function Search({ filter, all }: { filter: Filter; all: readonly Direction[] }): ReactNode {
  const locale = useLocale();
  const { currencies } = useSite();
  const sides = [
    { name: 'from', label: m.you_send(), value: filter.from, codes: new Set(all.map(({ from }) => from)) },
    { name: 'to', label: m.you_receive(), value: filter.to, codes: new Set(all.map(({ to }) => to)) },
  ];
  return (
    <search>
      <form className={cx('card', css['search'])} action={pageUrl(locale, 'rates')}>
        <label>
          {m.rates_words()}
          <span className={css['field']}>
            <Icon name="magnifying-glass" size={16} />
            <input type="search" name="q" defaultValue={filter.q} maxLength={60} autoComplete="off" />
          </span>
        </label>
        {sides.map(({ name, label, value, codes }) => (
          <label key={name}>
            {label}
            <Select name={name} value={value} any={m.rates_any_currency()}>
              {[...codes].map((code) => (
                <option key={code} value={code}>
                  {[...new Set(Object.values(labelsOf(findCurrency(currencies, code))))].join(' ')}
                </option>
              ))}
            </Select>
          </label>
        ))}
        <label>
          {m.rates_kind()}
          <Select name="kind" value={filter.kind} any={m.rates_any_kind()}>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {{ crypto: m.rates_kind_crypto, ewallet: m.rates_kind_ewallet }[kind]()}
              </option>
            ))}
          </Select>
        </label>
        <Button type="submit">{m.rates_show()}</Button>
      </form>
    </search>
  );
}

function Select({ name, value, any, children }: { name: string; value: string; any: string; children: ReactNode }): ReactNode {
  return (
    <span className={css['field']}>
      <select name={name} defaultValue={value}>
        <option value="">{any}</option>
        {children}
      </select>
      <Icon name="caret-down" size={16} />
    </span>
  );
}

function Nothing({ isEmpty }: { isEmpty: boolean }): ReactNode {
  const locale = useLocale();
  return (
    <div className={cx('card', css['nothing'])}>
      <b>{isEmpty ? m.calculator_none() : m.nothing_matches()}</b>
      <p>{isEmpty ? m.calculator_none_text() : m.rates_nothing()}</p>
      {!isEmpty && (
        <a className="link" href={pageUrl(locale, 'rates')}>
          {m.rates_all()}
        </a>
      )}
    </div>
  );
}

function Table({ groups }: { groups: readonly Group[] }): ReactNode {
  return (
    <div className="card">
      <table className={css['table']}>
        <thead>
          <tr>
            {[m.you_receive(), m.slip_rate(), m.directions_fee(), m.rates_limits(), m.directions_reserve(), m.rates_state()].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        {groups.map(({ from, directions }) => (
          <tbody key={from}>
            <GroupHead code={from} />
            {directions.map((direction) => (
              <DirectionRow key={direction.slug} direction={direction} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function GroupHead({ code }: { code: string }): ReactNode {
  const currency = useCurrency(code);
  return (
    <tr className={css['give']}>
      <th scope="rowgroup" colSpan={6}>
        <span>
          <Coin {...coinOf(code)} size={26} />
          <span className={css['side']}>{m.you_send()}</span>
          <Name currency={currency} />
        </span>
      </th>
    </tr>
  );
}

function DirectionRow({ direction }: { direction: Direction }): ReactNode {
  const locale = useLocale();
  const [from, to] = [useCurrency(direction.from), useCurrency(direction.to)];
  const { rate, open, reason, slug, terms } = direction;
  return (
    <tr className={terms ? undefined : css['bare']}>
      <th scope="row">
        <a href={pageUrl(locale, 'service', { slug })}>
          <Icon name="arrow-right" size={16} />
          <Name currency={to} />
        </a>
      </th>
      <td>{rate ? `1\u00a0${rate.base} = ${writeShortRate(rate.value, locale)}\u00a0${rate.quote}` : '–'}</td>
      <td data-label={m.directions_fee()}>{writePercent(direction.fee_percent, locale)}</td>
      <td data-label={m.rates_limits()}>
        {terms ? (
          <>
            {writeAmount(direction.min, minDigits(from.payDigits), locale)} –{' '}
            <Money of={{ amount: direction.max, currency: from.code }} look="quiet" />
          </>
        ) : (
          '–'
        )}
      </td>
      <td data-label={m.directions_reserve()}>
        {terms ? <Money of={{ amount: direction.reserve, currency: to.code }} look="quiet" /> : '–'}
      </td>
      <td className={open ? css['open'] : css['closed']}>
        {open ? m.rates_open() : (closedWords(reason, locale) ?? m.directions_closed())}
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

function Pages({ filter, page, pages }: { filter: Filter; page: number; pages: number }): ReactNode {
  const locale = useLocale();
  if (pages === 1) return null;
  const href = (to: number): string => pageUrl(locale, 'rates', writeFilter({ ...filter, page: to }));
  return (
    <nav className={cx(css['pages'], 'num')} aria-label={m.rates_pages()}>
      {Array.from({ length: pages }, (_, index) => index + 1).map((one) => (
        <a key={one} href={href(one)} aria-current={one === page ? 'page' : undefined}>
          {one}
        </a>
      ))}
    </nav>
  );
}
