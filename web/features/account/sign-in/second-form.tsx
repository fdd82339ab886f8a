import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../ui/fields/button.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { m } from '../../words.ts';
import { DIGITS } from './code-form.tsx';
import css from './sign-in.module.css';
import type { Wrong } from './wrong.ts';

/** Form for the second factor: the authenticator's code, or one of the recovery codes. */
export function SecondForm({
  wrong,
  isBusy,
  onCode,
  onOther,
}: {
  wrong: Wrong;
  isBusy: boolean;
  onCode: (code: string, isRecovery: boolean) => void;
  onOther: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const [isLost, setLost] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const error = wrong.at?.['two_factor_code'];
  const isWhole = isLost ? code.trim() !== '' : code.length === DIGITS;
  const type = (typed: string): void => {
    setCode(typed);
    if (typed.length === DIGITS && code.length < DIGITS && !isBusy) onCode(typed, false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWhole && !isBusy) onCode(code.trim(), isLost);
  };
  const change = (): void => {
    setCode('');
    flushSync(() => setLost(!isLost));
    form.current?.querySelector('input')?.focus();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={css['form']}>
      <p className={css['lead']}>{isLost ? m.second_lost_lead() : m.second_lead()}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {isLost ? (
        <Field
          key="recovery"
          name="two_factor_code"
          label={m.second_recovery_label()}
          hint={m.second_recovery_hint()}
          isMono
          autoCapitalize="characters"
          value={code}
          error={error}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      ) : (
        <CodeField length={DIGITS} label={m.second_label()} hint={m.second_hint()} error={error} value={code} onChange={type} />
      )}
      <Button type="submit" size="large" isWide disabled={!isWhole} busy={isBusy && m.code_checking()}>
        {m.account_sign_in()}
      </Button>
      <p className={css['again']}>
        <button type="button" className="link" onClick={change}>
          {isLost ? m.second_found() : m.second_lost()}
        </button>
        <button type="button" className="link" onClick={onOther}>
          {m.second_other()}
        </button>
      </p>
    </form>
  );
}
