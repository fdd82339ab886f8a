import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Pill } from '../../../../../ui/parts/pill.tsx';
import type { User } from '../../user.ts';
import { accountCalls } from '../account-calls.ts';
import css from '../account.module.css';
import { DigitsField } from '../digits-field.tsx';
import { securityClient } from '../security-client.ts';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';

type OpenForm = 'nothing' | 'off' | 'codes';

/** Shows that the second factor is on, with buttons to switch it off and to renew the recovery codes. */
export function SwitchedOn({
  user,
  onChange,
  onCodes,
}: {
  user: User;
  onChange: () => Promise<void>;
  onCodes: (codes: readonly string[]) => void;
}): ReactNode {
  const [request, setRequested] = useState<OpenForm>('nothing');
  const leave = (): void => setRequested('nothing');
  return (
    <>
      <div className={css['row']}>
        <Pill tone="success" icon="check-circle">
          {m.two_factor_is_on()}
        </Pill>
        {request === 'nothing' && (
          <span className={css['actions']}>
            <Button look="secondary" size="small" onClick={() => setRequested('codes')}>
              {m.recovery_renew()}
            </Button>
            <Button look="secondary" size="small" onClick={() => setRequested('off')}>
              {m.two_factor_switch_off()}
            </Button>
          </span>
        )}
      </div>
      {request === 'nothing' && (
        <p className={css['lead']}>{m.two_factor_codes_left({ count: String(user.recovery_codes_left) })}</p>
      )}
      {request === 'off' && <SwitchOffForm user={user} onChange={onChange} onLeave={leave} />}
      {request === 'codes' && <RenewForm onCodes={onCodes} onLeave={leave} />}
    </>
  );
}

/**
 * Form that switches the second factor off. It asks for an authenticator or recovery code, and for the password if there is one.
 */
function SwitchOffForm({
  user,
  onChange,
  onLeave,
}: {
  user: User;
  onChange: () => Promise<void>;
  onLeave: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { wrong, isBusy, run } = useWork(['two_factor_code', 'password']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      await securityClient.disable2fa({ two_factor_code: code.trim(), ...(user.password_set && { password }) });
      await onChange();
    });
  };
  return (
    <form onSubmit={submit} noValidate className={css['stack']}>
      <Message tone="warning" title={m.two_factor_off_warning()} />
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <div>
        <Field
          name="two_factor_code"
          label={m.two_factor_any_code()}
          autoComplete="one-time-code"
          isMono
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
        <Button type="submit" look="danger" busy={isBusy && m.code_checking()}>
          {m.two_factor_switch_off()}
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {m.two_factor_keep()}
        </Button>
      </div>
    </form>
  );
}

/** Form that replaces the recovery codes. It asks for the authenticator's code. */
function RenewForm({ onCodes, onLeave }: { onCodes: (codes: readonly string[]) => void; onLeave: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const { wrong, isBusy, run } = useWork(['two_factor_code']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => onCodes((await accountCalls.recoveryCodes({ two_factor_code: code })).recovery_codes));
  };
  return (
    <form onSubmit={submit} noValidate className={css['stack']}>
      <Message tone="warning" title={m.recovery_renew_lead()} />
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <DigitsField
        name="two_factor_code"
        label={m.second_label()}
        value={code}
        error={wrong.at?.['two_factor_code']}
        onChange={setCode}
      />
      <div className={css['row']}>
        <Button type="submit" busy={isBusy && m.code_checking()}>
          {m.recovery_renew()}
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {m.recovery_keep()}
        </Button>
      </div>
    </form>
  );
}
