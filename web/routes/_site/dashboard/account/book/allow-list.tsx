import type { Output, Routes } from '@kurs/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Pill } from '../../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import type { User } from '../../user.ts';
import css from '../account.module.css';

type Book = Output<Routes['walletAddresses']>;

/** Switch for the allow-list. Switching it on takes effect immediately, switching it off a day after its confirmation. */
export function AllowList({ book, user, onBook }: { book: Book; user: User; onBook: (book: Book) => void }): ReactNode {
  const { locale } = useSite();
  const [request, setRequested] = useState(false);
  const { wrong, isBusy, run } = useWork([]);
  const switchOn = (): void => run(async () => onBook(await moneyCalls.walletAllowList({ on: true })));
  const isEnding = book.allow_list && book.allow_list_until !== null;
  return (
    <div className={`card pad ${css['stack']}`}>
      <div className={css['row']}>
        <b className={css['name']}>{m.book_list_title()}</b>
        <Pill tone={book.allow_list ? 'success' : 'neutral'} {...(book.allow_list && { icon: 'check-circle' as const })}>
          {book.allow_list ? m.book_list_on() : m.book_list_off()}
        </Pill>
      </div>
      <p className={css['lead']}>{book.allow_list ? m.book_list_on_text() : m.book_list_off_text()}</p>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {isEnding && book.allow_list_until !== null && (
        <Message tone="warning" title={m.book_list_until({ time: writeTime(book.allow_list_until, locale) })} />
      )}
      {request ? (
        <SwitchOff
          user={user}
          onCancel={() => setRequested(false)}
          onBook={(next) => {
            onBook(next);
            setRequested(false);
          }}
        />
      ) : (
        <div>
          {book.allow_list && !isEnding ? (
            <Button look="secondary" onClick={() => setRequested(true)}>
              {m.book_list_switch_off()}
            </Button>
          ) : (
            <Button look="secondary" busy={isBusy && m.account_saving()} onClick={switchOn}>
              {isEnding ? m.book_list_keep() : m.book_list_switch_on()}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * Asks for a confirmation code before the allow-list is switched off, because without the list money may leave to more accounts.
 */
function SwitchOff({ user, onCancel, onBook }: { user: User; onCancel: () => void; onBook: (book: Book) => void }): ReactNode {
  const confirm = useConfirm(user, 'allow_list');
  const { wrong, isBusy, run } = useWork([confirm.field]);
  const mail = (): void =>
    run(() => confirm.send(async () => (await moneyCalls.walletConfirmation({ action: 'allow_list' })).confirmation));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (confirm.isOpen) run(async () => onBook(await moneyCalls.walletAllowList({ on: false, ...confirm.codes() })));
    else mail();
  };
  return (
    <form noValidate className={css['stack']} onSubmit={submit} aria-label={m.book_list_switch_off()}>
      <Message tone="warning">{m.book_list_off_warning()}</Message>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <ConfirmPart
        {...{ confirm, wrong, isBusy }}
        email={user.email}
        name={m.book_list_switch_off()}
        look="danger"
        onMail={mail}
        onCancel={onCancel}
      />
    </form>
  );
}
