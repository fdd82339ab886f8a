import { type ReactNode, useId, useState } from 'react';
import { cx } from '../base/cx.ts';
import css from './code-field.module.css';
import { FieldError } from './field.tsx';

/**
 * Field for a one-time code. It is a single input that looks like one box per digit, so that pasting, overwriting and a phone's
 * suggestion work. Accepts digits only.
 */
export function CodeField({
  length,
  label,
  hint,
  error,
  value,
  onChange,
}: {
  length: number;
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  value: string;
  onChange: (code: string) => void;
}): ReactNode {
  const [focused, setFocused] = useState(false);
  const [hintId, errorId] = [useId(), useId()];
  const at = Math.min(value.length, length - 1);
  return (
    <div>
      <div className={cx(css['boxes'], Boolean(error) && css['wrong'])}>
        {Array.from({ length }, (_, digit) => (
          // eslint-disable-next-line react/no-array-index-key -- a box has no other key than its position
          <span key={digit} aria-hidden="true" className={cx(css['box'], focused && digit === at && css['at'])}>
            {value[digit]}
          </span>
        ))}
        <input
          className={css['input']}
          data-focus
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : hintId}
          value={value}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, length))}
        />
      </div>
      <FieldError id={errorId}>{error}</FieldError>
      {hint && (
        <p id={hintId} className={css['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}
