import type { ReactNode } from 'react';
import { Icon } from '../../../ui/base/icon.tsx';
import css from './review-step.module.css';

const LENGTH = 2 * Math.PI * 32;

/** Ring that empties with the remaining time of a quote. `share` is the remaining part, from 1 to 0. */
export function QuoteRing({ share }: { share: number }): ReactNode {
  return (
    <div className={css['ring']} aria-hidden="true">
      <svg width="72" height="72" viewBox="0 0 72 72" fill="none" strokeWidth="5">
        <circle cx="36" cy="36" r="32" className={css['ringRest']} strokeDasharray="1.4 1.951" />
        <circle
          cx="36"
          cy="36"
          r="32"
          className={css['ringLeft']}
          strokeDasharray={`${Math.round(LENGTH * share * 10) / 10} ${Math.ceil(LENGTH)}`}
          transform="rotate(-90 36 36)"
        />
      </svg>
      <Icon name="lock-simple" />
    </div>
  );
}
