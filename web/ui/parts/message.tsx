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

/**
 * Message beside the part of the page that it is about: a bold first sentence, then the rest. Screen readers announce live errors
 * immediately, and other live messages when they are idle.
 */
export function Message({
  tone,
  title,
  children,
  isLive = false,
  ref,
}: {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** True if the message appears after the page was loaded, so that screen readers announce it. */
  isLive?: boolean;
  ref?: Ref<HTMLDivElement>;
}): ReactNode {
  return (
    <div
      ref={ref}
      className={cx(css['message'], css[tone])}
      tabIndex={ref ? -1 : undefined}
      role={isLive ? (tone === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon name={ICON[tone]} />
      <div>
        {title && <b>{title}</b>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}
