import type { ReactNode } from 'react';
import { tickerOf } from '../../../../../features/currency.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import css from './withdraw.module.css';

/** The sum that leaves a wallet, with a button for all of it. */
export function AmountField({
  text,
  unit,
  note,
  error,
  onType,
  onAll,
}: {
  text: string;
  unit: string;
  /** The least and the most. */
  note: string;
  error: string | undefined;
  onType: (text: string) => void;
  onAll: () => void;
}): ReactNode {
  const ticker = tickerOf(useCurrency(unit));
  return (
    <div className={css['amount']}>
      <Field
        name="amount"
        label={m.withdraw_amount()}
        note={<span className="num">{note}</span>}
        inputMode="decimal"
        maxLength={40}
        value={text}
        error={error}
        onChange={(event) => onType(event.currentTarget.value)}
        trailing={
          <>
            <span className="mute">{ticker}</span>
            <Button look="secondary" size="tiny" onClick={onAll}>
              {m.withdraw_all()}
            </Button>
          </>
        }
      />
    </div>
  );
}
