import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { type CallError, clientOf } from '@kurs/contract/client';
import { paymentFromWallet, userInfo } from '@kurs/contract/paths';
import { readTyped } from '@kurs/money';
import { accessToken } from '../../../../features/account/access-token.ts';
import { saidBy } from '../../../../features/account/said-by.ts';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { tickerOf } from '../../../../features/currency.ts';
import { useMoneyText } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { unreadable } from '../../../../features/unreadable.ts';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { ConfirmPart } from '../../dashboard/confirm/confirm-part.tsx';
import { useTryKey } from '../../dashboard/confirm/once.ts';
import { useConfirm } from '../../dashboard/confirm/use-confirm.ts';
import type { User } from '../../dashboard/user.ts';
import { usePay } from '../use-pay.ts';
import css from './wallets.module.css';

const calls = clientOf(pageTransport(accessToken), { paymentFromWallet, userInfo });

interface WalletPayProps {
  readonly unit: string;
  /** Amount to pay, in the wallet's unit; undefined for a top-up, for which the holder types it. */
  readonly amount: string | undefined;
}

/** Form that pays the invoice from a wallet, confirmed by an authenticator's code or by a mailed code. */
export function WalletPay(props: WalletPayProps): ReactNode {
  const [user, setUser] = useState<User>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    calls.userInfo({}).then(setUser, (error: CallError) => setFailure(saidBy(error)));
  }, []);
  if (failure !== undefined) return <Message tone="error" title={failure} isLive />;
  return user ? <PayForm user={user} {...props} /> : <p className="small mute">{m.checkout_wallet_loading()}</p>;
}

function PayForm({ user, unit, amount }: WalletPayProps & { user: User }): ReactNode {
  const { data, refresh } = usePay();
  const { id, pending } = data.invoice;
  const { locale } = useSite();
  const [typed, setTyped] = useState('');
  const [hasTried, setTried] = useState(false);
  const text = useMoneyText();
  const currency = useCurrency(unit);
  const sum = amount ?? readTyped(typed, locale, currency.payDigits);
  const isMissing = sum === undefined || sum === '';
  const confirm = useConfirm(user, [id, unit, sum].join(' '));
  const { wrong, isBusy, run } = useWork(['otp', 'two_factor_code', 'amount']);
  const tries = useTryKey();
  const mail = (): void => run(() => confirm.send(async () => id));
  const pay = async (): Promise<void> => {
    const input = { id, unit, amount: sum ?? '', ...confirm.codes() };
    try {
      await calls.paymentFromWallet(input, { idempotencyKey: tries.of(input) });
      tries.done();
    } finally {
      // A refusal may mean that the price or the invoice has changed.
      await refresh();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isMissing) return;
    if (confirm.isOpen) run(pay);
    else mail();
  };
  const unfit = hasTried && isMissing ? (typed === '' ? m.checkout_amount_missing() : unreadable(typed)) : undefined;
  return (
    <form onSubmit={submit} noValidate className={css['pay']}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {amount === undefined && (
        <Field
          name="wallet-amount"
          label={m.checkout_wallet_amount()}
          inputMode="decimal"
          maxLength={40}
          value={typed}
          error={unfit ?? wrong.at?.['amount']}
          onChange={(event) => setTyped(event.currentTarget.value)}
          trailing={<span className="mute">{tickerOf(currency)}</span>}
        />
      )}
      {/[1-9]/.test(pending) && <p className="small soft">{m.checkout_wallet_partly()}</p>}
      <ConfirmPart
        confirm={confirm}
        email={user.email}
        wrong={wrong}
        isBusy={isBusy}
        name={isMissing ? m.checkout_wallet_choose() : m.checkout_wallet_pay({ sum: text({ amount: sum, currency: unit }) })}
        onMail={mail}
      />
    </form>
  );
}
