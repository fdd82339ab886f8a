import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { Around } from '../account-news.ts';
import css from './bell.module.css';

type Inside = ComponentType<{ readonly around: Around }>;

/**
 * Bell that opens the list of the account's latest events. A dot shows that some events are new. The list's code is loaded when
 * the bell is first opened.
 */
export function Bell({ around }: { around: Around }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { Notices, hasFailed } = useNotices(isOpen);
  const fresh = around.reported?.new ?? 0;
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
          <output className={css['none']}>{hasFailed ? m.notices_failed() : m.dashboard_loading()}</output>
        )}
      </section>
    </details>
  );
}

/** Repeats the toggle event of a bell that the visitor opened before hydration. */
function sayOpen(bell: HTMLDetailsElement | null): void {
  if (bell?.open) bell.dispatchEvent(new Event('toggle'));
}

/** Loads the code of the list of events when the bell is opened. After a failure, loads it when the bell is opened again. */
function useNotices(isOpen: boolean): { readonly Notices: Inside | undefined; readonly hasFailed: boolean } {
  const [Notices, setNotices] = useState<Inside>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isOpen || Notices) return;
    import('./notices.tsx').then(
      (part) => setNotices(() => part.Notices),
      () => setFailed(true),
    );
  }, [isOpen, Notices]);
  return { Notices, hasFailed };
}
