import type { ReactNode } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { m } from '../words.ts';
import css from './calculator.module.css';

export interface CouponFieldProps {
  readonly code: string | undefined;
  readonly refused: string | undefined;
  onUse(code: string): void;
}

/** The field for a coupon's code, whose styles are the calculator's own: nothing moves as its code comes. Until a script runs its button sends the form, which comes back with the new figures. */
export function CouponField({ code, refused, onUse }: CouponFieldProps): ReactNode {
  return (
    <div className={css['couponField']} aria-live="polite">
      <Field
        name="coupon"
        label={m.coupon_code()}
        maxLength={64}
        defaultValue={code}
        error={refused}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onUse(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        name="intent"
        value="calculate"
        look="secondary"
        onClick={(event) => {
          event.preventDefault();
          const { form } = event.currentTarget;
          if (form) onUse(codeIn(form));
        }}
      >
        {m.coupon_use()}
      </Button>
    </div>
  );
}

const codeIn = (form: HTMLFormElement): string => new FormData(form).get('coupon')?.toString() ?? '';
