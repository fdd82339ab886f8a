import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Checkbox, Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Select } from '../../../../../ui/fields/select.tsx';
import type { User } from '../../user.ts';
import css from '../account.module.css';
import { type NewKey, keyCalls } from './key-calls.ts';
import { type StepUp, OnceMore, requestedOnceMore } from '../once-more.tsx';
import { SCOPE_WORDS, type Scope } from './scope-words.ts';

const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];
const DAYS = [30, 90, 365] as const;

/** Form that creates an API key: its name, its scopes, the networks from which it may be used, and its lifetime in days. */
export function KeyForm({
  user,
  onMade,
  onClose,
}: {
  user: User;
  onMade: (key: NewKey) => void;
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [networks, setNetworks] = useState('');
  const [days, setDays] = useState('90');
  const [more, setMore] = useState<StepUp>({});
  const { wrong, isBusy, run } = useWork();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const from = networks.split(/[\s,;]+/).filter(Boolean);
    const fields = ['name', 'scopes', 'networks', ...from.map((_one, at) => `networks.${at}`), 'password', 'otp'];
    run(async () => {
      const request = { name, scopes: [...scopes], networks: from, days: Number.parseInt(days, 10) };
      const made = await requestedOnceMore('api_key', () => keyCalls.apiKeyMake({ ...request, ...more }), setMore);
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
      <ScopesField scopes={scopes} error={wrong.at?.['scopes']} onChange={setScopes} />
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

function ScopesField({
  scopes,
  error,
  onChange,
}: {
  scopes: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: readonly Scope[]) => void;
}): ReactNode {
  const tick = (scope: Scope, isOn: boolean): void =>
    onChange(SCOPES.filter((one) => (one === scope ? isOn : scopes.includes(one))));
  return (
    <fieldset className={css['scopes']}>
      <legend>{m.keys_scopes()}</legend>
      {SCOPES.map((scope, at) => (
        <Checkbox
          key={scope}
          name={`scope-${scope}`}
          checked={scopes.includes(scope)}
          error={at === SCOPES.length - 1 ? error : undefined}
          onChange={(event) => tick(scope, event.currentTarget.checked)}
        >
          {SCOPE_WORDS[scope]()}
        </Checkbox>
      ))}
    </fieldset>
  );
}
