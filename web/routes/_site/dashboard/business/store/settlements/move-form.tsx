import { type FormEvent, type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type SettlementMove, settlementAbout } from '@kurs/contract/settlement-about';
import { clientOf } from '@kurs/contract/client';
import { settlementMake, settlementMoveBack } from '@kurs/contract/paths';
import { readTyped } from '@kurs/money';
import { accessToken } from '../../../../../../features/account/access-token.ts';
import { useWork } from '../../../../../../features/account/sign-in/use-work.ts';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { tickerOf } from '../../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { unreadable } from '../../../../../../features/unreadable.ts';
import { useCurrency } from '../../../../../../features/use-currency.ts';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { ConfirmPart } from '../../../confirm/confirm-part.tsx';
import { useTryKey } from '../../../confirm/once.ts';
import { useConfirm } from '../../../confirm/use-confirm.ts';
import type { User } from '../../../user.ts';
import css from './settlements.module.css';

const calls = clientOf(pageTransport(accessToken), { settlementMake, settlementMoveBack });

interface MoveFormProps {
  readonly user: User;
  readonly direction: 'to_wallet' | 'to_store';
  readonly store: string;
  readonly unit: string;
  /** Largest amount that can be moved. */
  readonly max: string;
  /** Closes the form; with the direction after a move. */
  readonly onEnd: (moved?: 'to_wallet' | 'to_store') => void;
}

/** Form of a move between a store's balance and its owner's wallet, confirmed by a code. */
export function MoveForm({ user, direction, store, unit, max, onEnd }: MoveFormProps): ReactNode {
  const { locale } = useSite();
  const currency = useCurrency(unit);
  const text = useMoneyText();
  const [typed, setTyped] = useState('');
  const [hasTried, setTried] = useState(false);
  const { revalidate } = useRevalidator();
  // Nothing typed means the whole amount.
  const amount = typed.trim() === '' ? max : readTyped(typed, locale, currency.payDigits);
  const move: SettlementMove | undefined = amount === undefined ? undefined : { store, unit, amount };
  const about = move ? settlementAbout(direction, move) : '';
  const confirm = useConfirm(user, about);
  const { wrong, isBusy, run } = useWork(['otp', 'two_factor_code', 'amount']);
  const tries = useTryKey();
  const mail = (): void => run(() => confirm.send(async () => about));
  const send = async (): Promise<void> => {
    const input = { store, currency: unit, amount: amount ?? '', ...confirm.codes() };
    const call = direction === 'to_wallet' ? calls.settlementMake : calls.settlementMoveBack;
    await call(input, { idempotencyKey: tries.of(input) });
    tries.done();
    onEnd(direction);
    await revalidate();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!move) return;
    if (confirm.isOpen) run(send);
    else mail();
  };
  const sum = move ? text({ amount: move.amount, currency: unit }) : '';
  return (
    <form onSubmit={submit} noValidate className={css['form']}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <Field
        name={`${direction}-${unit}`}
        label={direction === 'to_wallet' ? m.settlements_amount() : m.settlements_amount_back()}
        hint={m.settlements_amount_hint({ max: text({ amount: max, currency: unit }) })}
        inputMode="decimal"
        maxLength={40}
        value={typed}
        error={(hasTried && !move && unreadable(typed)) || wrong.at?.['amount']}
        onChange={(event) => setTyped(event.currentTarget.value)}
        trailing={
          <>
            <span className="mute">{tickerOf(currency)}</span>
            <Button size="small" look="quiet" onClick={() => setTyped(max)}>
              {m.settlements_all_of_it()}
            </Button>
          </>
        }
      />
      <ConfirmPart
        confirm={confirm}
        email={user.email}
        wrong={wrong}
        isBusy={isBusy}
        name={direction === 'to_wallet' ? m.settlements_move_sum({ sum }) : m.settlements_move_back_sum({ sum })}
        onMail={mail}
      />
      <div>
        <Button look="quiet" size="small" onClick={() => onEnd()}>
          {m.keys_cancel()}
        </Button>
      </div>
    </form>
  );
}
