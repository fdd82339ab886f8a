import type { ReactNode } from 'react';
import { m } from '../../../features/words.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import css from './email-part.module.css';
import { errorOf, valueOf } from './answer.ts';
import { PartLink } from './part-link.tsx';
import { partUrl } from './pay-data.ts';
import { usePay } from './use-pay.ts';

/** Receipt by e-mail: a link that opens the field for the address, the field, or a note that an address is known. */
export function EmailPart(): ReactNode {
  const { data, part, answer, submit, sent } = usePay();
  if (part === 'email' || answer?.intent === 'email') {
    return (
      <form method="post" action={partUrl(data, 'email')} onSubmit={submit} noValidate className={css['form']}>
        <input type="hidden" name="intent" value="email" />
        <Field
          name="email"
          label={m.checkout_email()}
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={valueOf(answer, 'email', 'email')}
          error={errorOf(answer, 'email', 'email')}
        />
        <div className={css['acts']}>
          <Button type="submit" busy={sent?.get('intent') === 'email' && m.checkout_email_sending()}>
            {m.checkout_email_send()}
          </Button>
          <PartLink part={undefined}>{m.checkout_email_not()}</PartLink>
        </div>
      </form>
    );
  }
  return (
    <p className={css['row']}>
      <Icon name="envelope-simple" size={18} />
      <span>
        {data.invoice.has_email ? m.checkout_email_known() : <PartLink part="email">{m.checkout_email_open()}</PartLink>}
      </span>
    </p>
  );
}
