import type { Output, Routes } from '@kurs/contract';
import { type ReactNode, Suspense, lazy, useEffect, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { shortNetwork } from '../../../../../features/currency.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Code } from '../../../../../ui/parts/copyable.tsx';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Chip } from '../../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import { moneyCalls } from '../../confirm/money-calls.ts';
import type { User } from '../../user.ts';
import css from '../account.module.css';
import { AllowList } from './allow-list.tsx';
import { Section } from '../section.tsx';

// Few customers add an entry here, so the form's code is loaded on demand.
const BookForm = lazy(async () => ({ default: (await import('./book-form.tsx')).BookForm }));

type Book = Output<Routes['walletAddresses']>;

/** Section with the account's address book and the switch for the allow-list. */
export function BookSection({ user }: { user: User }): ReactNode {
  const [book, setBook] = useState<Book>();
  const [adding, setAdding] = useState(false);
  const { wrong, isBusy, run } = useWork([]);
  const load = async (): Promise<void> => setBook(await moneyCalls.walletAddresses({}));
  const [{ first }] = useState(() => ({ first: () => run(load) }));
  useEffect(first, [first]);
  const remove = (id: string): void => run(async () => setBook(await moneyCalls.walletAddressRemove({ id })));
  return (
    <Section anchor="addresses" title={m.book_title()} lead={m.book_lead()}>
      {wrong.message && (
        <Message tone="error" title={wrong.message} isLive>
          <button type="button" className="link" onClick={first}>
            {m.sessions_again()}
          </button>
        </Message>
      )}
      {book && <AllowList book={book} user={user} onBook={setBook} />}
      <ul className={`card ${css['sessions']}`} aria-busy={isBusy || undefined} aria-label={m.book_title()}>
        {!book ? (
          <li className={css['waitingRow']} />
        ) : book.addresses.length === 0 ? (
          <li className={css['session']}>
            <span className="soft">{m.book_none()}</span>
          </li>
        ) : (
          book.addresses.map((one) => <Entry key={one.id} one={one} isListed={book.allow_list} onRemove={() => remove(one.id)} />)
        )}
      </ul>
      {book &&
        (adding ? (
          <Suspense fallback={null}>
            <BookForm
              user={user}
              onClose={() => setAdding(false)}
              onBook={(next) => {
                setBook(next);
                setAdding(false);
              }}
            />
          </Suspense>
        ) : (
          <div>
            <Button look="secondary" icon="plus" onClick={() => setAdding(true)}>
              {m.book_add()}
            </Button>
          </div>
        ))}
    </Section>
  );
}

function Entry({
  one,
  isListed,
  onRemove,
}: {
  one: Book['addresses'][number];
  /** True if the allow-list is on: money leaves only to entries of the book that are old enough. */
  isListed: boolean;
  onRemove: () => void;
}): ReactNode {
  const { locale } = useSite();
  const [to = ''] = Object.values(one.to);
  return (
    <li className={css['session']}>
      <Icon name={one.kind === 'person' ? 'user' : 'address-book'} size={24} />
      <div className={css['device']}>
        <b>{one.label}</b>
        <span className={css['to']}>
          {one.kind === 'person' ? (
            <>
              {m.book_person_entry()} {to}
            </>
          ) : (
            <>
              {one.currency} <Chip>{shortNetwork(one.network)}</Chip> <Code isShort>{to}</Code>
            </>
          )}
        </span>
        {isListed && !one.usable && <span>{m.book_usable({ time: writeTime(one.usable_at, locale) })}</span>}
      </div>
      <Button look="secondary" size="small" aria-label={m.book_remove_one({ name: one.label })} onClick={onRemove}>
        {m.book_remove()}
      </Button>
    </li>
  );
}
