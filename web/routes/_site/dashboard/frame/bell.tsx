import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { Around } from '../account-news.ts';
import css from './bell.module.css';

type Inside = ComponentType<{ readonly around: Around }>;

/**
 * What happened to the account lately, behind a bell with a dot while some of it is new. Its list comes once it is asked for.
 */
export function Bell({ around }: { around: Around }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { Notices, failed } = useNotices(isOpen);
  const fresh = around.told?.new ?? 0;
  return (
    <details ref={sayOpen} className={css['bell']} name="menu" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={fresh > 0 ? m.notices_new({ count: fresh }) : m.notices_title()} title={m.notices_title()}>
        <Icon name="bell" />
        {fresh > 0 && <i className={css['dot']} />}
      </summary>
      <section className={css['panel']} aria-labelledby="notices-title">
        <h2 className={css['title']} id="notices-title">
          {m.notices_title()}
        </h2>
        {Notices ? (
          isOpen && <Notices around={around} />
        ) : (
          <output className={css['none']}>{failed ? m.notices_failed() : m.dashboard_loading()}</output>
        )}
      </section>
    </details>
  );
}

/** One that was opened before the script was there opens once more for it. */
function sayOpen(bell: HTMLDetailsElement | null): void {
  if (bell?.open) bell.dispatchEvent(new Event('toggle'));
}

/** The list, loaded when it is opened for the first time; where that fails, when it is opened again. */
function useNotices(isOpen: boolean): { readonly Notices: Inside | undefined; readonly failed: boolean } {
  const [Notices, setNotices] = useState<Inside>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!isOpen || Notices) return;
    import('./notices.tsx').then(
      (part) => setNotices(() => part.Notices),
      () => setFailed(true),
    );
  }, [isOpen, Notices]);
  return { Notices, failed };
}
