import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeTime } from '../../../../ui/base/time.ts';
import css from './print-head.module.css';
import { useUser } from '../user.ts';

/** Head of a printed statement or receipt, not shown on screens: the desk, the title, the account and the time. */
export function PrintHead({ title, note = '', now }: { title: string; note?: string; now: string }): ReactNode {
  const { name, legal, contacts, locale } = useSite();
  const user = useUser();
  const lines = [legal?.entity, legal?.address, contacts?.email, globalThis.location?.host].filter(
    (line) => line !== undefined && line !== '',
  );
  return (
    <header className={css['head']}>
      <div className={css['desk']}>
        <b>{name}</b>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
      <h2>{title}</h2>
      <p>{[user?.name, user?.email, note].filter((part) => part !== undefined && part !== null && part !== '').join(' · ')}</p>
      <p>{m.moves_made({ time: writeTime(now, locale) })}</p>
    </header>
  );
}
