import { type ReactNode, useState } from 'react';
import { AccountInput } from '../../../../../features/account-input.tsx';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { useSite } from '../../../../../features/site.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import { Select } from '../../../../../ui/fields/select.tsx';
import { readFields } from '../../confirm/read-fields.ts';
import type { Book } from './page.server.ts';
import { type Way, isVoucher } from './ways.ts';
import css from './withdraw.module.css';

type Fields = Readonly<Record<string, string>>;

/** Fields of the receiving account, typed or filled in from the address book. */
export function AccountPart({
  way,
  book,
  wrong,
  known,
  onFields,
}: {
  way: Way;
  book: Book;
  wrong: Readonly<Record<string, string>> | undefined;
  /** Note about earlier payouts to the entered account. */
  known: ReactNode | undefined;
  onFields: (fields: Fields) => void;
}): ReactNode {
  const [picked, setPicked] = useState('');
  const [at, setAt] = useState<string>();
  const currency = useCurrency(way.by);
  const saved = book.addresses.filter(({ rail, currency: unit }) => rail === way.rail && unit === currency.unit);
  const filled = saved.find(({ id }) => id === picked)?.to;
  const pick = (id: string): void => {
    setPicked(id);
    onFields(saved.find((one) => one.id === id)?.to ?? {});
  };
  if (isVoucher(way)) return <Message tone="info">{m.withdraw_voucher()}</Message>;
  return (
    <div className={css['account']}>
      {saved.length > 0 && <Saved saved={saved} isListed={book.allow_list} picked={picked} onPick={pick} />}
      <div
        key={picked}
        onFocus={(event) => setAt(event.target.getAttribute('name') ?? undefined)}
        onBlur={() => setAt(undefined)}
        onInput={(event) => onFields(readFields(event.currentTarget))}
      >
        {way.fields.map((field) => {
          const name = `to.${field.name}`;
          return (
            <AccountInput
              key={name}
              field={field}
              name={name}
              currency={currency}
              value={filled?.[field.name] ?? ''}
              // A field shows no error while the customer types into it.
              error={at === name ? undefined : wrong?.[name]}
              isValid={known !== undefined}
            />
          );
        })}
      </div>
      {known}
    </div>
  );
}

/** Choice of an entry from the address book. An entry that can't be used yet shows the time from which it can be used. */
export function Saved({
  saved,
  isListed,
  picked,
  onPick,
  label: heading = m.withdraw_saved(),
}: {
  saved: Book['addresses'];
  isListed: boolean;
  picked: string;
  onPick: (id: string) => void;
  label?: string;
}): ReactNode {
  const { locale } = useSite();
  const short = (to: Fields): string => {
    const [text = ''] = Object.values(to);
    return text.length > 16 && !text.includes('@') ? `${text.slice(0, 6)}…${text.slice(-6)}` : text;
  };
  return (
    <Select name="saved" label={heading} value={picked} onChange={(event) => onPick(event.currentTarget.value)}>
      <option value="">{m.withdraw_saved_none()}</option>
      {saved.map(({ id, label, to, usable, usable_at: from }) => (
        <option key={id} value={id} disabled={isListed && !usable}>
          {label} · {short(to)}
          {isListed && !usable && ` · ${m.withdraw_saved_from({ time: writeTime(from, locale) })}`}
        </option>
      ))}
    </Select>
  );
}
