import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Checkbox, Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import css from '../account/account.module.css';
import { type StepUp, OnceMore, requestedOnceMore } from '../account/once-more.tsx';
import type { User } from '../user.ts';
import type { Choice, KeyBook, NewKey } from './key-book.ts';

const DAYS = [30, 90, 365] as const;

/** Form that creates an API key: its name, permissions, the networks from which it may be used, and its lifetime in days. */
export function KeyForm({
  user,
  book,
  choices,
  onMade,
  onClose,
}: {
  user: User;
  book: KeyBook;
  choices: readonly Choice[];
  onMade: (key: NewKey) => void;
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const [networks, setNetworks] = useState('');
  const [days, setDays] = useState('90');
  const [more, setMore] = useState<StepUp>({});
  const { wrong, isBusy, run } = useWork();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const from = networks.split(/[\s,;]+/).filter(Boolean);
    const fields = ['name', book.field, 'networks', ...from.map((_one, at) => `networks.${at}`), 'password', 'otp'];
    run(async () => {
      const request = { name, permissions, networks: from, days: Number.parseInt(days, 10) };
      const made = await requestedOnceMore('api_key', () => book.make({ ...request, ...more }), setMore);
      if (made) onMade(made);
    }, fields);
  };
  return (
    <form noValidate className={`card pad ${css['stack']}`} onSubmit={submit} aria-label={m.keys_add()}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <Field
        name="key-name"
        label={m.keys_name()}
        hint={m.keys_name_hint()}
        maxLength={60}
        value={name}
        error={wrong.at?.['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PermissionsField {...{ choices, permissions }} error={wrong.at?.[book.field]} onChange={setPermissions} />
      <Field
        name="key-networks"
        label={m.keys_networks()}
        hint={m.keys_networks_hint()}
        value={networks}
        error={Object.entries(wrong.at ?? {}).find(([field]) => field.startsWith('networks'))?.[1]}
        onChange={(event) => setNetworks(event.currentTarget.value)}
      />
      <Select name="key-days" label={m.keys_days()} value={days} onChange={(event) => setDays(event.currentTarget.value)}>
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {m.keys_days_of({ count: String(count) })}
          </option>
        ))}
      </Select>
      <OnceMore email={user.email} request={more} wrong={wrong} onChange={setMore} />
      <div className={css['actions']}>
        <Button type="submit" busy={isBusy && m.account_saving()}>
          {m.keys_make()}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {m.keys_cancel()}
        </Button>
      </div>
    </form>
  );
}

function PermissionsField({
  choices,
  permissions,
  error,
  onChange,
}: {
  choices: readonly Choice[];
  permissions: readonly string[];
  error: string | undefined;
  onChange: (permissions: readonly string[]) => void;
}): ReactNode {
  const tick = (name: string, isOn: boolean): void =>
    onChange(choices.map((one) => one.name).filter((one) => (one === name ? isOn : permissions.includes(one))));
  return (
    <fieldset className={css['scopes']}>
      <legend>{m.keys_scopes()}</legend>
      {choices.map(({ name, words }, at) => (
        <Checkbox
          key={name}
          name={`scope-${name}`}
          checked={permissions.includes(name)}
          error={at === choices.length - 1 ? error : undefined}
          onChange={(event) => tick(name, event.currentTarget.checked)}
        >
          {words}
        </Checkbox>
      ))}
    </fieldset>
  );
}
