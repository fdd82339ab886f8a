import type { ReactNode } from 'react';
import { m } from './words.ts';
import { Button, ButtonLink } from '../ui/fields/button.tsx';
import { Message } from '../ui/parts/message.tsx';

interface Props {
  /** Address of the payment system's page, and how the browser goes there: with a form, or with the fields in the query. */
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly fields: unknown;
  readonly target?: '_blank' | '_top';
  readonly label: string;
  /** Text under the name of the page's host. */
  readonly children: ReactNode;
}

/** Button that leads to a payment system's own page, and a note that names the page's host. */
export function ProviderLink({ url: address, method, fields: given, target, label, children }: Props): ReactNode {
  const url = new URL(address ?? '', 'https://invalid');
  const fields = Object.entries((given ?? {}) as Record<string, string>);
  if (method !== 'POST') for (const [name, value] of fields) url.searchParams.set(name, value);
  return (
    <>
      {method === 'POST' ? (
        <form method="post" action={url.href} target={target}>
          {fields.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit" size="large" isWide iconAfter="arrow-right">
            {label}
          </Button>
        </form>
      ) : (
        <ButtonLink size="large" isWide href={url.href} rel="noreferrer" target={target}>
          {label}
        </ButtonLink>
      )}
      <Message tone="neutral" title={m.pay_leave_title({ host: url.host })}>
        {children}
      </Message>
    </>
  );
}
