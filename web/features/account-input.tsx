import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { Field, fieldId } from '../ui/fields/field.tsx';
import { type Currency, labelsOf } from './currency.ts';
import { PasteButton } from './paste-button.tsx';
import { m } from './words.ts';

export type AccountField = Output<Routes['currencies']>[number]['fields'][number];

/** Input for one field of a payment account, such as a crypto address; the currency's rail describes the fields. */
export function AccountInput({
  field,
  name,
  currency,
  value,
  error,
  isValid = false,
}: {
  field: AccountField;
  name: string;
  currency: Currency;
  value: string;
  error: string | undefined;
  /** True if the entered account was checked and is valid. */
  isValid?: boolean;
}): ReactNode {
  const isAddress = field.type === 'address';
  return (
    <Field
      name={name}
      label={field.required ? field.label : m.field_optional({ label: field.label })}
      note={isAddress ? [...new Set(Object.values(labelsOf(currency)))].join(' · ') : undefined}
      type={field.type === 'email' ? 'email' : 'text'}
      autoComplete={field.type === 'email' ? 'email' : 'off'}
      autoCapitalize="off"
      isMono={isAddress}
      maxLength={2000}
      defaultValue={value}
      data-kept={`${name} ${currency.code}`}
      error={error}
      isValid={isValid}
      trailing={isAddress ? <PasteButton target={fieldId(name)} /> : undefined}
    />
  );
}
