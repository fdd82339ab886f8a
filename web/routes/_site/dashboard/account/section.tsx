import { type ReactNode, useId } from 'react';
import css from './account.module.css';

/** One part of the page: what it is on the left, what can be done on the right. */
export function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className={css['section']} aria-labelledby={id}>
      <div>
        <h2 id={id} className="card-title">
          {title}
        </h2>
        {lead && <p className={css['lead']}>{lead}</p>}
      </div>
      <div className={css['body']}>{children}</div>
    </section>
  );
}
