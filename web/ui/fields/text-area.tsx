import type { ReactNode, TextareaHTMLAttributes } from 'react';
import { cx } from '../base/cx.ts';
import { FieldError, fieldId } from './field.tsx';
import fields from './field.module.css';
import css from './text-area.module.css';

/** Text field of several lines with a label. */
export function TextArea({
  name,
  label,
  hint,
  error,
  ...area
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
} & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  const id = fieldId(name);
  return (
    <div className={fields['field']}>
      <div className={fields['label']}>
        <label htmlFor={id}>{label}</label>
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={fields['hint']}>
          {hint}
        </p>
      )}
      <textarea
        {...area}
        id={id}
        name={name}
        className={cx(css['text'], error !== undefined && css['wrong'])}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={
          [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ') || undefined
        }
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
