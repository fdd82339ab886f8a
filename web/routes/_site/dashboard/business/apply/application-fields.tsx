import type { ReactNode } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Field, FieldError, fieldId } from '../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../ui/fields/select.tsx';
import { TextArea } from '../../../../../ui/fields/text-area.tsx';
import css from './apply.module.css';
import { OWNERS } from './application-form.ts';
import { servedCountries } from './countries.ts';

/** Returns the name, the first value and the error of a field. */
type FieldOf = (name: string) => { name: string; defaultValue: string | undefined; error: string | undefined };

/** Fields about the company. Countries that the desk doesn't serve are left out. */
export function CompanyFields({ of, refused }: { of: FieldOf; refused: readonly string[] }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['fields']}>
      <Field {...of('legal_name')} label={m.business_legal_name()} autoComplete="organization" maxLength={200} />
      <Field {...of('registration_number')} label={m.business_registration()} maxLength={60} />
      <div>
        <Select {...of('country')} label={m.business_country()} autoComplete="country">
          <option value="">{m.business_country_choose()}</option>
          {servedCountries(locale, refused).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        {refused.length > 0 && <p className={css['under']}>{m.business_country_hint()}</p>}
      </div>
      <TextArea {...of('address')} label={m.business_address()} hint={m.business_address_hint()} rows={3} maxLength={500} />
    </div>
  );
}

/** Fields about sales, with the list of goods for which the desk takes no payments. */
export function SalesFields({ of, refused }: { of: FieldOf; refused: readonly string[] }): ReactNode {
  return (
    <div className={css['fields']}>
      <TextArea
        {...of('web_sites')}
        label={m.business_sites()}
        hint={m.business_sites_hint()}
        rows={3}
        inputMode="url"
        spellCheck={false}
      />
      <TextArea {...of('goods')} label={m.business_goods()} hint={m.business_goods_hint()} rows={4} maxLength={2_000} />
      {refused.length > 0 && (
        <div className={css['refused']}>
          <p>{m.business_goods_refused()}</p>
          <ul>
            {refused.map((goods) => (
              <li key={goods}>{goods}</li>
            ))}
          </ul>
        </div>
      )}
      <Field
        {...of('turnover_usd')}
        label={m.business_turnover()}
        hint={m.business_turnover_hint()}
        inputMode="numeric"
        maxLength={20}
      />
    </div>
  );
}

/** Fields about the people who own more than a quarter. Rows may stay empty. */
export function OwnerFields({ of }: { of: FieldOf }): ReactNode {
  const { error } = of('owners');
  return (
    <fieldset className={css['owners']} id={fieldId('owners')} tabIndex={-1} aria-describedby={error && 'owners-error'}>
      <legend className="sr">{m.business_owners()}</legend>
      {Array.from({ length: OWNERS }, (_, at) => (
        <div key={at} className={css['owner']}>
          <Field
            {...of(`owners.${at}.name`)}
            label={m.business_owner_name({ number: String(at + 1) })}
            autoComplete="off"
            maxLength={200}
          />
          <Field
            {...of(`owners.${at}.percent`)}
            label={m.business_owner_percent()}
            aria-label={m.business_owner_percent_of({ number: String(at + 1) })}
            inputMode="numeric"
            maxLength={6}
          />
        </div>
      ))}
      <FieldError id="owners-error">{error}</FieldError>
    </fieldset>
  );
}
