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

/**
 * Field for a coupon's code. It uses the calculator's styles, so that nothing moves when the field's script is loaded. Without
 * scripts, the field's button submits the form, and the page shows the new price.
 */
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
