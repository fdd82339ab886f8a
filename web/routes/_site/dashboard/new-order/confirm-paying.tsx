import type { ReactNode } from 'react';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { DigitsField } from '../account/digits-field.tsx';
import { useConfirm } from '../confirm/use-confirm.ts';
import { type User, useUser } from '../user.ts';
import css from './confirm-paying.module.css';

/**
 * Part that confirms a payment from a wallet: by an authenticator's code, or by a code that was mailed for this exchange only.
 */
export function ConfirmPaying({ about }: { about: string }): ReactNode {
  const user = useUser();
  return user && <Codes user={user} about={about} />;
}

function Codes({ user, about }: { user: User; about: string }): ReactNode {
  const { field, isOpen, code, type, send } = useConfirm(user, about);
  const { wrong, isBusy, run } = useWork([]);
  const isMailed = field === 'otp';
  return (
    <div className={css['confirm']}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {isOpen && (
        <DigitsField
          name={field}
          label={isMailed ? m.code_label() : m.second_label()}
          hint={isMailed ? m.confirm_mailed({ email: user.email }) : m.second_hint()}
          value={code}
          onChange={type}
        />
      )}
      {isMailed && (
        <Button
          type="button"
          look="secondary"
          busy={isBusy && m.sign_in_sending()}
          onClick={() => run(() => send(async () => about))}
        >
          {isOpen ? m.code_again() : m.confirm_send()}
        </Button>
      )}
    </div>
  );
}
