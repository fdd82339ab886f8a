import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Pill } from '../../../../ui/pill.tsx';
import type { User } from '../user.ts';
import css from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';
import { type Setup, securityClient } from './security-client.ts';
import { SetupForm } from './setup-form.tsx';
import { useWork } from '../../../../features/account/use-work.ts';

/** Two-factor sign-in: set up, with its recovery codes shown once, or switched off. */
export function TwoFactorSection({ user, onChange }: { user: User; onChange: () => Promise<void> }): ReactNode {
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useWork([]);
  const enabled = (given: readonly string[]): void => {
    setSetup(undefined);
    setCodes(given);
    void onChange().catch(() => undefined);
  };
  return (
    <Section title={m.two_factor_title()} lead={m.two_factor_lead()}>
      <div className={`card pad ${css['stack']}`}>
        {codes ? (
          <RecoveryCodes email={user.email} codes={codes} onKept={() => setCodes(undefined)} />
        ) : user.two_factor_enabled ? (
          <SwitchOff user={user} onChange={onChange} />
        ) : setup ? (
          <SetupForm setup={setup} onEnabled={enabled} />
        ) : (
          <>
            {begin.wrong.message && <Message tone="error" title={begin.wrong.message} live />}
            <p>{m.two_factor_off_text()}</p>
            <div>
              <Button
                busy={begin.busy && m.code_checking()}
                onClick={() => begin.run(async () => setSetup(await securityClient.generate2fa({})))}
              >
                {m.two_factor_begin()}
              </Button>
            </div>
          </>
        )}
      </div>
    </Section>
  );
}

/** That it is on, and the way to switch it off. */
function SwitchOff({ user, onChange }: { user: User; onChange: () => Promise<void> }): ReactNode {
  const [asked, setAsked] = useState(false);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { wrong, busy, run } = useWork(['two_factor_code', 'password']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      await securityClient.disable2fa({ two_factor_code: code.trim(), ...(user.password_set && { password }) });
      await onChange();
    });
  };
  return (
    <>
      <div className={css['row']}>
        <Pill tone="success" icon="check-circle">
          {m.two_factor_is_on()}
        </Pill>
        {!asked && (
          <Button look="secondary" size="small" onClick={() => setAsked(true)}>
            {m.two_factor_switch_off()}
          </Button>
        )}
      </div>
      {!asked && <p className={css['lead']}>{m.two_factor_codes_left({ count: String(user.recovery_codes_left) })}</p>}
      {asked && (
        <form onSubmit={submit} noValidate className={css['stack']}>
          <Message tone="warning" title={m.two_factor_off_warning()} />
          {wrong.message && <Message tone="error" title={wrong.message} live />}
          <div>
            <Field
              name="two_factor_code"
              label={m.two_factor_any_code()}
              autoComplete="one-time-code"
              mono
              value={code}
              error={wrong.at?.['two_factor_code']}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            {user.password_set && (
              <Field
                name="two_factor_password"
                label={m.account_password_current()}
                type="password"
                autoComplete="current-password"
                value={password}
                error={wrong.at?.['password']}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            )}
          </div>
          <div className={css['row']}>
            <Button type="submit" look="danger" busy={busy && m.code_checking()}>
              {m.two_factor_switch_off()}
            </Button>
            <Button look="quiet" onClick={() => setAsked(false)}>
              {m.two_factor_keep()}
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
