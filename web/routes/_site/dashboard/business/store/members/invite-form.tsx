import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../../features/rest-of.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../ui/fields/select.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { INVITED_ROLES, ROLE_WORDS } from '../../store-words.ts';
import { useAnswer } from '../../use-answer.ts';
import css from './members.module.css';

/** Form that invites somebody to the store by e-mail. */
export function InviteForm(): ReactNode {
  const answer = useAnswer('invite');
  const busy = useNavigation().formData?.get('intent') === 'invite';
  const refusal = answer?.message === undefined ? undefined : placed(answer, ['email', 'role']);
  return (
    <section className="card" aria-labelledby="invite-title">
      <h2 className={`card-title ${css['title']}`} id="invite-title">
        {m.members_invite()}
      </h2>
      <Form method="post" noValidate preventScrollReset className={css['invite']} key={answer && !refusal ? 'sent' : 'form'}>
        <input type="hidden" name="intent" value="invite" />
        <p className="small soft">{m.members_invite_lead()}</p>
        {refusal?.rest !== undefined && <Message tone="error" isLive title={refusal.rest} />}
        {answer && !refusal && <Message tone="success" isLive title={m.members_invited()} />}
        <Field
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          label={m.members_email()}
          maxLength={254}
          defaultValue={answer?.values['email']}
          error={refusal?.at['email']}
        />
        <Select
          name="role"
          label={m.members_role()}
          defaultValue={answer?.values['role'] ?? 'developer'}
          error={refusal?.at['role']}
        >
          {INVITED_ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_WORDS[role]()}
            </option>
          ))}
        </Select>
        <Button type="submit" busy={busy && m.business_sending()}>
          {m.members_invite_send()}
        </Button>
      </Form>
    </section>
  );
}
