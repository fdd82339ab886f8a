import type { ReactNode } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import { useSite } from '../../site.ts';
import { m } from '../../words.ts';
import css from './sign-in.module.css';

type FreezeReason = 'password_reset' | 'recovery_code' | 'two_factor_off' | 'email_changed';

const BECAUSE: Record<FreezeReason, () => string> = {
  password_reset: () => m.frozen_password_reset(),
  recovery_code: () => m.frozen_recovery_code(),
  two_factor_off: () => m.frozen_two_factor_off(),
  email_changed: () => m.frozen_email_changed(),
};

/** Message about frozen withdrawals: the end of the freeze and its reason. */
export function FrozenMessage({ until, because }: { until: string; because: FreezeReason }): ReactNode {
  const { locale } = useSite();
  return (
    <Message tone="warning" title={m.frozen_title({ until: writeTime(until, locale) })}>
      {BECAUSE[because]()} {m.frozen_rest()}
    </Message>
  );
}

/** Last dialog of a sign-in that has frozen withdrawals. */
export function FrozenNote({ onDone, ...freeze }: { until: string; because: FreezeReason; onDone: () => void }): ReactNode {
  return (
    <div className={css['form']}>
      <FrozenMessage {...freeze} />
      <Button size="large" isWide onClick={onDone}>
        {m.frozen_go_on()}
      </Button>
    </div>
  );
}
