import type { ReactNode } from 'react';
import { Field } from '../../../ui/fields/field.tsx';
import { m } from '../../words.ts';

/** Field for a new password. */
export function NewPasswordField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}): ReactNode {
  return (
    <Field
      name="password"
      label={m.password_new()}
      hint={m.password_hint()}
      type="password"
      autoComplete="new-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
