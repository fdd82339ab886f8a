import { type ReactNode, useState } from 'react';
import { clientOf } from '@kurs/contract/client';
import { userEmailGetOtp } from '@kurs/contract/paths';
import { accessToken } from '../../../features/account/access-token.ts';
import { useWork } from '../../../features/account/use-work.ts';
import { pageTransport } from '../../../features/client.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Message } from '../../../ui/message.tsx';
import { DigitsField } from './account/digits-field.tsx';
import { useUser } from './user.ts';
import css from './confirm-paying.module.css';

const client = clientOf(pageTransport(accessToken), { userEmailGetOtp });

/** What confirms that money leaves a wallet: an authenticator's code, else one mailed for this very exchange. */
export function ConfirmPaying({ about }: { about: string }): ReactNode {
  const user = useUser();
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const { wrong, busy, run } = useWork([]);
  if (!user) return null;
  if (user.two_factor_enabled) {
    return <DigitsField name="two_factor_code" label={m.second_label()} hint={m.second_hint()} value={code} onChange={setCode} />;
  }
  const send = (): void =>
    run(async () => {
      await client.userEmailGetOtp({ purpose: 'money_out', about });
      setSent(true);
    });
  return (
    <div className={css['confirm']}>
      {wrong.message && <Message tone="error" title={wrong.message} live />}
      {sent && (
        <DigitsField
          name="otp"
          label={m.code_label()}
          hint={m.confirm_mailed({ email: user.email })}
          value={code}
          onChange={setCode}
        />
      )}
      <Button type="button" look="secondary" busy={busy && m.sign_in_sending()} onClick={send}>
        {sent ? m.code_again() : m.confirm_send()}
      </Button>
    </div>
  );
}
