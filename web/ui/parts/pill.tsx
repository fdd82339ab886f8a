import type { ReactNode } from 'react';
import { cx } from '../base/cx.ts';
import { Icon } from '../base/icon.tsx';
import type { IconName } from '../base/icons.ts';
import css from './pill.module.css';

export type PillTone = 'neutral' | 'success' | 'warning' | 'error' | 'iris' | 'brand';

/** Status as an icon and a word, never as a colour alone. */
export function Pill({ tone, icon, children }: { tone: PillTone; icon?: IconName; children: ReactNode }): ReactNode {
  return (
    <span className={cx(css['pill'], css[tone])}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </span>
  );
}

/** Small outlined word beside an amount, e.g. its network. */
export function Chip({ children }: { children: ReactNode }): ReactNode {
  return <span className={css['chip']}>{children}</span>;
}
