import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { m } from '../../words.ts';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Form for the e-mail address to which a code is mailed. `children` are shown below the form's fields. */
export function EmailForm({
  lead,
  email,
  onEmail,
  wrong,
  isBusy,
  onSubmit,
  children,
}: {
  lead: string;
  email: string;
  onEmail: (email: string) => void;
  wrong: Wrong;
  isBusy: boolean;
  onSubmit: FormEventHandler;
  children: ReactNode;
}): ReactNode {
  return (
    <form onSubmit={onSubmit} noValidate className={css['form']}>
      <p className={css['lead']}>{lead}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <Field
        name="email"
        label={m.sign_in_email()}
        type="email"
        inputMode="email"
        autoComplete="username"
        data-focus
        value={email}
        error={wrong.at?.['email']}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <Button type="submit" size="large" isWide busy={isBusy && m.sign_in_sending()}>
        {m.sign_in_send()}
      </Button>
      {children}
    </form>
  );
}
