import type { ReactNode } from 'react';
import { Icon } from '../base/icon.tsx';
import css from './stepper.module.css';

/**
 * Named steps of a process. Completed steps are links, and the current one is marked. Small screens show only the current step's
 * name.
 */
export function Stepper({
  steps,
  current,
  label,
}: {
  steps: readonly { name: string; href?: string }[];
  current: number;
  label: string;
}): ReactNode {
  return (
    <ol className={css['stepper']} aria-label={label}>
      {steps.map((step, index) => {
        const state = index < current ? 'done' : index === current ? 'now' : 'todo';
        const body = (
          <>
            <b>{state === 'done' ? <Icon name="check" size={14} /> : index + 1}</b>
            <span>{step.name}</span>
          </>
        );
        return (
          <li key={step.name} className={css[state]} aria-current={state === 'now' ? 'step' : undefined}>
            {state === 'done' && step.href ? <a href={step.href}>{body}</a> : <span>{body}</span>}
          </li>
        );
      })}
    </ol>
  );
}
