import type { ReactNode } from 'react';
import { Figures } from '../../../../features/blocks/blocks.tsx';
import type { Direction } from '../../../../features/calculator/price-breakdown.ts';
import { closedWords } from '../../../../features/contract-words.ts';
import { coinOf, findCurrency, minDigits, shortNameOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { filled } from '../../../../server/document/page-words.ts';
import { writeAmount, writePercent, writeShortRate } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { useLocale } from '../../../../ui/base/locale.ts';
import { pageUrl } from '../../../pages.ts';
import css from '../solutions.module.css';

export interface TableWords {
  readonly direction: string;
  readonly rate: string;
  readonly fee: string;
  readonly limits: string;
  readonly reserve: string;
  readonly closed: string;
  readonly closed_plain: string;
  readonly note: string;
  readonly limits_note: string;
}

/** Table of directions with their prices. Each links to the direction's page. The text `empty` replaces a table without rows. */
export function DealsTable({
  rows,
  words,
  empty,
  limits = words.limits_note,
}: {
  rows: readonly Direction[];
  words: TableWords;
  empty: string;
  /** Note about the customers for whom the limits are valid; by default, visitors. */
  limits?: string;
}): ReactNode {
  if (rows.length === 0) return <p className={cx('card pad soft', css['none'])}>{empty}</p>;
  return (
    <div className={css['deals']}>
      <Figures
        head={[words.direction, words.rate, words.fee, words.limits, words.reserve]}
        rows={rows.map((direction) => cellsOf(direction, words))}
        note={`${words.note} ${limits}`}
      />
    </div>
  );
}

function cellsOf(direction: Direction, words: TableWords): ReactNode[] {
  return [
    <Pair key="pair" direction={direction} words={words} />,
    direction.rate ? <Rate key="rate" of={direction.rate} /> : '–',
    <Fee key="fee" direction={direction} />,
    direction.open ? <Limits key="limits" direction={direction} /> : '–',
    direction.open ? <Money key="reserve" of={{ amount: direction.reserve, currency: direction.to }} look="quiet" /> : '–',
  ];
}

function Pair({ direction, words }: { direction: Direction; words: TableWords }): ReactNode {
  const locale = useLocale();
  const { currencies } = useSite();
  const name = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  const reason = closedWords(direction.reason, locale);
  return (
    <span className={css['deal']}>
      <a className={css['pair']} href={pageUrl(locale, 'service', { slug: direction.slug })}>
        <span className={css['coins']}>
          <Coin {...coinOf(direction.from)} size={28} />
          <Coin {...coinOf(direction.to)} size={28} />
        </span>
        <span>
          <span>{name(direction.from)}</span>
          <span>
            <Icon name="arrow-right" size={14} />
            {name(direction.to)}
          </span>
        </span>
      </a>
      {!direction.open && (
        <span className="tiny mute">
          {reason
            ? filled(words.closed, locale, { reason: reason.charAt(0).toLowerCase() + reason.slice(1) })
            : words.closed_plain}
        </span>
      )}
    </span>
  );
}

function Rate({ of: rate }: { of: NonNullable<Direction['rate']> }): ReactNode {
  const locale = useLocale();
  return (
    <span className={cx('num', css['figure'])}>
      1&nbsp;{rate.base} = {writeShortRate(rate.value, locale)}&nbsp;{rate.quote}
    </span>
  );
}

function Fee({ direction }: { direction: Direction }): ReactNode {
  return <span className="num">{writePercent(direction.fee_percent, useLocale())}</span>;
}

function Limits({ direction }: { direction: Direction }): ReactNode {
  const locale = useLocale();
  const digits = minDigits(findCurrency(useSite().currencies, direction.from).payDigits);
  return (
    <span className={cx('num', css['figure'])}>
      {writeAmount(direction.min, digits, locale)} –{' '}
      <Money of={{ amount: direction.max, currency: direction.from }} look="quiet" />
    </span>
  );
}
