import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { m } from '../../words.ts';
import { AgainRow } from './again-row.tsx';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Number of digits of a code, mailed or shown by an authenticator. */
export const DIGITS = 6;

/** Form for a mailed code. It is submitted automatically when the last digit is typed. */
export function CodeForm({
  email,
  lead = m.sign_in_code_lead({ email }),
  resendIn,
  wrong,
  isBusy,
  onCode,
  onAgain,
  onOther,
  onPassword,
}: {
  email: string;
  lead?: string;
  /** Seconds until another code may be requested, counted from the time the last code was mailed. */
  resendIn: number;
  wrong: Wrong;
  isBusy: boolean;
  onCode: (code: string) => void;
  onAgain: () => void;
  onOther: () => void;
  onPassword: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const type = (typed: string): void => {
    setCode(typed);
    if (typed.length === DIGITS && code.length < DIGITS && !isBusy) onCode(typed);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === DIGITS && !isBusy) onCode(code);
  };
  const again = (): void => {
    setCode('');
    onAgain();
  };
  return (
    <form onSubmit={submit} noValidate className={css['form']}>
      <p className={css['lead']}>{lead}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {/* Tells password managers which account the form is for. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <CodeField
        length={DIGITS}
        label={m.code_label()}
        hint={m.code_paste()}
        error={wrong.at?.['otp']}
        value={code}
        onChange={type}
      />
      <Button type="submit" size="large" isWide disabled={code.length < DIGITS} busy={isBusy && m.code_checking()}>
        {m.account_sign_in()}
      </Button>
      <AgainRow resendIn={resendIn} onAgain={again} onOther={onOther} />
      <p className={css['note']}>
        {m.code_no_letter()}{' '}
        <button type="button" className="link" onClick={onPassword}>
          {m.sign_in_by_password()}
        </button>
      </p>
    </form>
  );
}
