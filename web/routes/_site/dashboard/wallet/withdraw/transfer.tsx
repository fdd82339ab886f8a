import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { Money, useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { unreadable } from '../../../../../features/unreadable.ts';
import { m } from '../../../../../features/words.ts';
import { leastDigits } from '../../../../../features/currency.ts';
import { writeAmount } from '../../../../../ui/base/amount.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Slip, SlipLine, SlipLines } from '../../../../../ui/parts/slip.tsx';
import { pageUrl } from '../../../../pages.ts';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useTryKey } from '../../confirm/once.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import type { User } from '../../user.ts';
import type { Wallet } from '../page.server.ts';
import type { Book, Limits as Told } from './page.server.ts';
import { Saved } from './account-part.tsx';
import { AmountField } from './amount-field.tsx';
import { Limits } from './limits.tsx';
import { leftOf, readSum } from './sums.ts';
import css from './withdraw.module.css';

interface Given {
  readonly wallet: Wallet;
  readonly user: User;
  readonly book: Book;
  readonly limits: Told;
  readonly now: string;
}
type Moved = Awaited<ReturnType<typeof moneyCalls.walletTransfer>>;

/** Moving money into the wallet of another account holder, named by their address: at once and without a fee. */
export function TransferForm({ wallet, user, book, limits, now }: Given): ReactNode {
  const [moved, setMoved] = useState<Moved>();
  const { revalidate } = useRevalidator();
  if (moved) return <Done moved={moved} onAgain={() => setMoved(undefined)} />;
  return (
    <Transfer
      {...{ wallet, user, book, limits, now }}
      onMoved={(one) => {
        setMoved(one);
        void revalidate();
      }}
    />
  );
}

function Transfer({ wallet, user, book, limits, now, onMoved }: Given & { onMoved: (one: Moved) => void }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  const { currency: unit, available } = wallet;
  const { digits, payDigits } = useCurrency(unit);
  const [email, setEmail] = useState('');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const typed = readSum(text, { unit, digits, available, locale });
  const amount = typed && 'amount' in typed ? typed.amount : undefined;
  const to = email.trim();
  const confirm = useConfirm(user, JSON.stringify([unit, amount, to]));
  const { wrong, busy, run } = useWork(['amount', 'to', 'email', 'note', confirm.field]);
  const tries = useTryKey();
  const isWhole = amount !== undefined && to !== '';
  const people = book.addresses.filter(({ kind }) => kind === 'person');
  const picked = people.find((one) => one.to['email'] === to)?.id ?? '';
  const mail = (): void =>
    run(() =>
      confirm.send(async () => {
        const asked = { action: 'transfer' as const, currency: unit, email: to, ...(amount !== undefined && { amount }) };
        return (await moneyCalls.walletConfirmation(asked)).confirmation;
      }),
    );
  const send = (): void =>
    run(async () => {
      if (amount === undefined) return;
      const input = { currency: unit, amount, to, ...(note.trim() !== '' && { note: note.trim() }), ...confirm.codes() };
      onMoved(await moneyCalls.walletTransfer(input, { idempotencyKey: tries.of(input) }));
      tries.done();
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isWhole) return;
    if (confirm.isOpen) send();
    else mail();
  };
  const of = (sum: string): string => money({ amount: sum, currency: unit });
  const write = (sum: string): string => writeAmount(sum, leastDigits(payDigits), locale);
  const problem = typed && 'problem' in typed ? typed.problem : undefined;
  const unfit = problem === 'too_much' ? m.withdraw_too_much({ amount: of(available) }) : problem && unreadable(text);
  return (
    <form className={css['form']} onSubmit={submit} noValidate aria-label={m.withdraw_tab_person()}>
      <div className={css['fields']}>
        {people.length > 0 && (
          <Saved
            label={m.person_saved()}
            saved={people}
            listed={book.allow_list}
            {...{ now, picked }}
            onPick={(id) => setEmail(people.find((one) => one.id === id)?.to['email'] ?? '')}
          />
        )}
        <Field
          name="to"
          label={m.person_email()}
          type="email"
          inputMode="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          error={wrong.at?.['to'] ?? wrong.at?.['email'] ?? (tried && to === '' ? m.person_email_missing() : undefined)}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <AmountField
          text={text}
          unit={unit}
          note={m.withdraw_most({ max: write(available) })}
          error={unfit ?? wrong.at?.['amount'] ?? (tried && amount === undefined ? m.withdraw_amount_missing() : undefined)}
          onType={setText}
          onAll={() => setText(write(available))}
        />
        <Field
          name="note"
          label={m.person_note()}
          hint={m.person_note_hint()}
          maxLength={140}
          value={note}
          error={wrong.at?.['note']}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <div className={css['effect']}>
        <TransferEffect unit={unit} amount={amount} available={available} />
        <Limits limits={limits} />
      </div>
      <div className={css['confirm']}>
        {wrong.message && <Message tone="error" title={wrong.message} live />}
        <Message tone="warning">{m.person_now()}</Message>
        <ConfirmPart
          confirm={confirm}
          email={user.email}
          wrong={wrong}
          busy={busy}
          name={m.person_go({ amount: amount === undefined ? unit : of(amount) })}
          onMail={mail}
        />
      </div>
    </form>
  );
}

function TransferEffect({ unit, amount, available }: { unit: string; amount: string | undefined; available: string }): ReactNode {
  const titleId = useId();
  const sum = (text: string | undefined): ReactNode =>
    text === undefined ? '–' : <Money of={{ amount: text, currency: unit }} />;
  return (
    <Slip labelledBy={titleId}>
      <h2 className="card-title" id={titleId}>
        {m.withdraw_effect()}
      </h2>
      <div className={css['lines']}>
        <SlipLines>
          <SlipLine label={m.withdraw_leaves()}>{sum(amount)}</SlipLine>
          <SlipLine label={m.withdraw_fee()}>{m.person_no_fee()}</SlipLine>
          <SlipLine label={m.person_arrives()} total>
            {sum(amount)}
          </SlipLine>
          <SlipLine label={m.withdraw_stays()}>
            {sum(amount === undefined ? available : leftOf(unit, available, amount))}
          </SlipLine>
        </SlipLines>
      </div>
    </Slip>
  );
}

/** It is done: nothing more can become of it. */
function Done({ moved, onAgain }: { moved: Moved; onAgain: () => void }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  return (
    <div className={css['done']}>
      <Message tone="success" title={m.person_done({ amount: money(moved), email: moved.to })} live>
        {m.person_done_text()}{' '}
        <a className="link" href={pageUrl(locale, 'transactions')}>
          {m.moves_all_link()}
        </a>
      </Message>
      <Button look="secondary" onClick={onAgain}>
        {m.person_again()}
      </Button>
    </div>
  );
}
