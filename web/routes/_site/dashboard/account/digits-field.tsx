import type { ReactNode } from 'react';
import { DIGITS } from '../../../../features/account/sign-in/code-form.tsx';
import { Field } from '../../../../ui/fields/field.tsx';

/** Field for a one-time code in a form that has other fields, too. Accepts digits only. */
export function DigitsField({
  name,
  label,
  hint,
  error,
  value,
  onChange,
}: {
  name: string;
  label: string;
  hint?: string;
  error?: ReactNode;
  value: string;
  onChange: (code: string) => void;
}): ReactNode {
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
      isMono
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, DIGITS))}
    />
  );
}
