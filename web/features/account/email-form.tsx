import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Message } from '../../ui/message.tsx';
import { useSite } from '../site.ts';
import { m } from '../words.ts';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Asks for the address that the code goes to. */
export function EmailForm({
  email,
  onEmail,
  wrong,
  busy,
  onSubmit,
}: {
  email: string;
  onEmail: (email: string) => void;
  wrong: Wrong;
  busy: boolean;
  onSubmit: FormEventHandler;
}): ReactNode {
  const { locale } = useSite();
  return (
    <form onSubmit={onSubmit} noValidate className={css['form']}>
      <p className={css['lead']}>{m.sign_in_lead()}</p>
      {wrong.message && <Message tone="error" title={wrong.message} live />}
      <Field
        name="email"
        label={m.sign_in_email()}
        type="email"
        inputMode="email"
        autoComplete="username"
        data-focus
        value={email}
        error={wrong.field}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <Button type="submit" size="large" wide busy={busy && m.sign_in_sending()}>
        {m.sign_in_send()}
      </Button>
      <p className={css['foot']}>
        {m.sign_in_no_need()}{' '}
        <a className="link" href={`/${locale === 'ru' ? 'Ru' : 'En'}/track`}>
          {m.track_head()}
        </a>
      </p>
    </form>
  );
}
