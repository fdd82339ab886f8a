import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import type { User } from '../user.ts';
import css from './account.module.css';
import { type StepUp, OnceMore, requestedOnceMore } from './once-more.tsx';
import { Section } from './section.tsx';
import { securityClient } from './security-client.ts';
import { NewPasswordField } from '../../../../features/account/sign-in/new-password-field.tsx';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';

/** Section that sets or changes the password. */
export function PasswordSection({ user, onChange }: { user: User; onChange: () => Promise<void> }): ReactNode {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [more, setMore] = useState<StepUp>({});
  const [saved, setSaved] = useState(false);
  const { wrong, isBusy, run } = useWork(['current_password', 'password', 'otp']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setSaved(false);
    run(async () => {
      const change = async () => {
        await securityClient.changePassword({ ...more, password, ...(user.password_set && { current_password: current }) });
        return true;
      };
      if (!(await requestedOnceMore('password', change, setMore))) return;
      setMore({});
      setCurrent('');
      setPassword('');
      setSaved(true);
      await onChange();
    });
  };
  return (
    <Section
      anchor="password"
      title={m.account_password_title()}
      lead={user.password_set ? m.account_password_lead() : m.account_no_password_lead()}
    >
      <form onSubmit={save} noValidate className={css['narrow']}>
        {wrong.message && <Message tone="error" title={wrong.message} isLive />}
        {saved && <Message tone="success" title={m.account_password_saved()} isLive />}
        {/* Tells password managers which account the form is for. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        {user.password_set && (
          <Field
            name="current_password"
            label={m.account_password_current()}
            type="password"
            autoComplete="current-password"
            value={current}
            error={wrong.at?.['current_password']}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <NewPasswordField value={password} error={wrong.at?.['password']} onChange={setPassword} />
        <OnceMore email={user.email} request={more} wrong={wrong} onChange={setMore} />
        <div>
          <Button type="submit" look="secondary" busy={isBusy && m.account_saving()}>
            {m.account_password_save()}
          </Button>
        </div>
      </form>
    </Section>
  );
}
