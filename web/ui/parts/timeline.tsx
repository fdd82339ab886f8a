import type { ReactNode } from 'react';
import { Icon } from '../base/icon.tsx';
import type { IconName } from '../base/icons.ts';
import css from './timeline.module.css';

export interface TimelineStep {
  readonly title: string;
  /** Time of the step, or a sentence about the result to expect. */
  readonly note?: ReactNode;
  readonly state: 'done' | 'now' | 'todo' | 'stopped';
  readonly icon: IconName;
}

/** Steps on a line: completed, current and future ones. Screen readers announce changes politely. */
export function Timeline({ steps }: { steps: readonly TimelineStep[] }): ReactNode {
  return (
    <ol className={css['timeline']} aria-live="polite">
      {steps.map((step) => (
        <li key={step.title} className={css[step.state]} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className={css['dot']}>
            <Icon name={step.state === 'done' ? 'check' : step.icon} size={16} />
          </span>
          <div>
            <h3>{step.title}</h3>
            {step.note && <p className="num">{step.note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
