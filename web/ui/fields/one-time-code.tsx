import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';

/** Field for a code from a letter or an authenticator. The form posts it as typed, including spaces. */
export function OneTimeCode(props: ComponentProps<typeof Field>): ReactNode {
  return <Field inputMode="numeric" autoComplete="one-time-code" maxLength={12} {...props} />;
}
