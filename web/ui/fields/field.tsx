import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { cx } from '../base/cx.ts';
import { Icon } from '../base/icon.tsx';
import css from './field.module.css';

type FieldProps = {
  readonly name: string;
  readonly label: ReactNode;
  /** Text beside the label, e.g. the network. */
  readonly note?: ReactNode;
  readonly hint?: ReactNode;
  /** Error text, which also says how to correct the input. */
  readonly error?: ReactNode;
  /** True if the format was checked and is valid. */
  readonly isValid?: boolean;
  readonly isMono?: boolean;
  readonly trailing?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>;

/** Labelled text field. Its id is made from its name, so that a list of errors can link to it. */
export function Field({
  name,
  label,
  note,
  hint,
  error,
  isValid = false,
  isMono = false,
  trailing,
  ...input
}: FieldProps): ReactNode {
  const id = fieldId(name);
  const hintId = useId();
  const errorId = useId();
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ');
  return (
    <div className={css['field']}>
      <div className={css['label']}>
        <label htmlFor={id}>{label}</label>
        {note && <small>{note}</small>}
      </div>
      {hint && (
        <p id={hintId} className={css['hint']}>
          {hint}
        </p>
      )}
      <div className={cx(css['box'], Boolean(error) && css['wrong'], input.readOnly && css['readOnly'])}>
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...input}
          id={id}
          name={name}
          className={cx(isMono && css['mono'])}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {isValid && !error && <Icon name="check-circle-fill" className={css['valid']} />}
        {trailing}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  );
}

/** Returns the id of a field's input, for links to it. */
export const fieldId = (name: string): string => `field-${name.replaceAll('.', '-')}`;

/** Error of a field, shown below it. */
export function FieldError({ id, children }: { id?: string; children?: ReactNode }): ReactNode {
  if (!children) return null;
  return (
    <p id={id} className={css['error']}>
      <Icon name="warning-circle-fill" size={18} />
      <span>{children}</span>
    </p>
  );
}

/** Checkbox with its label. */
export function Checkbox({
  name,
  children,
  error,
  ...input
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly error?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = fieldId(name);
  const errorId = useId();
  return (
    <div className={css['field']}>
      <div className={css['tick']}>
        <span className={cx(css['tickBox'], Boolean(error) && css['tickWrong'])}>
          <input
            {...input}
            type="checkbox"
            id={id}
            name={name}
            value="yes"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
          />
          <Icon name="check" size={16} />
        </span>
        <label htmlFor={id}>{children}</label>
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  );
}
