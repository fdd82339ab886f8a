import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { m } from '../../words.ts';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Form for an e-mail address and the account's password. */
export function PasswordForm({
  email,
  lead,
  onEmail,
  wrong,
  isBusy,
  onPassword,
  onForgot,
  onCode,
}: {
  email: string;
  lead?: string;
  /** Called with the typed e-mail address; absent if it can't be changed. */
  onEmail?: (email: string) => void;
  wrong: Wrong;
  isBusy: boolean;
  onPassword: (password: string) => void;
  onForgot: () => void;
  onCode: () => void;
}): ReactNode {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) onPassword(password);
  };
  return (
    <form onSubmit={submit} noValidate className={css['form']}>
      {lead !== undefined && <p className={css['lead']}>{lead}</p>}
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <div>
        <Field
          name="email"
          label={m.sign_in_email()}
          type="email"
          inputMode="email"
          autoComplete="username"
          data-focus={email === '' ? true : undefined}
          value={email}
          error={wrong.at?.['email']}
          readOnly={onEmail === undefined}
          onChange={(event) => onEmail?.(event.currentTarget.value)}
        />
        <Field
          name="password"
          label={m.password_label()}
          type="password"
          autoComplete="current-password"
          data-focus={email === '' ? undefined : true}
          value={password}
          error={wrong.at?.['password']}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" size="large" isWide busy={isBusy && m.code_checking()}>
        {m.account_sign_in()}
      </Button>
      <p className={css['again']}>
        <button type="button" className="link" onClick={onForgot}>
          {m.password_forgot()}
        </button>
        <button type="button" className="link" onClick={onCode}>
          {m.sign_in_by_code()}
        </button>
      </p>
    </form>
  );
}
