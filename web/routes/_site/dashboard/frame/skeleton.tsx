import { Fragment, type ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import css from './skeleton.module.css';

/**
 * Placeholder for data that is being loaded. It appears after a short delay, so that it doesn't flash if the data comes quickly.
 */
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
