import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import type { User } from '../user.ts';
import { accountCalls } from './account-calls.ts';
import css from './account.module.css';
import { DigitsField } from './digits-field.tsx';
import { Section } from './section.tsx';

/** Section that closes the account. It says what is deleted and what is retained, and then asks for a code. */
export function CloseSection({ user, onUser }: { user: User; onUser: (user: User) => void }): ReactNode {
  const [request, setRequested] = useState(false);
  const begin = useWork([]);
  const ask = (): void =>
    begin.run(async () => {
      if (!user.two_factor_enabled) await accountCalls.userEmailGetOtp({ purpose: 'close_account' });
      setRequested(true);
    });
  if (user.closing_at !== null) return null;
  return (
    <Section anchor="close" title={m.close_title()} lead={m.close_lead()}>
      <div className={css['stack']}>
        <p>{m.close_gone()}</p>
        <p className="soft">{m.close_kept()}</p>
        {begin.wrong.message && <Message tone="error" title={begin.wrong.message} isLive />}
        {request ? (
          <CloseForm user={user} onUser={onUser} onLeave={() => setRequested(false)} />
        ) : (
          <div>
            <Button look="secondary" busy={begin.isBusy && m.sign_in_sending()} onClick={ask}>
              {m.close_ask()}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

/** Form for the code that confirms the closing of the account. */
function CloseForm({ user, onUser, onLeave }: { user: User; onUser: (user: User) => void; onLeave: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const step = user.two_factor_enabled ? 'two_factor_code' : 'otp';
  const { wrong, isBusy, run } = useWork([step]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      onUser(await accountCalls.userClose({ [step]: code }));
      scrollTo({ top: 0 });
    });
  };
  return (
    <form noValidate className={css['narrow']} onSubmit={submit}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {!user.two_factor_enabled && <p>{m.close_code_lead({ email: user.email })}</p>}
      <DigitsField
        name={step}
        label={user.two_factor_enabled ? m.second_label() : m.email_code()}
        value={code}
        error={wrong.at?.[step]}
        onChange={setCode}
      />
      <div className={css['actions']}>
        <Button type="submit" look="danger" busy={isBusy && m.code_checking()}>
          {m.close_confirm()}
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {m.close_leave()}
        </Button>
      </div>
    </form>
  );
}
