import { type FormEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { useSite } from '../../site.ts';
import { MailboxLink } from '../../sandbox/mailbox-link.tsx';
import { m } from '../../words.ts';
import { keepToken } from '../access-token.ts';
import {
  type Attempt,
  type Entry,
  type GoogleShown,
  type BotCheck,
  beginBotCheck,
  byCode,
  byGoogle,
  byPassword,
  byReset,
  mailCode,
  mailGoogleCode,
} from '../account-calls.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { FrozenNote } from './frozen-note.tsx';
import { GoogleButton } from './google-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { ResetForm } from './reset-form.tsx';
import { SecondForm } from './second-form.tsx';
import css from './sign-in.module.css';
import { useWork } from './use-work.ts';
import { failedBy } from './wrong.ts';

/** Which dialog is open: one at a time. */
type Mode = 'email' | 'code' | 'password' | 'forgot' | 'reset' | 'link' | 'linkByPassword' | 'second' | 'frozen';

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

/** The dialogs that take a code of a letter. */
const WAITS_FOR_MAIL: ReadonlySet<Mode> = new Set(['code', 'reset', 'link']);

/** The dialogs of signing in: by a mailed code, a password or Google, with the second factor where there is one. */
export function SignIn({ onClose }: { onClose: () => void }): ReactNode {
  const site = useSite();
  const [mode, setMode] = useState<Mode>('email');
  const [email, setEmail] = useState('');
  const [resendIn, setResendIn] = useState(0);
  /** Of the last code to this address of each kind. */
  const handles = useRef<Record<string, string>>({});
  const { wrong, busy, run, clear } = useWork();
  /** What Google's button gave last, and how often it has. */
  const [google, setGoogle] = useState<{ shown: GoogleShown; times: number }>();
  const [isGoogleBusy, setGoogleBusy] = useState(false);
  /** The way in that waits for its second factor, and whether it freezes withdrawals. */
  const waiting = useRef<{ attempt: Attempt; freezes: boolean }>(undefined);
  const [entered, setEntered] = useState<Entry>();
  const place = useRef<HTMLDivElement>(null);
  const bot = useBotCheck(place);
  useKeptAtLeaving(entered);

  const turnTo = (next: Mode): void => {
    clear();
    setMode(next);
  };
  const send = (purpose: 'sign_in' | 'password'): void =>
    run(async () => {
      const mailed = await mailCode(purpose, { email, handle: handles.current[`${purpose} ${email}`] }, bot);
      handles.current[`${purpose} ${email}`] = mailed.handle;
      setResendIn(mailed.resend_in);
      setMode(purpose === 'sign_in' ? 'code' : 'reset');
    }, ['email']);
  const coded = (purpose: 'sign_in' | 'password', otp: string): { email: string; otp: string; handle: string } => ({
    email,
    otp,
    handle: handles.current[`${purpose} ${email}`] ?? '',
  });
  const sendLink = async (shown: GoogleShown): Promise<void> => {
    const sent = await mailGoogleCode(shown);
    setEmail(sent.email);
    setResendIn(sent.resend_in);
  };
  const arrive = (entry: Entry, freezes: boolean): void => {
    if (freezes && entry.user.frozen_until !== null) {
      setEntered(entry);
      return setMode('frozen');
    }
    keepToken(entry.access_token);
    onClose();
  };
  const tryToEnter = async (attempt: Attempt, freezes = false): Promise<void> => {
    try {
      arrive(await attempt(), freezes);
    } catch (error) {
      if (!failedBy(error, 'two_factor_required')) throw error;
      waiting.current = { attempt, freezes };
      turnTo('second');
    }
  };
  const enter = (attempt: Attempt, fields: readonly string[], freezes = false): void =>
    run(() => tryToEnter(attempt, freezes), fields);
  const addSecond = (code: string, isRecovery: boolean): void =>
    run(async () => {
      if (waiting.current) arrive(await waiting.current.attempt(code), waiting.current.freezes || isRecovery);
    }, ['two_factor_code']);
  const enterByGoogle = (shown: GoogleShown): void =>
    run(async () => {
      setGoogleBusy(true);
      try {
        await tryToEnter(byGoogle(shown));
      } catch (error) {
        setGoogle((last) => ({ shown, times: (last?.times ?? 0) + 1 }));
        if (!failedBy(error, 'google_proof_required')) throw error;
        await sendLink(shown);
        turnTo('link');
      } finally {
        setGoogleBusy(false);
      }
    });
  const link = (proof: { otp: string } | { password: string }): void => {
    if (google) enter(byGoogle(google.shown, proof), Object.keys(proof));
  };
  const close = (): void => {
    if (entered) keepToken(entered.access_token);
    onClose();
  };
  const submit =
    (purpose: 'sign_in' | 'password') =>
    (event: FormEvent): void => {
      event.preventDefault();
      send(purpose);
    };

  const shared = { email, onEmail: setEmail, wrong, busy };
  const forms: Record<Mode, ReactNode> = {
    email: (
      <EmailForm {...shared} busy={busy && !isGoogleBusy} lead={m.sign_in_lead()} onSubmit={submit('sign_in')}>
        <OtherWays onPassword={() => turnTo('password')}>
          <GoogleButton key={google?.times} busy={isGoogleBusy} onShown={enterByGoogle} />
        </OtherWays>
      </EmailForm>
    ),
    code: (
      <CodeForm
        {...shared}
        resendIn={resendIn}
        onCode={(otp) => enter(byCode(coded('sign_in', otp)), ['otp'])}
        onAgain={() => send('sign_in')}
        onOther={() => turnTo('email')}
        onPassword={() => turnTo('password')}
      />
    ),
    password: (
      <PasswordForm
        {...shared}
        onPassword={(password) => enter(byPassword(email, password, bot), ['email', 'password'])}
        onForgot={() => turnTo('forgot')}
        onCode={() => turnTo('email')}
      />
    ),
    forgot: (
      <EmailForm {...shared} lead={m.password_forgot_lead()} onSubmit={submit('password')}>
        <p className={css['foot']}>
          <button type="button" className="link" onClick={() => turnTo('password')}>
            {m.password_back()}
          </button>
        </p>
      </EmailForm>
    ),
    reset: (
      <ResetForm
        {...shared}
        resendIn={resendIn}
        onReset={(otp, password) => enter(byReset(coded('password', otp), password), ['otp', 'password'], true)}
        onAgain={() => send('password')}
        onOther={() => turnTo('forgot')}
      />
    ),
    link: (
      <CodeForm
        {...shared}
        lead={m.google_link_lead({ email })}
        resendIn={resendIn}
        onCode={(otp) => link({ otp })}
        onAgain={() => google && run(() => sendLink(google.shown))}
        onOther={() => turnTo('email')}
        onPassword={() => turnTo('linkByPassword')}
      />
    ),
    linkByPassword: (
      <PasswordForm
        {...{ email, wrong, busy }}
        lead={m.google_link_password_lead()}
        onPassword={(password) => link({ password })}
        onForgot={() => turnTo('forgot')}
        onCode={() => turnTo('link')}
      />
    ),
    second: <SecondForm wrong={wrong} busy={busy} onCode={addSecond} onOther={() => turnTo('email')} />,
    frozen:
      entered?.user.frozen_until != null && entered.user.frozen_because !== null ? (
        <FrozenNote until={entered.user.frozen_until} because={entered.user.frozen_because} onDone={close} />
      ) : null,
  };
  return (
    <Dialog key={mode} open onClose={close} title={TITLES[mode]()} closeLabel={m.close()}>
      <div ref={place} className={css['check']} />
      {forms[mode]}
      {WAITS_FOR_MAIL.has(mode) && (
        <p className={css['foot']}>
          <MailboxLink mode={site.mode} to={email} />
        </p>
      )}
    </Dialog>
  );
}

/** Below the address: the other ways. */
function OtherWays({ onPassword, children }: { onPassword: () => void; children: ReactNode }): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <p className={css['or']}>
        <span>{m.sign_in_or()}</span>
      </p>
      <div className={css['ways']}>
        {children}
        <Button look="secondary" wide icon="password" onClick={onPassword}>
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

/**
 * The bot check for a letter, begun before it is asked for. Each is good once, and one that could not be made is made anew.
 * Where a person has a part in it, it is drawn into `place`.
 */
function useBotCheck(place: RefObject<HTMLElement | null>): () => Promise<string | null> {
  const site = useSite();
  const begun = useRef<Promise<BotCheck>>(undefined);
  useEffect(() => {
    begun.current = beginBotCheck(site);
    begun.current.catch(() => undefined);
  }, [site]);
  return useCallback(async () => {
    const begin = begun.current ?? beginBotCheck(site);
    begun.current = undefined;
    const check = await begin;
    return check(place.current as HTMLElement);
  }, [site, place]);
}

/** Anyone who leaves the page at the last dialog is signed in all the same. */
function useKeptAtLeaving(entered: Entry | undefined): void {
  useEffect(() => {
    if (!entered) return undefined;
    const keep = (): void => keepToken(entered.access_token);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [entered]);
}
