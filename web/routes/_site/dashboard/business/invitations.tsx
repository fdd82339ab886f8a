import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import css from './business.module.css';
import { Card } from './card.tsx';
import type { Stores } from './page.server.ts';
import { ROLE_WORDS } from './store-words.ts';
import { useAnswer } from './use-answer.ts';

type Invitation = Stores['invitations'][number];

/** Open invitations to stores of others, each with buttons to accept and to decline. Absent if there are none. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }): ReactNode {
  const answer = useAnswer('join');
  if (invitations.length === 0 && !answer) return null;
  return (
    <Card id="invitations" title={m.invitations_title()}>
      {answer && (
        <div className={css['said']}>
          <Message
            tone={answer.message === undefined ? 'success' : 'error'}
            isLive
            title={answer.message ?? m.invitations_declined()}
          />
        </div>
      )}
      <ul className={css['rows']}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function InvitationRow({ invitation: { id, store, role, by, expires_at: until } }: { invitation: Invitation }): ReactNode {
  const { locale } = useSite();
  const busy = useNavigation().formData?.get('id') === id;
  return (
    <li>
      <div className={css['what']}>
        <b>{store}</b>
        <span className="tiny mute">{m.invitations_by({ email: by, role: ROLE_WORDS[role]() })}</span>
        <span className="tiny mute">{m.invitations_until({ time: writeTime(until, locale) })}</span>
      </div>
      <Form method="post" className={css['acts']}>
        <input type="hidden" name="intent" value="join" />
        <input type="hidden" name="id" value={id} />
        <Button
          type="submit"
          name="accept"
          value="yes"
          size="small"
          busy={busy && m.account_saving()}
          aria-label={m.invitations_accept_one({ store })}
        >
          {m.invitations_accept()}
        </Button>
        <Button
          type="submit"
          name="accept"
          value="no"
          look="secondary"
          size="small"
          aria-label={m.invitations_decline_one({ store })}
        >
          {m.invitations_decline()}
        </Button>
      </Form>
    </li>
  );
}
