import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './account.module.css';

/** Anchors of sections that other pages link to. */
export type AccountAnchor = 'email' | 'password' | 'google' | 'two-factor' | 'addresses' | 'sessions' | 'keys' | 'close';

/** One section of the account page: title and explanation on the left, controls on the right. */
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
  // The browser follows the anchor before this section exists: the page is drawn only once the user is loaded.
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
