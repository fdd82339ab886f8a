import { type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { cx } from '../base/cx.ts';
import { FieldError, fieldId } from './field.tsx';
import field from './field.module.css';
import { Icon } from '../base/icon.tsx';
import css from './select.module.css';

/** Labelled select field, shown as the browser's own list. */
export function Select({
  name,
  label,
  error,
  children,
  id = fieldId(name),
  ...select
}: {
  readonly name: string;
  readonly label: ReactNode;
  readonly error?: ReactNode;
} & SelectHTMLAttributes<HTMLSelectElement>): ReactNode {
  const errorId = useId();
  return (
    <div className={field['field']}>
      <div className={field['label']}>
        <label htmlFor={id}>{label}</label>
      </div>
      <div className={css['box']}>
        <select
          {...select}
          id={id}
          name={name}
          className={cx(css['select'], Boolean(error) && css['wrong'])}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
        >
          {children}
        </select>
        <Icon name="caret-down" size={16} />
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  );
}
