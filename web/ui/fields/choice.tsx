import { type ReactNode, useId } from 'react';
import { FieldError } from './field.tsx';
import css from './choice.module.css';

/** One of the values of a choice. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly note?: string;
}

/** Choice of one of a few values, all of which are shown. `children` stand below the values. */
export function Choice<Value extends string>({
  name,
  label,
  options,
  defaultValue,
  error,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly defaultValue: Value;
  readonly error?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const errorId = useId();
  return (
    <fieldset className={css['choice']} aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css['option']}>
          <input type="radio" name={name} value={option.value} defaultChecked={option.value === defaultValue} />
          <span>
            {option.label}
            {option.note !== undefined && <small>{option.note}</small>}
          </span>
        </label>
      ))}
      {children}
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  );
}
