import { Fragment, type ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import css from './skeleton.module.css';

/** Placeholder for data that is loading. It appears after a short delay, so that quick answers don't flash. */
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
