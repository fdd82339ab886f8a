import type { ReactNode } from 'react';
import sprite from '../../.build/icons.svg?url';
import { cx } from './cx.ts';
import type { IconName } from './icons.ts';
import css from './icon.module.css';

/** Icon of the sprite. It is hidden from screen readers, because the text beside it says the same. */
export function Icon({
  name,
  size = 20,
  className,
}: {
  name: IconName;
  size?: 14 | 16 | 18 | 20 | 24;
  className?: string | undefined;
}): ReactNode {
  return (
    <svg className={cx(css['icon'], className)} width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

/** The site's mark. */
export function Mark({ size = 30 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#mark`} />
    </svg>
  );
}

export type CoinTone = 'primary' | 'secondary' | 'gray' | 'success' | 'warning' | 'error';

/** Icon of a currency: a milled coin with one letter. */
export function Coin({ letter, tone, size = 32 }: { letter: string; tone: CoinTone; size?: number }): ReactNode {
  return (
    <svg className={cx(css['coin'], css[tone])} width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <use href={`${sprite}#coin`} />
      <text x="20" y="26" textAnchor="middle">
        {letter}
      </text>
    </svg>
  );
}
