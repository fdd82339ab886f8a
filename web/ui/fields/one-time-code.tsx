import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';

/** A code from a letter or an authenticator in a form that is posted as it is typed, spaces too. */
export function OneTimeCode(props: ComponentProps<typeof Field>): ReactNode {
  return <Field inputMode="numeric" autoComplete="one-time-code" maxLength={12} {...props} />;
}
