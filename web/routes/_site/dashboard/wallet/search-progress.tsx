import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import pager from '../orders/pager.module.css';
import type { OperationsData } from './transaction/page.server.ts';

/**
 * Progress of a search in a long list of operations: the time of the oldest operation searched so far, and a link to continue.
 */
export function SearchedBack({
  searched: { to, next },
  isFurther,
  address,
}: {
  searched: NonNullable<OperationsData['searched']>;
  /** True if this page's search did not begin with the newest operation. */
  isFurther: boolean;
  /** Returns the list's URL with these parameters added to its filters. */
  address: (more: Readonly<Record<string, string>>) => string;
}): ReactNode {
  const { locale } = useSite();
  return (
    <nav className={pager['pager']} aria-label={m.moves_pages()}>
      <output className="small mute num">
        {next === null || to === null ? m.moves_looked_all() : m.moves_looked({ time: writeTime(to, locale) })}
      </output>
      <span className={pager['turn']}>
        {isFurther && (
          <ButtonLink size="small" look="secondary" href={address({})}>
            {m.moves_look_newest()}
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink size="small" look="secondary" href={address({ before: next })} rel="next">
            {m.moves_look_further()}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}
