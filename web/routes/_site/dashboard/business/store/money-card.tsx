import type { ReactNode } from 'react';
import { writeDecimal } from '@kurs/money';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Choice } from '../../../../../ui/fields/choice.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { CurrencyFields, type StoreChoices } from '../store-fields.tsx';
import { BEARER_WORDS, type OwnStore } from '../store-words.ts';
import { SettingsCard } from './settings-card.tsx';

const FIELDS = ['invoice_currency', 'settlement_currency', 'costs_bearer', 'tolerance'];

/** Card with the currencies of a store, the bearer of costs, and the part of an invoice that may be missing. */
export function MoneyCard({ store, choices }: { store: OwnStore; choices: StoreChoices }): ReactNode {
  const { locale } = useSite();
  return (
    <SettingsCard name="money" title={m.store_money()} fields={FIELDS}>
      {(answer, wrong) => (
        <>
          <CurrencyFields own={store} choices={choices} answer={answer} />
          <Choice
            name="costs_bearer"
            label={m.store_costs()}
            defaultValue={store.costs_bearer}
            error={wrong['costs_bearer']}
            options={[
              { value: 'buyer', label: BEARER_WORDS.buyer(), note: m.store_costs_buyer_note() },
              { value: 'store', label: BEARER_WORDS.store(), note: m.store_costs_store_note() },
            ]}
          />
          <Field
            name="tolerance"
            inputMode="decimal"
            defaultValue={answer?.values['tolerance'] ?? writeDecimal(store.tolerance, locale)}
            error={wrong['tolerance']}
            label={m.store_tolerance()}
            hint={m.store_tolerance_hint()}
            maxLength={6}
            trailing={<span className="soft">%</span>}
          />
        </>
      )}
    </SettingsCard>
  );
}
