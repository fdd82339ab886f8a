import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill } from '../../../../ui/parts/pill.tsx';
import type { User } from '../user.ts';
import { accountCalls } from './account-calls.ts';
import css from './account.module.css';
import { DigitsField } from './digits-field.tsx';
import { Section } from './section.tsx';
import { type Work, useWork } from '../../../../features/account/sign-in/use-work.ts';

type Step = 'none' | 'verify' | 'change' | 'codes';

/** Section with the account's e-mail address: confirms it by a code, or changes it by codes from the old and the new mailbox. */
export function EmailSection({
  user,
  onUser,
  onChange,
}: {
  user: User;
  /** Called with the account after a change. */
  onUser: (user: User) => void;
  onChange: () => Promise<void>;
}): ReactNode {
  const [step, setStep] = useState<Step>('none');
  const [email, setEmail] = useState('');
  const [done, setDone] = useState<string>();
  const begin = useWork(['email']);
  const isVerified = user.email_verified === 1;
  const verify = (): void =>
    begin.run(async () => {
      setDone(undefined);
      await accountCalls.userEmailGetOtp({ purpose: 'verify_email' });
      setStep('verify');
    });
  const send = (): void =>
    begin.run(async () => {
      await accountCalls.emailChangeGetOtp({ email });
      setStep('codes');
    });
  const verified = (): void => {
    onUser({ ...user, email_verified: 1 });
    setDone(m.email_verify_done());
    setStep('none');
  };
  const changed = (next: User): void => {
    onUser(next);
    setDone(m.email_changed());
    setStep('none');
    void onChange().catch(() => undefined);
  };
  const steps: Record<Step, ReactNode> = {
    none: (
      <div className={css['actions']}>
        {!isVerified && (
          <Button busy={begin.isBusy && m.sign_in_sending()} onClick={verify}>
            {m.email_verify()}
          </Button>
        )}
        <Button look="secondary" onClick={() => (setDone(undefined), setStep('change'))}>
          {m.email_change()}
        </Button>
      </div>
    ),
    verify: <VerifyForm email={user.email} onVerified={verified} onAgain={verify} />,
    change: <NewAddressForm {...{ user, email, setEmail }} work={begin} onSubmit={send} onCancel={() => setStep('none')} />,
    codes: <CodesForm user={user} email={email.trim()} onChanged={changed} onOther={() => setStep('change')} />,
  };
  return (
    <Section anchor="email" title={m.email_title()} lead={m.email_lead()}>
      <div className={css['narrow']}>
        {begin.wrong.message && <Message tone="error" title={begin.wrong.message} isLive />}
        {done !== undefined && <Message tone="success" title={done} isLive />}
        <Address user={user} />
        {steps[step]}
      </div>
    </Section>
  );
}

/** E-mail address of the account, marked as confirmed or not. */
function Address({ user }: { user: User }): ReactNode {
  const isVerified = user.email_verified === 1;
  return (
    <div className={css['address']}>
      <b>{user.email}</b>
      <Pill tone={isVerified ? 'success' : 'warning'} icon={isVerified ? 'check-circle' : 'warning-circle-fill'}>
        {isVerified ? m.email_verified() : m.email_not_verified()}
      </Pill>
    </div>
  );
}

/** Form for the new e-mail address, which then has the codes mailed. */
function NewAddressForm({
  user,
  email,
  setEmail,
  work: { wrong, isBusy },
  onSubmit,
  onCancel,
}: {
  user: User;
  email: string;
  setEmail: (email: string) => void;
  work: Work;
  onSubmit: () => void;
  onCancel: () => void;
}): ReactNode {
  return (
    <form
      noValidate
      className={css['stack']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Message tone="warning">{m.email_warning()}</Message>
      <Field
        name="email"
        label={m.email_new()}
        type="email"
        inputMode="email"
        autoComplete="email"
        value={email}
        error={wrong.at?.['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className={css['actions']}>
        <Button type="submit" busy={isBusy && m.sign_in_sending()}>
          {user.two_factor_enabled ? m.email_send_one() : m.email_send()}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {m.email_cancel()}
        </Button>
      </div>
    </form>
  );
}

/** Form for the code from the account's mailbox, which confirms the e-mail address. */
function VerifyForm({ email, onVerified, onAgain }: { email: string; onVerified: () => void; onAgain: () => void }): ReactNode {
  const [otp, setOtp] = useState('');
  const { wrong, isBusy, run } = useWork(['otp']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      await accountCalls.userEmailVerify({ otp });
      onVerified();
    });
  };
  return (
    <form noValidate className={css['stack']} onSubmit={submit}>
      <p>{m.email_verify_lead({ email })}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <DigitsField name="otp" label={m.email_code()} value={otp} error={wrong.at?.['otp']} onChange={setOtp} />
      <div className={css['actions']}>
        <Button type="submit" busy={isBusy && m.code_checking()}>
          {m.email_verify_save()}
        </Button>
        <Button look="quiet" onClick={onAgain}>
          {m.email_code_again()}
        </Button>
      </div>
    </form>
  );
}

/**
 * Form for two codes: one from the new mailbox, and one from the authenticator or, without an authenticator, from the old
 * mailbox.
 */
function CodesForm({
  user,
  email,
  onChanged,
  onOther,
}: {
  user: User;
  email: string;
  onChanged: (user: User) => void;
  onOther: () => void;
}): ReactNode {
  const [fresh, setFresh] = useState('');
  const [own, setOwn] = useState('');
  const step = user.two_factor_enabled ? 'two_factor_code' : 'otp';
  const { wrong, isBusy, run } = useWork(['email', 'new_otp', step]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => onChanged(await accountCalls.emailChange({ email, new_otp: fresh, [step]: own })));
  };
  return (
    <form noValidate className={css['stack']} onSubmit={submit}>
      {(wrong.message ?? wrong.at?.['email']) && <Message tone="error" title={wrong.message ?? wrong.at?.['email']} isLive />}
      <DigitsField
        name="new_otp"
        label={m.email_code_new({ email })}
        hint={m.email_code_hint()}
        value={fresh}
        error={wrong.at?.['new_otp']}
        onChange={setFresh}
      />
      <DigitsField
        name={step}
        label={user.two_factor_enabled ? m.second_label() : m.email_code_old({ email: user.email })}
        value={own}
        error={wrong.at?.[step]}
        onChange={setOwn}
      />
      <p className={css['lead']}>{m.email_no_letter()}</p>
      <div className={css['actions']}>
        <Button type="submit" busy={isBusy && m.code_checking()}>
          {m.email_save()}
        </Button>
        <Button look="quiet" onClick={onOther}>
          {m.email_other()}
        </Button>
      </div>
    </form>
  );
}
