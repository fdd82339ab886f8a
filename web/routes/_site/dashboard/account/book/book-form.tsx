import { clientOf } from '@kurs/contract/client';
import { currencies as currenciesPath } from '@kurs/contract/paths';
import type { Output, Routes } from '@kurs/contract';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { AccountInput } from '../../../../../features/account-input.tsx';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { pageTransport } from '../../../../../features/api/client.ts';
import { findCurrency, labelsOf } from '../../../../../features/currency.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Select } from '../../../../../ui/fields/select.tsx';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import { readFields } from '../../confirm/read-fields.ts';
import { PersonField } from '../../person-field.tsx';
import type { User } from '../../user.ts';
import css from '../account.module.css';

type Book = Output<Routes['walletAddresses']>;
type ApiCurrency = Output<Routes['currencies']>[number];

/** Value of the currency field if the entry is another account holder instead of a currency's account. */
const PERSON = 'person';

const client = clientOf(pageTransport(), { currencies: currenciesPath });

interface BookFormProps {
  readonly user: User;
  readonly onBook: (book: Book) => void;
  readonly onClose: () => void;
}

/**
 * Form that adds a receiving account or a person to the address book. It requires a confirmation code, so that a stolen session
 * alone can't add anything.
 */
export function BookForm({ user, onBook, onClose }: BookFormProps): ReactNode {
  const { currencies } = useSite();
  const entry = useBookEntry(user, onBook);
  const { known, chosen, isPerson, email, label, to, setTo, fields, tried, wrong } = entry;
  return (
    <form noValidate className={`card pad ${css['stack']}`} onSubmit={entry.submit} aria-label={m.book_add()}>
      {(wrong.message ?? wrong.at?.['to']) && <Message tone="error" title={wrong.message ?? wrong.at?.['to']} isLive />}
      <CurrencySelect known={known} value={isPerson ? PERSON : (chosen?.code ?? '')} onChange={entry.choose} />
      {isPerson && (
        <PersonField
          name="email"
          value={email}
          error={wrong.at?.['email'] ?? (tried && email === '' ? m.person_email_missing() : undefined)}
          onType={(text) => setTo({ email: text.trim() })}
        />
      )}
      <div key={chosen?.code} onInput={(event) => setTo(readFields(event.currentTarget))}>
        {fields.map((field) => (
          <AccountInput
            key={field.name}
            field={field}
            name={`to.${field.name}`}
            currency={findCurrency(currencies, chosen?.code ?? '')}
            value=""
            error={
              wrong.at?.[`to.${field.name}`] ??
              (tried && field.required && to[field.name] === undefined ? m.withdraw_account_missing() : undefined)
            }
          />
        ))}
      </div>
      <Field
        name="label"
        label={m.book_label()}
        hint={m.book_label_hint()}
        maxLength={60}
        value={label}
        error={wrong.at?.['label'] ?? (tried && label.trim() === '' ? m.book_label_missing() : undefined)}
        onChange={(event) => entry.setLabel(event.currentTarget.value)}
      />
      <ConfirmPart
        confirm={entry.confirm}
        wrong={wrong}
        isBusy={entry.busy}
        email={user.email}
        name={m.book_save()}
        onMail={entry.mail}
        onCancel={onClose}
      />
    </form>
  );
}

/** Returns the state of the form: the currencies, the new entry and its confirmation, and the calls that they need. */
function useBookEntry(user: User, onBook: BookFormProps['onBook']) {
  const [known, setKnown] = useState<readonly ApiCurrency[]>();
  const [code, setCode] = useState('');
  const [label, setLabel] = useState('');
  const [to, setTo] = useState<Readonly<Record<string, string>>>({});
  const isPerson = code === PERSON;
  const email = to['email'] ?? '';
  const [tried, setTried] = useState(false);
  const chosen = isPerson ? undefined : (known?.find((one) => one.code === code) ?? known?.[0]);
  const fields = chosen?.fields ?? [];
  const names = fields.map(({ name }) => `to.${name}`);
  const confirm = useConfirm(user, JSON.stringify([chosen?.code ?? code, to]));
  const { wrong, isBusy, run } = useWork(['label', 'to', 'email', ...names, confirm.field]);
  const [{ first }] = useState(() => ({
    first: () => run(async () => setKnown((await client.currencies({})).filter((one) => one.fields.length > 0))),
  }));
  useEffect(first, [first]);
  const isWhole =
    label.trim() !== '' &&
    (!isPerson || email !== '') &&
    fields.every(({ name, required }) => !required || to[name] !== undefined);
  const mail = (): void =>
    run(() =>
      confirm.send(async () => {
        if (isPerson) return (await moneyCalls.walletConfirmation({ action: 'person', email })).confirmation;
        if (!chosen) return '';
        const request = { action: 'address' as const, currency: chosen.unit, rail: chosen.rail, to: { ...to } };
        return (await moneyCalls.walletConfirmation(request)).confirmation;
      }),
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isWhole || (!chosen && !isPerson)) return;
    if (!confirm.isOpen) return mail();
    const named = { label: label.trim(), ...confirm.codes() };
    if (!chosen) return run(async () => onBook(await moneyCalls.walletPersonStore({ email, ...named })));
    const input = { currency: chosen.unit, rail: chosen.rail, to: { ...to }, ...named };
    run(async () => onBook(await moneyCalls.walletAddressStore(input)));
  };
  const choose = (next: string): void => {
    setCode(next);
    setTo({});
  };
  return {
    known,
    chosen,
    isPerson,
    email,
    label,
    setLabel,
    to,
    setTo,
    fields,
    tried,
    confirm,
    wrong,
    busy: isBusy,
    choose,
    mail,
    submit,
  };
}

function CurrencySelect({
  known,
  value,
  onChange,
}: {
  known: readonly ApiCurrency[] | undefined;
  value: string;
  onChange: (code: string) => void;
}): ReactNode {
  const { currencies } = useSite();
  return (
    <Select
      name="book-currency"
      label={m.book_currency()}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {known?.map((one) => {
        const { title, note } = labelsOf(findCurrency(currencies, one.code));
        return (
          <option key={one.code} value={one.code}>
            {title} · {note}
          </option>
        );
      })}
      <option value={PERSON}>{m.book_person()}</option>
    </Select>
  );
}
