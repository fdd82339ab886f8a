import { clientOf } from '@kurs/contract/client';
import { userCloseCancel } from '@kurs/contract/paths';
import type { ReactNode } from 'react';
import { accessToken } from '../../../features/account/access-token.ts';
import { useWork } from '../../../features/account/use-work.ts';
import { pageTransport } from '../../../features/client.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Message } from '../../../ui/message.tsx';
import { writeTime } from '../../../ui/time.ts';
import css from './frame.module.css';
import { useSetUser, useUser } from './user.ts';

const calls = clientOf(pageTransport(accessToken), { userCloseCancel });

/** On every page of an account that is to be closed: when, and the way back. */
export function ClosingNote(): ReactNode {
  const { locale } = useSite();
  const user = useUser();
  const setUser = useSetUser();
  const { wrong, busy, run } = useWork([]);
  if (user?.closing_at == null) return null;
  return (
    <div className={css['closing']}>
      <Message tone="warning" title={m.closing_note({ until: writeTime(user.closing_at, locale) })}>
        <p>{wrong.message ?? m.closing_rest()}</p>
        <p>
          <Button
            size="small"
            look="secondary"
            busy={busy && m.account_saving()}
            onClick={() => run(async () => setUser(await calls.userCloseCancel({})))}
          >
            {m.closing_keep()}
          </Button>
        </p>
      </Message>
    </div>
  );
}
