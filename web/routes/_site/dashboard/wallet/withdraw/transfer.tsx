import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { Money, useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Slip, SlipLine, SlipLines } from '../../../../../ui/parts/slip.tsx';
import { pageUrl } from '../../../../pages.ts';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useTryKey } from '../../confirm/once.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import { PersonField } from '../../person-field.tsx';
import type { User } from '../../user.ts';
import type { Wallet } from '../page.server.ts';
import type { Book, Limits as WithdrawalLimits } from './page.server.ts';
import { Saved } from './account-part.tsx';
import { AmountField } from './amount-field.tsx';
import { Limits } from './limits.tsx';
import { leftOf, readSum } from './sums.ts';
import css from './withdraw.module.css';

interface TransferProps {
  readonly wallet: Wallet;
  readonly user: User;
  readonly book: Book;
  readonly limits: WithdrawalLimits;
}
type Transferred = Awaited<ReturnType<typeof moneyCalls.walletTransfer>>;

/**
 * Form for a transfer to the wallet of another account holder, who is named by their e-mail address. A transfer is immediate and
 * free.
 */
export function TransferForm({ wallet, user, book, limits }: TransferProps): ReactNode {
  const [moved, setMoved] = useState<Transferred>();
  const { revalidate } = useRevalidator();
  if (moved) return <Done moved={moved} onAgain={() => setMoved(undefined)} />;
  return (
    <Transfer
      {...{ wallet, user, book, limits }}
      onMoved={(one) => {
        setMoved(one);
        void revalidate();
      }}
    />
  );
}

function Transfer({ wallet, user, book, limits, onMoved }: TransferProps & { onMoved: (one: Transferred) => void }): ReactNode {
  const money = useMoneyText();
  const { currency: unit, available } = wallet;
  const { payDigits } = useCurrency(unit);
  const transfer = useTransfer({ wallet, user, onMoved });
  const { email, setEmail, text, setText, note, setNote, tried: hasTried, typed, amount, to, wrong } = transfer;
  return (
    <form className={css['form']} onSubmit={transfer.submit} noValidate aria-label={m.withdraw_tab_person()}>
      <div className={css['fields']}>
        <SavedPeople book={book} email={to} onPick={setEmail} />
        <PersonField
          name="to"
          value={email}
          error={wrong.at?.['to'] ?? wrong.at?.['email'] ?? (hasTried && to === '' ? m.person_email_missing() : undefined)}
          onType={setEmail}
        />
        <AmountField
          {...{ text, typed, wallet, payDigits, hasTried }}
          min={undefined}
          error={wrong.at?.['amount']}
          onType={setText}
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
        {wrong.message && <Message tone="error" title={wrong.message} isLive />}
        <Message tone="warning">{m.person_now()}</Message>
        <ConfirmPart
          confirm={transfer.confirm}
          email={user.email}
          wrong={wrong}
          isBusy={transfer.busy}
          name={m.person_go({ amount: amount === undefined ? unit : money({ amount, currency: unit }) })}
          onMail={transfer.mail}
        />
      </div>
    </form>
  );
}

/**
 * Returns the state of the transfer's form, with its two calls: one has the confirmation code mailed, the other transfers the
 * money.
 */
function useTransfer({
  wallet: { currency: unit, available },
  user,
  onMoved,
}: Pick<TransferProps, 'wallet' | 'user'> & { onMoved: (one: Transferred) => void }) {
  const { locale } = useSite();
  const { digits } = useCurrency(unit);
  const [email, setEmail] = useState('');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const typed = readSum(text, { unit, digits, available, locale });
  const amount = typed && 'amount' in typed ? typed.amount : undefined;
  const to = email.trim();
  const confirm = useConfirm(user, JSON.stringify([unit, amount, to]));
  const { wrong, isBusy, run } = useWork(['amount', 'to', 'email', 'note', confirm.field]);
  const tries = useTryKey();
  const mail = (): void =>
    run(() =>
      confirm.send(async () => {
        const request = { action: 'transfer' as const, currency: unit, email: to, ...(amount !== undefined && { amount }) };
        return (await moneyCalls.walletConfirmation(request)).confirmation;
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
    if (amount === undefined || to === '') return;
    if (confirm.isOpen) send();
    else mail();
  };
  return { email, setEmail, text, setText, note, setNote, tried, typed, amount, to, confirm, wrong, busy: isBusy, mail, submit };
}

/** Choice of a person from the address book; absent if the book contains no people. */
function SavedPeople({ book, email, onPick }: { book: Book; email: string; onPick: (email: string) => void }): ReactNode {
  const people = book.addresses.filter(({ kind }) => kind === 'person');
  if (people.length === 0) return null;
  const picked = people.find((one) => one.to['email'] === email)?.id ?? '';
  return (
    <Saved
      label={m.person_saved()}
      saved={people}
      isListed={book.allow_list}
      picked={picked}
      onPick={(id) => onPick(people.find((one) => one.id === id)?.to['email'] ?? '')}
    />
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
          <SlipLine label={m.person_arrives()} isTotal>
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

/** Message after a transfer, which is final. */
function Done({ moved, onAgain }: { moved: Transferred; onAgain: () => void }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  return (
    <div className={css['done']}>
      <Message tone="success" title={m.person_done({ amount: money(moved), email: moved.to })} isLive>
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
