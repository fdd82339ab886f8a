import { Fragment, type ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import css from './skeleton.module.css';

/** What stands where data is on its way: shown after a moment only, so that quick answers don't flash. */
export function Skeleton({ rows }: { rows: number }): ReactNode {
  return (
    <output className={`card pad ${css['skeleton']}`} aria-label={m.dashboard_loading()}>
      {Array.from({ length: rows }, (_, row) => (
        <Fragment key={row}>
          <i />
          <i />
        </Fragment>
      ))}
    </output>
  );
}
