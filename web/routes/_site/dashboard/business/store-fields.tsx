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

/** Names of the fields of a store's settings. */
export const STORE_FIELDS = ['name', 'invoice_currency', 'settlement_currency', 'timezone'] as const;

/** Currencies that a store may choose. */
export type StoreChoices = Pick<Stores, 'invoice_currencies' | 'settlement_currencies'>;

/** Fields of a store's settings. Without a store they are those of a new one, whose time zone is that of the account. */
export function StoreFields({
  store,
  choices,
  answer,
}: {
  store?: OwnStore;
  choices: StoreChoices;
  answer: FormAnswer | undefined;
}): ReactNode {
  const { currencies } = useSite();
  const unitName = useUnitName();
  const usual: Partial<OwnStore> = store ?? usualOf(choices, currencies);
  const of = (name: (typeof STORE_FIELDS)[number]) => ({
    name,
    defaultValue: answer?.values[name] ?? usual[name],
    error: answer?.errors?.[name]?.[0],
  });
  return (
    <>
      <Field {...of('name')} label={m.store_name()} hint={m.store_name_hint()} maxLength={60} required />
      <div className={css['pair']}>
        <Select {...of('invoice_currency')} label={m.store_invoice_currency()}>
          {withOwn(choices.invoice_currencies, store?.invoice_currency).map((unit) => (
            <option key={unit} value={unit}>
              {unitName(unit)}
            </option>
          ))}
        </Select>
        <Select {...of('settlement_currency')} label={m.store_settlement_currency()}>
          {withOwn(choices.settlement_currencies, store?.settlement_currency).map((code) => (
            <option key={code} value={code}>
              {shortNameOf(findCurrency(currencies, code), currencies)}
            </option>
          ))}
        </Select>
      </div>
      <Select {...of('timezone')} label={m.store_timezone()}>
        {!store && <option value="">{m.store_timezone_own()}</option>}
        <ZoneOptions own={store?.timezone ?? 'UTC'} />
      </Select>
    </>
  );
}

/** Returns the currencies that the form for a new store begins with: USD and USDT, where they can be chosen. */
function usualOf(
  { invoice_currencies: units, settlement_currencies: codes }: StoreChoices,
  currencies: readonly Currency[],
): Partial<OwnStore> {
  const invoice = units.find((unit) => unit === 'USD');
  const settlement = codes.find((code) => findCurrency(currencies, code).unit === 'USDT');
  return {
    ...(invoice !== undefined && { invoice_currency: invoice }),
    ...(settlement !== undefined && { settlement_currency: settlement }),
  };
}

/** Returns the choices, with the store's own currency first if new stores can't choose it. */
const withOwn = (choices: readonly string[], own: string | undefined): readonly string[] =>
  own === undefined || choices.includes(own) ? choices : [own, ...choices];
