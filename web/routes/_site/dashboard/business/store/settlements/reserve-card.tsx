import type { ReactNode } from 'react';
import { writeDate } from '@kurs/money';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Card } from '../../card.tsx';
import type { SettlementsData, StoreBalance } from './page.server.ts';
import css from './settlements.module.css';

type Release = StoreBalance['releases'][number];

/** Number of days that the list shows before a button opens the rest. */
const SHOWN = 6;

/**
 * Card with the sums that come from the store's reserve to its balance, by day. Absent for a store that takes no payments which can
 * be taken back for months, once nothing of former ones is left.
 */
export function ReserveCard({ data: { store, balance } }: { data: SettlementsData }): ReactNode {
  const { releases } = balance;
  if (store.kind !== 'business' || (!store.takes_reversible && releases.length === 0)) return null;
  const [first, later] = [releases.slice(0, SHOWN), releases.slice(SHOWN)];
  return (
    <Card id="reserve" title={m.reserve_title()}>
      <p className={css['about']}>{m.reserve_lead()}</p>
      {releases.length === 0 ? <p className={css['quiet']}>{m.reserve_none()}</p> : <Releases of={first} />}
      {later.length > 0 && (
        <details className={css['later']}>
          <summary className="link">{m.reserve_more({ count: later.length })}</summary>
          <Releases of={later} />
        </details>
      )}
    </Card>
  );
}

function Releases({ of: releases }: { of: readonly Release[] }): ReactNode {
  const { locale } = useSite();
  return (
    <ul className={css['moves']}>
      {releases.map(({ day, sum }) => (
        <li key={`${day} ${sum.currency}`}>
          <span className={css['what']}>
            <b>{day === undefined ? m.reserve_due() : <time dateTime={day}>{writeDate(`${day}T00:00:00Z`, locale)}</time>}</b>
            {day === undefined && <small>{m.reserve_due_why()}</small>}
          </span>
          <span className={css['moved']}>
            <Money of={sum} look="quiet" />
          </span>
        </li>
      ))}
    </ul>
  );
}
