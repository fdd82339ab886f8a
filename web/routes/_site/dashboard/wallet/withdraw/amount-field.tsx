import type { ReactNode } from 'react';
import { minDigits, tickerOf } from '../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { unreadable } from '../../../../../features/unreadable.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { writeAmount } from '../../../../../ui/base/amount.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import type { Wallet } from '../page.server.ts';
import type { Typed } from './sums.ts';
import css from './withdraw.module.css';

/** Field for the amount that shall leave a wallet, with its limits and a button that fills in the whole balance. */
export function AmountField({
  text,
  typed,
  wallet: { currency: unit, available },
  payDigits,
  min,
  hasTried,
  error,
  onType,
}: {
  text: string;
  /** Amount or problem that `readSum` returned for the text. */
  typed: Typed;
  wallet: Wallet;
  /** Number of decimals in payments of this currency. */
  payDigits: number;
  min: string | undefined;
  /** True once the form was submitted. From then on an empty field is an error. */
  hasTried: boolean;
  /** Error from the server. It is shown if the typed text itself has no error. */
  error: string | undefined;
  onType: (text: string) => void;
}): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  const ticker = tickerOf(useCurrency(unit));
  const write = (sum: string): string => writeAmount(sum, minDigits(payDigits), locale);
  const max = write(available);
  const problem = typed && 'problem' in typed ? typed.problem : undefined;
  const unfit =
    problem === 'too_much'
      ? m.withdraw_too_much({ amount: money({ amount: available, currency: unit }) })
      : problem && unreadable(text);
  return (
    <div className={css['amount']}>
      <Field
        name="amount"
        label={m.withdraw_amount()}
        note={
          <span className="num">
            {min === undefined ? m.withdraw_most({ max }) : m.withdraw_limits({ min: write(min), max })}
          </span>
        }
        inputMode="decimal"
        maxLength={40}
        value={text}
        error={unfit ?? error ?? (hasTried && typed === undefined ? m.withdraw_amount_missing() : undefined)}
        onChange={(event) => onType(event.currentTarget.value)}
        trailing={
          <>
            <span className="mute">{ticker}</span>
            <Button look="secondary" size="tiny" onClick={() => onType(max)}>
              {m.withdraw_all()}
            </Button>
          </>
        }
      />
    </div>
  );
}
