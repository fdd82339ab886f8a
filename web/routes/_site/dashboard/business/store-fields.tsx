import type { ReactNode } from 'react';
import { type Currency, findCurrency, shortNameOf } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Field } from '../../../../ui/fields/field.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { useUnitName } from '../wallet/unit-name.ts';
import { ZoneOptions } from '../zone-options.tsx';
import type { FormAnswer } from './answered.ts';
import css from './business.module.css';
import type { Stores } from './page.server.ts';
import type { OwnStore } from './store-words.ts';

/** Names of the fields of a new store. */
export const STORE_FIELDS = ['name', 'invoice_currency', 'settlement_currency', 'timezone'] as const;

/** Values that a store may choose from: currencies, methods, and the bounds of the time to pay. */
export type StoreChoices = Pick<
  Stores,
  'invoice_currencies' | 'settlement_currencies' | 'methods' | 'reversible_methods' | 'life_minutes'
>;

/** Returns the methods of a store, and those of them that are closed to its business. A personal store never has these. */
export function methodsOf(
  { kind, methods: own = [], takes_reversible: isOpen }: OwnStore,
  { methods, reversible_methods: reversible }: StoreChoices,
): { readonly all: readonly string[]; readonly closed: readonly string[] } {
  const all = withOwn(kind === 'personal' ? methods.filter((code) => !reversible.includes(code)) : methods, ...own);
  return { all, closed: isOpen ? [] : all.filter((code) => reversible.includes(code)) };
}

type Currencies = Pick<OwnStore, 'invoice_currency' | 'settlement_currency'>;

/** Fields of a new store. Its time zone begins as that of the account. */
export function StoreFields({ choices, answer }: { choices: StoreChoices; answer: FormAnswer | undefined }): ReactNode {
  const { currencies } = useSite();
  return (
    <>
      <Field
        name="name"
        defaultValue={answer?.values['name']}
        error={answer?.errors?.['name']?.[0]}
        label={m.store_name()}
        hint={m.store_name_hint()}
        maxLength={60}
        required
      />
      <CurrencyFields usual={usualOf(choices, currencies)} choices={choices} answer={answer} />
      <ZoneField answer={answer} />
    </>
  );
}

/** Fields for the currencies of a store. `own`: the present ones, which stay choosable; `usual`: those of a new store. */
export function CurrencyFields({
  own,
  usual = {},
  choices,
  answer,
}: {
  own?: Currencies;
  usual?: Partial<Currencies>;
  choices: StoreChoices;
  answer: FormAnswer | undefined;
}): ReactNode {
  const { currencies } = useSite();
  const unitName = useUnitName();
  const of = (name: keyof Currencies) => ({
    name,
    defaultValue: answer?.values[name] ?? own?.[name] ?? usual[name],
    error: answer?.errors?.[name]?.[0],
  });
  return (
    <div className={css['pair']}>
      <Select {...of('invoice_currency')} label={m.store_invoice_currency()}>
        {withOwn(choices.invoice_currencies, own?.invoice_currency).map((unit) => (
          <option key={unit} value={unit}>
            {unitName(unit)}
          </option>
        ))}
      </Select>
      <Select {...of('settlement_currency')} label={m.store_settlement_currency()}>
        {withOwn(choices.settlement_currencies, own?.settlement_currency).map((code) => (
          <option key={code} value={code}>
            {shortNameOf(findCurrency(currencies, code), currencies)}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** Field for the time zone of a store. Without `own`, it begins as that of the account. */
export function ZoneField({ own, answer }: { own?: string; answer: FormAnswer | undefined }): ReactNode {
  return (
    <Select
      name="timezone"
      defaultValue={answer?.values['timezone'] ?? own}
      error={answer?.errors?.['timezone']?.[0]}
      label={m.store_timezone()}
    >
      {own === undefined && <option value="">{m.store_timezone_own()}</option>}
      <ZoneOptions own={own ?? 'UTC'} />
    </Select>
  );
}

/** Returns the currencies that the form for a new store begins with: USD and USDT, where they can be chosen. */
function usualOf(
  { invoice_currencies: units, settlement_currencies: codes }: StoreChoices,
  currencies: readonly Currency[],
): Partial<Currencies> {
  const invoice = units.find((unit) => unit === 'USD');
  const settlement = codes.find((code) => findCurrency(currencies, code).unit === 'USDT');
  return {
    ...(invoice !== undefined && { invoice_currency: invoice }),
    ...(settlement !== undefined && { settlement_currency: settlement }),
  };
}

/** Returns the choices, with those of the store first that new stores can't choose. */
export const withOwn = (choices: readonly string[], ...own: readonly (string | undefined)[]): readonly string[] => [
  ...own.flatMap((one) => (one === undefined || choices.includes(one) ? [] : [one])),
  ...choices,
];
