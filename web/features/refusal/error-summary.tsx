import { type ReactNode, useEffect, useRef } from 'react';
import { fieldId } from '../../ui/fields/field.tsx';
import { Message } from '../../ui/parts/message.tsx';
import css from './error-summary.module.css';
import { type Refused, restOf } from '../rest-of.ts';
import { m } from '../words.ts';

/**
 * List of a form's errors: the errors of fields, with links to the fields, and all other errors. It takes the focus when it
 * appears. `labels` are the fields' names, for errors that are not clear without them.
 */
export function ErrorSummary({
  answer,
  fields,
  labels = {},
}: {
  answer: Refused;
  fields: readonly string[];
  labels?: Readonly<Record<string, string>>;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const errors = Object.entries(answer.errors ?? {}).filter(([name]) => fields.includes(name));
  const rest = restOf(answer, (name) => fields.includes(name));
  useEffect(() => {
    if (answer) box.current?.focus();
  }, [answer]);
  return (
    <div className={css['summary']}>
      <Message ref={box} tone="error" title={errors.length === 0 ? rest : m.fields_to_check({ count: errors.length })} isLive>
        {errors.length > 0 && rest !== undefined && <p>{rest}</p>}
        {errors.length > 0 && (
          <ul>
            {errors.map(([name, [words]]) => (
              <li key={name}>
                <a className="link" href={`#${fieldId(name)}`}>
                  {labels[name] === undefined ? words : `${labels[name]}: ${words}`}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Message>
    </div>
  );
}
