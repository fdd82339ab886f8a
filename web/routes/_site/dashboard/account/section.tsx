import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './account.module.css';

/** Parts of the page that other pages lead to. */
export type AccountAnchor = 'email' | 'password' | 'google' | 'two-factor' | 'addresses' | 'sessions' | 'keys' | 'close';

/** One part of the page: what it is on the left, what can be done on the right. */
export function Section({
  anchor,
  title,
  lead,
  children,
}: {
  anchor?: AccountAnchor;
  title: string;
  lead?: string;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  const part = useRef<HTMLElement>(null);
  // It isn't there yet when the browser looks for it: the page is drawn once it is known whose it is.
  useEffect(() => {
    if (anchor !== undefined && location.hash === `#${anchor}`) part.current?.scrollIntoView();
  }, [anchor]);
  return (
    <section ref={part} id={anchor} className={css['section']} aria-labelledby={id}>
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
