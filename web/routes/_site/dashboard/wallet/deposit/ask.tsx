import { readTyped } from '@kurs/money';
import { type FormEvent, type ReactNode, Suspense, lazy, useState } from 'react';
import { useNavigate } from 'react-router';
import { AccountInput } from '../../../../../features/account-input.tsx';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { tickerOf } from '../../../../../features/currency.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { unreadable } from '../../../../../features/unreadable.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { pageUrl } from '../../../../pages.ts';
import { useTryKey } from '../../confirm/once.ts';
import css from './deposit.module.css';
import type { Unit } from './page.server.ts';
import { useUser } from '../../user.ts';
import { depositCalls } from './deposit-calls.ts';

const LevelNote = lazy(async () => ({ default: (await import('../../../../../features/calculator/level-note.tsx')).LevelNote }));

type Way = Unit['rails'][number];

/**
 * Form that requests a deposit through a payment system. It asks for the amount, and for details of the payer that the system
 * requires.
 */
export function AskDeposit({ unit, way }: { unit: string; way: Way }): ReactNode {
  const { locale } = useSite();
  const navigate = useNavigate();
  const currency = useCurrency(way.currency);
  const isVoucher = way.kind === 'voucher';
  const ownLevel = useUser()?.verification_level;
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const { wrong, isBusy, run } = useWork(['amount', ...way.payer_fields.map(({ name }) => `payer.${name}`)]);
  const tries = useTryKey();
  const typed = readTyped(text, locale, currency.payDigits);
  const amount = typed !== undefined && /[1-9]/.test(typed) ? typed : undefined;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    if (!isVoucher && amount === undefined) return;
    const given = new FormData(event.currentTarget);
    const payer = Object.fromEntries(way.payer_fields.map(({ name }) => [name, String(given.get(`payer.${name}`) ?? '')]));
    run(async () => {
      const input = { currency: unit, rail: way.rail, payer, ...(!isVoucher && amount !== undefined && { amount }) };
      const { id } = await depositCalls.walletDepositAsk(input, { idempotencyKey: tries.of(input) });
      tries.done();
      await navigate(pageUrl(locale, 'deposit', { id }));
    });
  };
  const unfit = tried && amount === undefined ? (text === '' ? m.deposit_amount_missing() : unreadable(text)) : undefined;
  if (ownLevel !== undefined && currency.payerLevel !== undefined && ownLevel < currency.payerLevel) {
    return (
      <Suspense fallback={null}>
        <LevelNote name={currency.name} level={currency.payerLevel} />
      </Suspense>
    );
  }
  return (
    <section className="card pad" aria-labelledby="ask-title">
      <h2 className="card-title" id="ask-title">
        {m.deposit_through({ name: way.network })}
      </h2>
      <form className={css['ask']} onSubmit={submit} noValidate>
        {isVoucher ? (
          <p className="soft">{m.deposit_voucher_lead()}</p>
        ) : (
          <DepositAmount way={way} text={text} error={unfit ?? wrong.at?.['amount']} onType={setText} />
        )}
        {way.payer_fields.map((field) => (
          <AccountInput
            key={field.name}
            field={field}
            name={`payer.${field.name}`}
            currency={currency}
            value=""
            error={wrong.at?.[`payer.${field.name}`]}
          />
        ))}
        {way.is_reversible && <Message tone="warning">{m.deposit_reversible({ name: way.network })}</Message>}
        {wrong.message && <Message tone="error" title={wrong.message} isLive />}
        <div>
          <Button type="submit" size="large" busy={isBusy && m.deposit_asking()} iconAfter="arrow-right">
            {m.deposit_ask()}
          </Button>
        </div>
        {!isVoucher && <p className="small mute">{m.deposit_fee_note({ name: way.network })}</p>}
      </form>
    </section>
  );
}

function DepositAmount({
  way,
  text,
  error,
  onType,
}: {
  way: Way;
  text: string;
  error: string | undefined;
  onType: (text: string) => void;
}): ReactNode {
  const money = useMoneyText();
  const currency = useCurrency(way.currency);
  return (
    <Field
      name="amount"
      label={m.withdraw_amount()}
      note={<span className="num">{m.deposit_from({ min: money({ amount: way.min, currency: way.currency }) })}</span>}
      inputMode="decimal"
      maxLength={40}
      value={text}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
      trailing={<span className="mute">{tickerOf(currency)}</span>}
    />
  );
}
