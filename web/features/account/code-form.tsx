import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Message } from '../../ui/message.tsx';
import { m } from '../words.ts';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

const DIGITS = 6;

/** Seconds as on a clock: `1:00`. */
const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Asks for the mailed code; it goes off by itself with its last digit. */
export function CodeForm({
  email,
  resendIn,
  wrong,
  busy,
  onCode,
  onAgain,
  onOther,
}: {
  email: string;
  /** Seconds until another code may be asked for, when this one was sent. */
  resendIn: number;
  wrong: Wrong;
  busy: boolean;
  onCode: (code: string) => void;
  onAgain: () => void;
  onOther: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const [left, setLeft] = useState(resendIn);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  const type = (typed: string): void => {
    setCode(typed);
    if (typed.length === DIGITS && code.length < DIGITS && !busy) onCode(typed);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === DIGITS && !busy) onCode(code);
  };
  return (
    <form onSubmit={submit} noValidate className={css['form']}>
      <p className={css['lead']}>{m.code_lead({ email })}</p>
      {wrong.message && <Message tone="error" title={wrong.message} live />}
      {/* Password managers know by it whose session this will be. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <CodeField length={DIGITS} label={m.code_label()} hint={m.code_paste()} error={wrong.field} value={code} onChange={type} />
      <Button type="submit" size="large" wide disabled={code.length < DIGITS} busy={busy && m.code_checking()}>
        {m.account_sign_in()}
      </Button>
      <p className={css['again']}>
        {left > 0 ? (
          <span>{m.code_again_in({ time: clockOf(left) })}</span>
        ) : (
          <button
            type="button"
            className="link"
            onClick={() => {
              setCode('');
              setLeft(resendIn);
              onAgain();
            }}
          >
            {m.code_again()}
          </button>
        )}
        <button type="button" className="link" onClick={onOther}>
          {m.code_other()}
        </button>
      </p>
      <p className={css['note']}>{m.code_no_letter()}</p>
    </form>
  );
}
