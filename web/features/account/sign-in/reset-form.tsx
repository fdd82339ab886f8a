import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { m } from '../../words.ts';
import { AgainRow } from './again-row.tsx';
import { DIGITS } from './code-form.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Form for the mailed code and a new password. */
export function ResetForm({
  email,
  resendIn,
  wrong,
  isBusy,
  onReset,
  onAgain,
  onOther,
}: {
  email: string;
  resendIn: number;
  wrong: Wrong;
  isBusy: boolean;
  onReset: (otp: string, password: string) => void;
  onAgain: () => void;
  onOther: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) onReset(code, password);
  };
  const again = (): void => {
    setCode('');
    onAgain();
  };
  return (
    <form onSubmit={submit} noValidate className={css['form']}>
      <p className={css['lead']}>{m.sign_in_code_lead({ email })}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <CodeField
        length={DIGITS}
        label={m.code_label()}
        hint={m.code_paste()}
        error={wrong.at?.['otp']}
        value={code}
        onChange={setCode}
      />
      <NewPasswordField value={password} error={wrong.at?.['password']} onChange={setPassword} />
      <Button type="submit" size="large" isWide busy={isBusy && m.code_checking()}>
        {m.password_reset_save()}
      </Button>
      <AgainRow resendIn={resendIn} onAgain={again} onOther={onOther} />
      <p className={css['note']}>{m.password_reset_note()}</p>
    </form>
  );
}
