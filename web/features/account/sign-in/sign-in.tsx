import { type FormEvent, type ReactNode, useRef } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { useSite } from '../../site.ts';
import { MailboxLink } from '../../sandbox/mailbox-link.tsx';
import { m } from '../../words.ts';
import { byCode, byPassword, byReset } from '../account-calls.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { FrozenNote } from './frozen-note.tsx';
import { GoogleButton } from './google-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SecondForm } from './second-form.tsx';
import css from './sign-in.module.css';
import { type CodePurpose, type Mode, type SignInDialogs, useSignIn } from './use-sign-in.ts';

const TITLES: Record<Mode, () => string> = {
  email: () => m.sign_in_title(),
  code: () => m.code_title(),
  password: () => m.password_title(),
  forgot: () => m.password_forgot_title(),
  reset: () => m.password_reset_title(),
  link: () => m.google_link_title(),
  linkByPassword: () => m.google_link_title(),
  second: () => m.second_title(),
  frozen: () => m.frozen_head(),
};

/** Dialogs that ask for a mailed code. In the sandbox they link to the mailbox. */
const WAITS_FOR_MAIL: ReadonlySet<Mode> = new Set(['code', 'reset', 'link']);

interface FormProps {
  readonly dialogs: SignInDialogs;
}

const FORMS: Record<Mode, (props: FormProps) => ReactNode> = {
  email: AddressStep,
  code: CodeStep,
  password: PasswordStep,
  forgot: ForgotStep,
  reset: ResetStep,
  link: LinkStep,
  linkByPassword: LinkByPasswordStep,
  second: SecondStep,
  frozen: FrozenStep,
};

/** Sign-in dialogs: by a mailed code, a password or Google, with the second factor if the account has one. */
export function SignIn({ onClose }: { onClose: () => void }): ReactNode {
  const site = useSite();
  const place = useRef<HTMLDivElement>(null);
  const dialogs = useSignIn(place, onClose);
  const { mode, email, close } = dialogs;
  const Form = FORMS[mode];
  return (
    <Dialog key={mode} isOpen onClose={close} title={TITLES[mode]()} closeLabel={m.close()}>
      <div ref={place} className={css['check']} />
      <Form dialogs={dialogs} />
      {WAITS_FOR_MAIL.has(mode) && (
        <p className={css['foot']}>
          <MailboxLink mode={site.mode} to={email} />
        </p>
      )}
    </Dialog>
  );
}

/** Props of all forms that contain the e-mail address. */
const sharedProps = ({ email, setEmail, wrong, isBusy }: SignInDialogs) => ({ email, onEmail: setEmail, wrong, isBusy: isBusy });

/** Returns the submit handler of a form that requests a mailed code. */
const sendOnSubmit =
  ({ sendCode }: SignInDialogs, purpose: CodePurpose) =>
  (event: FormEvent): void => {
    event.preventDefault();
    sendCode(purpose);
  };

function AddressStep({ dialogs }: FormProps): ReactNode {
  const { isBusy, google, turnTo } = dialogs;
  return (
    <EmailForm
      {...sharedProps(dialogs)}
      isBusy={isBusy && !google.isBusy}
      lead={m.sign_in_lead()}
      onSubmit={sendOnSubmit(dialogs, 'sign_in')}
    >
      <OtherWays onPassword={() => turnTo('password')}>
        <GoogleButton key={google.failures} isBusy={google.isBusy} onShown={google.enterByGoogle} />
      </OtherWays>
    </EmailForm>
  );
}

function CodeStep({ dialogs }: FormProps): ReactNode {
  const { codes, entering, sendCode, turnTo } = dialogs;
  return (
    <CodeForm
      {...sharedProps(dialogs)}
      resendIn={codes.resendIn}
      onCode={(otp) => entering.enter(byCode(codes.withHandle('sign_in', otp)), ['otp'])}
      onAgain={() => sendCode('sign_in')}
      onOther={() => turnTo('email')}
      onPassword={() => turnTo('password')}
    />
  );
}

function PasswordStep({ dialogs }: FormProps): ReactNode {
  const { email, bot, codes, entering, turnTo } = dialogs;
  return (
    <PasswordForm
      {...sharedProps(dialogs)}
      onPassword={(password) => entering.enter(byPassword(email, password, bot), ['email', 'password'])}
      onForgot={() => turnTo('forgot')}
      // A code that was mailed before can still be entered.
      onCode={() => turnTo(codes.isMailed('sign_in') ? 'code' : 'email')}
    />
  );
}

function ForgotStep({ dialogs }: FormProps): ReactNode {
  return (
    <EmailForm {...sharedProps(dialogs)} lead={m.password_forgot_lead()} onSubmit={sendOnSubmit(dialogs, 'password')}>
      <p className={css['foot']}>
        <button type="button" className="link" onClick={() => dialogs.turnTo('password')}>
          {m.password_back()}
        </button>
      </p>
    </EmailForm>
  );
}

function ResetStep({ dialogs }: FormProps): ReactNode {
  const { codes, entering, sendCode, turnTo } = dialogs;
  return (
    <ResetForm
      {...sharedProps(dialogs)}
      resendIn={codes.resendIn}
      onReset={(otp, password) => entering.enter(byReset(codes.withHandle('password', otp), password), ['otp', 'password'], true)}
      onAgain={() => sendCode('password')}
      onOther={() => turnTo('forgot')}
    />
  );
}

/** Asks for a mailed code, by which a Google account is linked to the account with the same address. */
function LinkStep({ dialogs }: FormProps): ReactNode {
  const { email, codes, google, turnTo } = dialogs;
  return (
    <CodeForm
      {...sharedProps(dialogs)}
      lead={m.google_link_lead({ email })}
      resendIn={codes.resendIn}
      onCode={(otp) => google.link({ otp })}
      onAgain={google.sendAgain}
      onOther={() => turnTo('email')}
      onPassword={() => turnTo('linkByPassword')}
    />
  );
}

/** Asks for the account's password, by which a Google account is linked to the account with the same address. */
function LinkByPasswordStep({ dialogs: { email, wrong, isBusy, google, turnTo } }: FormProps): ReactNode {
  return (
    <PasswordForm
      {...{ email, wrong, isBusy }}
      lead={m.google_link_password_lead()}
      onPassword={(password) => google.link({ password })}
      onForgot={() => turnTo('forgot')}
      onCode={() => turnTo('link')}
    />
  );
}

function SecondStep({ dialogs: { wrong, isBusy, entering, turnTo } }: FormProps): ReactNode {
  return <SecondForm wrong={wrong} isBusy={isBusy} onCode={entering.addSecond} onOther={() => turnTo('email')} />;
}

function FrozenStep({ dialogs: { entering, close } }: FormProps): ReactNode {
  const user = entering.entered?.user;
  if (user?.frozen_until == null || user.frozen_because === null) return null;
  return <FrozenNote until={user.frozen_until} because={user.frozen_because} onDone={close} />;
}

/** Other ways to sign in, shown below the form for the e-mail address. */
function OtherWays({ onPassword, children }: { onPassword: () => void; children: ReactNode }): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <p className={css['or']}>
        <span>{m.sign_in_or()}</span>
      </p>
      <div className={css['ways']}>
        {children}
        <Button look="secondary" isWide icon="password" onClick={onPassword}>
          {m.sign_in_by_password()}
        </Button>
      </div>
      <p className={css['foot']}>
        {m.sign_in_no_need()}{' '}
        <a className="link" href={`/${locale === 'ru' ? 'Ru' : 'En'}/track`}>
          {m.track_head()}
        </a>
      </p>
    </>
  );
}
