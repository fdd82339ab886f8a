import type { ReactNode } from 'react';
import { m } from '../../../features/words.ts';
import { Field } from '../../../ui/fields/field.tsx';

/** Field for the e-mail address of another account holder. */
export function PersonField({
  name,
  value,
  error,
  onType,
}: {
  name: 'email' | 'to';
  value: string;
  error: string | undefined;
  onType: (text: string) => void;
}): ReactNode {
  return (
    <Field
      name={name}
      label={m.person_email()}
      type="email"
      inputMode="email"
      autoComplete="off"
      maxLength={254}
      value={value}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
