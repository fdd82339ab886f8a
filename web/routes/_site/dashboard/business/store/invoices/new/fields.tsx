import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../../../../../../features/currency.ts';
import { useSite } from '../../../../../../../features/site.ts';
import { m } from '../../../../../../../features/words.ts';
import { writeDecimal } from '../../../../../../../ui/base/amount.ts';
import { Choice } from '../../../../../../../ui/fields/choice.tsx';
import { Checkbox, Field, fieldId } from '../../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../../ui/fields/select.tsx';
import { TextArea } from '../../../../../../../ui/fields/text-area.tsx';
import { useUnitName } from '../../../../wallet/unit-name.ts';
import type { FormAnswer } from '../../../answered.ts';
import { methodsOf, withOwn } from '../../../store-fields.tsx';
import { LifeField } from '../../invoices-card.tsx';
import type { StoreData } from '../../own-store.ts';
import { METHOD } from '../../settings-form.ts';
import settings from '../../store.module.css';
import type { Values } from './line-rows.ts';
import type { FieldOf } from './lines-field.tsx';
import css from './new.module.css';

/** Fields of the amount: fixed or not, its currency, and the tax that it includes. */
export function AmountFields({ of, kind, data }: { of: FieldOf; kind: string | undefined; data: StoreData }): ReactNode {
  const unitName = useUnitName();
  const { invoice_currencies: units } = data.choices;
  const own = data.store.invoice_currency;
  const currency = of('currency');
  return (
    <div className={css['fields']}>
      <Choice
        name="kind"
        label={m.invoices_kind()}
        defaultValue={kind === 'any' ? 'any' : 'fixed'}
        options={[
          { value: 'fixed', label: m.invoices_kind_fixed(), note: m.invoices_kind_fixed_note() },
          { value: 'any', label: m.invoices_any_amount(), note: m.invoices_kind_any_note() },
        ]}
      />
      <div className={css['pair']}>
        <div className={css['fixed']}>
          <Field {...of('amount')} label={m.invoices_amount()} inputMode="decimal" maxLength={60} />
        </div>
        <Select {...currency} defaultValue={currency.defaultValue ?? own} label={m.invoices_currency()}>
          {withOwn(units, own).map((unit) => (
            <option key={unit} value={unit}>
              {unitName(unit)}
            </option>
          ))}
        </Select>
      </div>
      <div className={css['fixed']}>
        <Field {...of('tax')} label={m.invoices_tax()} hint={m.invoices_tax_hint()} inputMode="decimal" maxLength={60} />
      </div>
    </div>
  );
}

/** Fields about the shop's order and its buyer. */
export function OrderFields({ of, data: { store } }: { of: FieldOf; data: StoreData }): ReactNode {
  const back = of('return_url');
  return (
    <div className={css['fields']}>
      <TextArea
        {...of('description')}
        label={m.invoices_description()}
        hint={m.invoices_description_hint()}
        rows={3}
        maxLength={500}
      />
      <Field {...of('order_id')} label={m.invoices_order_id()} hint={m.invoices_order_hint()} maxLength={100} />
      <Field
        {...of('email')}
        label={m.invoices_email()}
        hint={m.invoices_email_hint()}
        type="email"
        inputMode="email"
        maxLength={254}
      />
      {store.kind !== 'personal' && (
        <Field
          {...back}
          defaultValue={back.defaultValue ?? store.return_url}
          label={m.store_return()}
          hint={store.kind === 'business' ? m.invoices_return_hint_sites() : m.store_return_hint()}
          inputMode="url"
          maxLength={500}
        />
      )}
      <TextArea
        {...of('metadata')}
        label={m.invoices_metadata()}
        hint={m.invoices_metadata_field_hint({ example: '{"cart": "77"}' })}
        rows={3}
        maxLength={16_000}
        spellCheck={false}
      />
    </div>
  );
}

/** Fields that begin as the store's settings, and can be changed for this invoice. */
export function TermFields({
  of,
  answer,
  data: { store, choices },
}: {
  of: FieldOf;
  answer: FormAnswer | undefined;
  data: StoreData;
}): ReactNode {
  const { locale } = useSite();
  const tolerance = of('tolerance');
  const { all, closed } = methodsOf(store, choices);
  const codes = (store.methods ?? all).filter((code) => !closed.includes(code));
  return (
    <div className={css['fields']}>
      <LifeField {...{ store, choices, answer }} error={of('life_minutes').error} />
      <Field
        {...tolerance}
        defaultValue={tolerance.defaultValue ?? writeDecimal(store.tolerance, locale)}
        label={m.store_tolerance()}
        hint={m.store_tolerance_hint()}
        inputMode="decimal"
        maxLength={6}
        trailing={<span className="soft">%</span>}
      />
      <Methods codes={codes} values={answer?.values ?? {}} error={of('methods').error} />
    </div>
  );
}

/** Choice of the methods: all that the store takes, or those that are ticked. */
function Methods({ codes, values, error }: { codes: readonly string[]; values: Values; error: string | undefined }): ReactNode {
  const { currencies } = useSite();
  return (
    <div id={fieldId('methods')} tabIndex={-1}>
      <Choice
        name="methods"
        label={m.store_methods()}
        defaultValue={values['methods'] === 'some' ? 'some' : 'all'}
        error={error}
        options={[
          { value: 'all', label: m.invoices_methods_store() },
          { value: 'some', label: m.store_methods_some() },
        ]}
      >
        <fieldset className={settings['methods']} aria-label={m.store_methods_some()}>
          {codes.map((code) => (
            <Checkbox key={code} name={METHOD + code} defaultChecked={values[METHOD + code] !== undefined}>
              {shortNameOf(findCurrency(currencies, code), currencies)}
            </Checkbox>
          ))}
        </fieldset>
      </Choice>
    </div>
  );
}
