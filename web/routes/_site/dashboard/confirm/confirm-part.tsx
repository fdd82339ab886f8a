import type { ReactNode } from 'react';
import { DIGITS } from '../../../../features/account/sign-in/code-form.tsx';
import type { Wrong } from '../../../../features/account/sign-in/wrong.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { DigitsField } from '../account/digits-field.tsx';
import css from './confirm.module.css';
import type { Confirm } from './use-confirm.ts';

/**
 * Last part of a form by which money leaves the account: the field for the confirmation code, and the submit button. If the
 * account has no authenticator, the button first has a code mailed.
 */
export function ConfirmPart({
  confirm,
  email,
  wrong,
  isBusy,
  name,
  isDisabled = false,
  look = 'primary',
  onMail,
  onCancel,
}: {
  confirm: Confirm;
  /** E-mail address to which the code is mailed. */
  email: string;
  wrong: Wrong;
  isBusy: boolean;
  /** Label of the submit button, such as `Withdraw 500.00 USDT`. */
  name: string;
  isDisabled?: boolean;
  look?: 'primary' | 'danger';
  /** Has a code mailed, for the first time or again. */
  onMail: () => void;
  /** Closes the form without a change. If absent, there is no cancel button. */
  onCancel?: () => void;
}): ReactNode {
  const { field, isOpen, isStale, code, type } = confirm;
  return (
    <div className={css['part']}>
      {isOpen ? (
        <div className={css['code']}>
          <DigitsField
            name={field}
            label={field === 'otp' ? m.code_label() : m.second_label()}
            hint={field === 'otp' ? m.confirm_mailed({ email }) : m.second_hint()}
            error={wrong.at?.[field]}
            value={code}
            onChange={type}
          />
        </div>
      ) : (
        <p className="small soft">{isStale ? m.confirm_stale() : m.confirm_lead({ email })}</p>
      )}
      <div className={css['acts']}>
        {isOpen ? (
          <Button
            type="submit"
            size="large"
            look={look}
            disabled={isDisabled || code.length < DIGITS}
            busy={isBusy && m.code_checking()}
          >
            {name}
          </Button>
        ) : (
          <Button type="submit" size="large" disabled={isDisabled} busy={isBusy && m.sign_in_sending()} icon="envelope-simple">
            {m.confirm_send()}
          </Button>
        )}
        {isOpen && field === 'otp' && (
          <Button look="quiet" onClick={onMail}>
            {m.code_again()}
          </Button>
        )}
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            {m.confirm_keep()}
          </Button>
        )}
      </div>
    </div>
  );
}
