import type { ReactNode } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { cx } from '../../../../../ui/base/cx.ts';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { writeDate } from '@kurs/money';
import { writeDay } from '../../../../../ui/base/time.ts';
import type { Quote } from './use-quote.ts';
import css from './withdraw.module.css';

/** Note about the receiving account: its name in the address book, the number of payouts to it, and the day of the last one. */
export function AccountHistory({ label, times, last_at: last, now }: NonNullable<Quote['known']> & { now: string }): ReactNode {
  const { locale } = useSite();
  const day = last === null ? '' : dayOf(last, now, locale);
  const isKnown = label !== undefined || times > 0;
  const wordsOf = (): string => {
    if (label === undefined) return times > 0 ? m.known_again({ count: times, day }) : m.known_new();
    return m.known_label({ label, used: times > 0 ? m.known_times({ count: times, day }) : m.known_never() });
  };
  return (
    <output className={cx(css['known'], isKnown && css['isKnown'])}>
      <Icon name={isKnown ? 'address-book' : 'info'} />
      <span>{wordsOf()}</span>
    </output>
  );
}

/** Formats a day; adds the year if it isn't the current one. */
function dayOf(time: string, now: string, locale: 'en' | 'ru'): string {
  return time.slice(0, 4) === now.slice(0, 4) ? writeDay(time, locale) : writeDate(time, locale);
}
