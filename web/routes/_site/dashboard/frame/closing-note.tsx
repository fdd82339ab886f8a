import { clientOf } from '@kurs/contract/client';
import { userCloseCancel } from '@kurs/contract/paths';
import { type ReactNode, useState } from 'react';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import css from './frame.module.css';
import { useSetUser, useUser } from '../user.ts';

const calls = clientOf(pageTransport(accessToken), { userCloseCancel });

/** Note on every page while the account waits to be closed: the date of the closing, and a button that cancels it. */
export function ClosingNote(): ReactNode {
  const { locale } = useSite();
  const user = useUser();
  const setUser = useSetUser();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  if (user?.closing_at == null) return null;
  const cancel = (): void => {
    setState('busy');
    calls.userCloseCancel({}).then(
      (stored) => {
        setState('idle');
        setUser(stored);
      },
      () => setState('failed'),
    );
  };
  return (
    <div className={css['closing']}>
      <Message tone="warning" title={m.closing_note({ until: writeTime(user.closing_at, locale) })}>
        <p aria-live="polite">{state === 'failed' ? m.closing_failed() : m.closing_rest()}</p>
        <p>
          <Button size="small" look="secondary" busy={state === 'busy' && m.account_saving()} onClick={cancel}>
            {m.closing_keep()}
          </Button>
        </p>
      </Message>
    </div>
  );
}
