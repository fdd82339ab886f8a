import type { ReactNode } from 'react';
import { lettersOn } from '@kurs/contract/contrast';
import { cx } from '../../ui/base/cx.ts';
import { lettersOf } from './store-letters.ts';
import css from './store-panel.module.css';

/** Look of a store: its name, the URL of its picture, and its colour as `#rrggbb`. */
export interface StoreLook {
  readonly name: string;
  readonly mark?: string | undefined;
  readonly colour?: string | undefined;
}

/**
 * Panel in a store's colour, else in the desk's, with letters that can be read on it. The colour is that of a drawn shape, since
 * the site's policy allows no styles in a document.
 */
export function StorePanel({
  colour,
  className,
  children,
}: Pick<StoreLook, 'colour'> & { className?: string | undefined; children: ReactNode }): ReactNode {
  const isDark = colour === undefined || lettersOn(colour) === '#ffffff';
  return (
    <div className={cx(css['panel'], css[isDark ? 'light' : 'dark'], className)}>
      {colour !== undefined && (
        <svg className={css['paint']} aria-hidden="true">
          <rect width="100%" height="100%" fill={colour} />
        </svg>
      )}
      {children}
    </div>
  );
}

/** Picture of a store; the first letters of its name if it has none. */
export function StoreMark({ name, mark }: Pick<StoreLook, 'name' | 'mark'>): ReactNode {
  return (
    <span className={css['mark']} aria-hidden="true">
      {mark === undefined ? lettersOf(name) : <img src={mark} crossOrigin="anonymous" alt="" width={40} height={40} />}
    </span>
  );
}
