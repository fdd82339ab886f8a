import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Checkbox } from '../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../ui/fields/select.tsx';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { INVITED_ROLES, ROLE_WORDS } from '../../store-words.ts';
import { KEY_BOX } from './key-box.ts';
import css from './members.module.css';
import type { Members } from './page.server.ts';

type Member = Members['members'][number];

/** Members of a store. Each but the owner has a form for another role, and one for removal. */
export function MemberList({ members }: { members: readonly Member[] }): ReactNode {
  return (
    <section className="card" aria-labelledby="members-title">
      <h2 className={`card-title ${css['title']}`} id="members-title">
        {m.store_members()}
      </h2>
      <ul className={css['rows']}>
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
      </ul>
    </section>
  );
}

function MemberRow({ member }: { member: Member }): ReactNode {
  const { locale } = useSite();
  const { name, email, role, since } = member;
  return (
    <li>
      <div className={css['who']}>
        <b>{name || email}</b>
        {name !== '' && <span className="tiny mute">{email}</span>}
        <span className="tiny mute">{m.members_since({ time: writeTime(since, locale) })}</span>
      </div>
      {role === 'owner' ? (
        <Pill tone="neutral" icon="user">
          {ROLE_WORDS[role]()}
        </Pill>
      ) : (
        <>
          <RoleForm key={role} member={member} />
          <Removal member={member} />
        </>
      )}
    </li>
  );
}

function RoleForm({ member: { id, name, email, role } }: { member: Member }): ReactNode {
  const { formData } = useNavigation();
  const busy = formData?.get('intent') === 'change' && formData.get('id') === id;
  return (
    <Form method="post" preventScrollReset className={css['role']}>
      <input type="hidden" name="intent" value="change" />
      <input type="hidden" name="id" value={id} />
      <Select name="role" id={`role-${id}`} label={m.members_role_of({ name: name || email })} defaultValue={role}>
        {INVITED_ROLES.map((one) => (
          <option key={one} value={one}>
            {ROLE_WORDS[one]()}
          </option>
        ))}
      </Select>
      <Button type="submit" look="secondary" size="small" busy={busy && m.account_saving()}>
        {m.members_change()}
      </Button>
    </Form>
  );
}

/** Opens the form that removes a member. The keys that the member made are ticked for revocation. */
function Removal({ member: { id, name, email, keys } }: { member: Member }): ReactNode {
  const who = name || email;
  return (
    <details className={css['removal']}>
      <summary aria-label={m.members_remove_one({ name: who })}>{m.members_remove()}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="id" value={id} />
        <p className="small soft">{keys.length === 0 ? m.members_remove_no_keys() : m.members_remove_keys()}</p>
        {keys.map((key) => (
          <Checkbox key={key.id} name={`${KEY_BOX}${key.id}`} defaultChecked>
            {key.name} <code className="mute">{key.hint}…</code>
          </Checkbox>
        ))}
        <Button type="submit" look="danger" size="small">
          {m.members_remove_one({ name: who })}
        </Button>
      </Form>
    </details>
  );
}
