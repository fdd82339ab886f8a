import type { ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import css from './choices.module.css';
import type { DrawnChoicesProps } from '../card-props.ts';

/** Form that asks for an e-mail address, for an unallocated payment whose payer left none. Only then can they choose. */
export function EmailForm({
  answer,
  Form,
  isBusy,
}: Pick<DrawnChoicesProps, 'answer' | 'Form'> & { readonly isBusy: boolean }): ReactNode {
  return (
    <div className={cx('card', css['card'])}>
      <p className="small soft">{m.order_email_lead()}</p>
      <Form method="post" className={css['form']} noValidate>
        <Field
          name="email"
          label={m.order_email()}
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={answer?.values?.['email'] ?? ''}
          error={answer?.errors?.['email']?.[0]}
        />
        <Button type="submit" name="intent" value="email" isWide busy={isBusy && m.order_email_sending()}>
          {m.order_email_send()}
        </Button>
      </Form>
    </div>
  );
}
