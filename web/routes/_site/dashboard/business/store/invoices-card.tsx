import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../../../../features/currency.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Choice } from '../../../../../ui/fields/choice.tsx';
import { Checkbox, Field } from '../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../ui/fields/select.tsx';
import type { FormAnswer } from '../answered.ts';
import { pageUrl } from '../../../../pages.ts';
import { type StoreChoices, methodsOf } from '../store-fields.tsx';
import { type OwnStore, SHORT_WORDS, durationOf } from '../store-words.ts';
import { SettingsCard } from './settings-card.tsx';
import { METHOD } from './settings-form.ts';
import css from './store.module.css';

const FIELDS = ['life_minutes', 'short_preset', 'methods', 'return_url', 'letters'];
/** Minutes to pay that are offered, within the desk's bounds. */
const LIVES = [15, 30, 60, 180, 720, 1_440, 4_320, 10_080];

type Parts = { readonly store: OwnStore; readonly choices: StoreChoices };

/** Card with the settings of a store's invoices: time to pay, part payments, methods, return address and letters. */
export function InvoicesCard({ store, choices }: Parts): ReactNode {
  return (
    <SettingsCard name="invoices" title={m.store_invoices()} fields={FIELDS}>
      {(answer, wrong) => (
        <>
          <LifeField store={store} choices={choices} answer={answer} error={wrong['life_minutes']} />
          <Choice
            name="short_preset"
            label={m.store_short()}
            defaultValue={store.short_preset}
            error={wrong['short_preset']}
            options={[
              { value: 'give_back', label: SHORT_WORDS.give_back() },
              { value: 'accept', label: SHORT_WORDS.accept() },
            ]}
          />
          <Methods store={store} choices={choices} error={wrong['methods']} />
          {store.kind !== 'personal' && (
            <Field
              name="return_url"
              inputMode="url"
              defaultValue={answer?.values['return_url'] ?? store.return_url}
              error={wrong['return_url']}
              label={m.store_return()}
              hint={store.kind === 'business' ? m.store_return_hint_sites() : m.store_return_hint()}
              maxLength={500}
            />
          )}
          <Checkbox name="letters" defaultChecked={store.letters}>
            {m.store_letters()}
          </Checkbox>
        </>
      )}
    </SettingsCard>
  );
}

/** Field for the time to pay, which begins as that of the store. */
export function LifeField({
  store,
  choices: { life_minutes: bounds },
  answer,
  error,
}: Parts & { answer: FormAnswer | undefined; error: string | undefined }): ReactNode {
  const { locale } = useSite();
  const offered = LIVES.filter((minutes) => minutes >= bounds.least && minutes <= bounds.most);
  const all = [...new Set([...offered, bounds.least, bounds.most, store.life_minutes])].toSorted((a, b) => a - b);
  return (
    <Select
      name="life_minutes"
      defaultValue={answer?.values['life_minutes'] ?? store.life_minutes}
      error={error}
      label={m.store_life()}
    >
      {all.map((minutes) => (
        <option key={minutes} value={minutes}>
          {durationOf(minutes, locale)}
        </option>
      ))}
    </Select>
  );
}

/** Choice between all methods of the desk and some of them. The list of single ones shows only beside the second. */
function Methods({ store, choices, error }: Parts & { error: string | undefined }): ReactNode {
  const { currencies, locale } = useSite();
  const own = store.methods ?? [];
  const { all, closed } = methodsOf(store, choices);
  const nameOf = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  return (
    <Choice
      name="methods"
      label={m.store_methods()}
      defaultValue={store.methods ? 'some' : 'all'}
      error={error}
      options={[
        { value: 'all', label: m.store_methods_all(), note: m.store_methods_all_note() },
        { value: 'some', label: m.store_methods_some() },
      ]}
    >
      <fieldset className={css['methods']} aria-label={m.store_methods_some()}>
        {all.map((code) => (
          <Checkbox
            key={code}
            name={METHOD + code}
            defaultChecked={own.includes(code)}
            disabled={closed.includes(code) && !own.includes(code)}
          >
            {nameOf(code)}
          </Checkbox>
        ))}
      </fieldset>
      {closed.length > 0 && (
        <p className={`small soft ${css['closed']}`}>
          {m.store_methods_closed({ names: closed.map(nameOf).join(', ') })}{' '}
          <a className="link" href={pageUrl(locale, 'contact', { topic: 'business' })}>
            {m.store_methods_ask()}
          </a>
        </p>
      )}
    </Choice>
  );
}
