import { type ReactNode, Suspense, lazy, useState } from 'react';
import { m } from '../../../features/words.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { Around } from './around.ts';
import css from './bell.module.css';

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));

/** What happened to the account lately, behind a bell with a dot while some of it is new. Its list comes once it is asked for. */
export function Bell({ around }: { around: Around }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const fresh = around.told?.new ?? 0;
  return (
    <details className={css['bell']} name="menu" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={fresh > 0 ? m.notices_new({ count: fresh }) : m.notices_title()} title={m.notices_title()}>
        <Icon name="bell" />
        {fresh > 0 && <i className={css['dot']} />}
      </summary>
      <section className={css['panel']} aria-labelledby="notices-title">
        <h2 className={css['title']} id="notices-title">
          {m.notices_title()}
        </h2>
        {isOpen && (
          <Suspense fallback={<p className={css['none']}>{m.dashboard_loading()}</p>}>
            <Notices around={around} />
          </Suspense>
        )}
      </section>
    </details>
  );
}
