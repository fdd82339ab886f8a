import type { ReactNode, Ref } from 'react';
import { cx } from '../base/cx.ts';
import { Icon } from '../base/icon.tsx';
import type { IconName } from '../base/icons.ts';
import css from './message.module.css';

type Tone = 'info' | 'success' | 'warning' | 'error' | 'neutral';

const ICON: Record<Tone, IconName> = {
  info: 'info-fill',
  success: 'check-circle-fill',
  warning: 'warning-fill',
  error: 'warning-circle-fill',
  neutral: 'info',
};

/** A message near its cause: a bold first sentence, then the rest. Errors are told at once, states politely. */
export function Message({
  tone,
  title,
  children,
  live = false,
  ref,
}: {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** It appeared while the person was here. */
  live?: boolean;
  ref?: Ref<HTMLDivElement>;
}): ReactNode {
  return (
    <div
      ref={ref}
      className={cx(css['message'], css[tone])}
      tabIndex={ref ? -1 : undefined}
      role={live ? (tone === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon name={ICON[tone]} />
      <div>
        {title && <b>{title}</b>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}
