import { type ReactNode, useEffect, useState } from 'react';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import type { Around, AccountNotices } from '../account-news.ts';
import css from './bell.module.css';
import { wordsOf } from './notice-words.ts';
import { iconOf, linkOf } from './notice.ts';

type Notice = AccountNotices['notices'][number];

/**
 * List of the account's latest events, the newest first. Each event links to the page about it. Showing the list marks the events
 * as seen.
 */
export function Notices({ around: { reported, hasFailed, load, see } }: { around: Around }): ReactNode {
  const fresh = reported?.new ?? 0;
  // If the frame could not load the events before, opening the list loads them again.
  const [missed] = useState(reported === undefined && hasFailed);
  useEffect(() => {
    if (missed) load();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [missed]);
  useEffect(() => {
    if (fresh > 0) see();
  }, [fresh, see]);
  if (!reported && !hasFailed) return <p className={css['none']}>{m.dashboard_loading()}</p>;
  if (!reported) {
    return (
      <div className={css['none']}>
        <output>{m.notices_failed()}</output>
        <Button look="secondary" size="small" onClick={load}>
          {m.notices_again()}
        </Button>
      </div>
    );
  }
  if (reported.notices.length === 0) return <p className={css['none']}>{m.notices_none()}</p>;
  return (
    <ul className={css['list']}>
      {reported.notices.map((one) => (
        <li key={`${one.kind} ${one.id}`}>
          <NoticeItem one={one} />
        </li>
      ))}
    </ul>
  );
}

function NoticeItem({ one }: { one: Notice }): ReactNode {
  const { locale } = useSite();
  const { money, person, order, ip } = one;
  const about = order ?? person ?? ip;
  return (
    <a href={linkOf(one, locale)} className={cx(css['row'], one.new && css['new'])}>
      <span className={css['icon']}>
        <Icon name={iconOf(one)} size={16} />
      </span>
      <span className={css['text']}>
        <b>
          {wordsOf(one)}
          {one.new && <span className="sr"> ({m.notices_is_new()})</span>}
        </b>
        {(money ?? about) !== undefined && (
          <span className="num">
            {money && <Money of={money} />}
            {money && about !== undefined && ' · '}
            {about}
          </span>
        )}
        <time className="num" dateTime={one.at}>
          {writeTime(one.at, locale)}
        </time>
      </span>
    </a>
  );
}
