import { clientOf } from '@kurs/contract/client';
import { sandboxPay } from '@kurs/contract/paths';
import { readTyped } from '@kurs/money';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { pageTransport } from '../../../../../features/api/client.ts';
import { tickerOf } from '../../../../../features/currency.ts';
import { useSite } from '../../../../../features/site.ts';
import { unreadable } from '../../../../../features/unreadable.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { useTryKey } from '../../confirm/once.ts';
import css from './deposit.module.css';
import type { DepositData } from './page.server.ts';

const client = clientOf(pageTransport(), { sandboxPay });

/** Initial amounts of the field, worth about ten to a thousand dollars, by currency. */
const FIRST_SUMS: Readonly<Record<string, string>> = { BTC: '0.01', ETH: '0.1', BNB: '0.1' };
const FIRST_SUM = '100';

/** Form that pays to the receiving address from the sandbox's own wallet. */
export function SandboxPay({ place }: { place: NonNullable<DepositData['place']> }): ReactNode {
  const { locale } = useSite();
  const currency = useCurrency(place.currency);
  const first = FIRST_SUMS[place.currency] ?? FIRST_SUM;
  const [text, setText] = useState(locale === 'ru' ? first.replace('.', ',') : first);
  const [isPaid, setPaid] = useState(false);
  const { wrong, isBusy, run } = useWork(['amount']);
  const tries = useTryKey();
  const typed = readTyped(text, locale, currency.payDigits);
  const isReadable = typed !== undefined && /[1-9]/.test(typed);
  const pay = (event: FormEvent): void => {
    event.preventDefault();
    setPaid(false);
    if (!isReadable) return;
    run(async () => {
      const input = { currency: place.currency, to: place.address, amount: typed };
      await client.sandboxPay(input, { idempotencyKey: tries.of(input) });
      tries.done();
      setPaid(true);
    });
  };
  return (
    <form className={css['sandbox']} onSubmit={pay} noValidate>
      <Field
        name="amount"
        label={m.withdraw_amount()}
        inputMode="decimal"
        maxLength={40}
        value={text}
        error={isReadable ? wrong.at?.['amount'] : text === '' ? m.deposit_amount_missing() : unreadable(text)}
        onChange={(event) => setText(event.currentTarget.value)}
        trailing={<span className="mute">{tickerOf(currency)}</span>}
      />
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {isPaid && (
        <Message tone="success" title={m.sandbox_paid()} isLive>
          {m.sandbox_paid_text()}
        </Message>
      )}
      <div>
        <Button type="submit" look="secondary" icon="wallet" busy={isBusy && m.sandbox_paying()}>
          {m.sandbox_pay()}
        </Button>
      </div>
    </form>
  );
}
