import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { ROLE_WORDS } from '../../store-words.ts';
import css from './members.module.css';
import type { Members } from './page.server.ts';

/** Invitations that nobody has accepted yet, each with a button that withdraws it. */
export function OpenInvitations({ invitations }: { invitations: Members['invitations'] }): ReactNode {
  const { locale } = useSite();
  return (
    <section className="card" aria-labelledby="open-title">
      <h2 className={`card-title ${css['title']}`} id="open-title">
        {m.members_open()}
      </h2>
      <ul className={css['rows']}>
        {invitations.map(({ id, email, role, expires_at: until }) => (
          <li key={id}>
            <div className={css['who']}>
              <b>{email}</b>
              <span className="tiny mute">
                {ROLE_WORDS[role]()} · {m.invitations_until({ time: writeTime(until, locale) })}
              </span>
            </div>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="withdraw" />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" look="secondary" size="small" aria-label={m.members_withdraw_one({ email })}>
                {m.members_withdraw()}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
