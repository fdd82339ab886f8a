import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './account.module.css';

/** Anchors of those sections of the account page to which other pages link. */
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
  // Scrolls to the section that the URL names. When the browser looked for the anchor, this section did not exist, since it is
  // rendered only after the user is loaded.
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
