import { type ReactNode, useEffect, useRef, useState } from 'react';
import { decimalText } from '@kurs/money';
import { minDigits } from '../../../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../../../features/money.tsx';
import { useSite } from '../../../../../../../features/site.ts';
import { useCurrency } from '../../../../../../../features/use-currency.ts';
import { m } from '../../../../../../../features/words.ts';
import { writeAmount } from '../../../../../../../ui/base/amount.ts';
import { Icon } from '../../../../../../../ui/base/icon.tsx';
import { Button } from '../../../../../../../ui/fields/button.tsx';
import { Field, FieldError, fieldId } from '../../../../../../../ui/fields/field.tsx';
import {
  type LinePart,
  type LineRow,
  MAX_LINES,
  NEW_ROW,
  type Values,
  exact,
  lineField,
  lineRows,
  sumOfLines,
} from './line-rows.ts';
import css from './new.module.css';

/** Returns the name, the first value and the error of a field. */
export type FieldOf = (name: string) => { name: string; defaultValue: string | undefined; error: string | undefined };

/**
 * Rows for the lines of an invoice, and their sum beside its amount. `start` has the values that the form begins with, `typed` those
 * that it has now. `onRows` is called after a row was added or removed, and `onAmount` takes the sum as the amount.
 */
export function LinesField({
  of,
  start,
  typed,
  onRows,
  onAmount,
}: {
  of: FieldOf;
  start: Values;
  typed: Values;
  onRows: () => void;
  onAmount: (text: string) => void;
}): ReactNode {
  const { rows, isEdited, add, remove } = useRows(start, onRows);
  const { error } = of('lines');
  return (
    <fieldset className={css['lines']} id={fieldId('lines')} tabIndex={-1} aria-describedby={error && 'lines-error'}>
      <legend className="sr">{m.invoices_lines()}</legend>
      {rows.map(({ id, first }, at) => (
        <LineFields
          key={id}
          {...{ at, first }}
          // After a change of the rows, errors would stand at other rows than those that they are about.
          errorOf={(part) => (isEdited ? undefined : of(lineField(at, part)).error)}
          onRemove={() => remove(id)}
        />
      ))}
      <div>
        <Button
          type="submit"
          name="edit"
          value="add"
          look="secondary"
          size="small"
          icon="plus"
          disabled={rows.length >= MAX_LINES}
          onClick={(event) => {
            event.preventDefault();
            add();
          }}
        >
          {m.invoices_line_add()}
        </Button>
      </div>
      <FieldError id="lines-error">{error}</FieldError>
      <LinesSum typed={typed} onAmount={onAmount} />
    </fieldset>
  );
}

/** Rows of lines with the values that each begins with. `next` is the first id that no row has had. */
interface Rows {
  readonly start: Values;
  readonly next: number;
  readonly rows: readonly { readonly id: number; readonly first: LineRow }[];
  /** True if a row was added or removed since the form was shown or refused. */
  readonly isEdited: boolean;
}

function rowsOf(start: Values, next: number): Rows {
  const rows = lineRows(start).map((first, at) => ({ id: next + at, first }));
  return { start, next: next + rows.length, rows, isEdited: false };
}

/** Returns the rows of lines, and functions that add and remove one. They begin again with each new `start`. */
function useRows(
  start: Values,
  onRows: () => void,
): Pick<Rows, 'rows' | 'isEdited'> & { readonly add: () => void; readonly remove: (id: number) => void } {
  const [state, setState] = useState(() => rowsOf(start, 0));
  if (state.start !== start) setState(rowsOf(start, state.next));
  const { rows, isEdited, next } = state;
  const count = useRef(rows.length);
  const changed = useRef(onRows);
  useEffect(() => {
    changed.current = onRows;
  }, [onRows]);
  useEffect(() => {
    if (isEdited && rows.length > count.current) document.getElementById(fieldId(lineField(rows.length - 1, 'name')))?.focus();
    count.current = rows.length;
    if (isEdited) changed.current();
  }, [rows, isEdited]);
  const set = (kept: Rows['rows']): void => setState({ start, next: next + 1, rows: kept, isEdited: true });
  const fresh = { id: next, first: NEW_ROW };
  return {
    rows,
    isEdited,
    add: () => set([...rows, fresh]),
    remove: (id) => set(rows.length > 1 ? rows.filter((row) => row.id !== id) : [fresh]),
  };
}

function LineFields({
  at,
  first,
  errorOf,
  onRemove,
}: {
  at: number;
  first: LineRow;
  errorOf: (part: LinePart) => string | undefined;
  onRemove: () => void;
}): ReactNode {
  const number = String(at + 1);
  const of = (part: LinePart) => ({
    name: lineField(at, part),
    defaultValue: first[part],
    error: errorOf(part),
  });
  return (
    <div className={css['line']}>
      <Field {...of('name')} label={m.invoices_line_name({ number })} maxLength={200} />
      <Field
        {...of('quantity')}
        label={m.invoices_line_quantity()}
        aria-label={m.invoices_line_quantity_of({ number })}
        inputMode="decimal"
        maxLength={40}
      />
      <Field
        {...of('unit_price')}
        label={m.invoices_line_price()}
        aria-label={m.invoices_line_price_of({ number })}
        inputMode="decimal"
        maxLength={60}
      />
      <button
        type="submit"
        name="edit"
        value={`remove.${at}`}
        className={css['remove']}
        aria-label={m.invoices_line_remove({ number })}
        title={m.invoices_line_remove({ number })}
        onClick={(event) => {
          event.preventDefault();
          onRemove();
        }}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}

/** Sum of the lines, and if it is the amount of the invoice. A button takes it as the amount. */
function LinesSum({ typed, onAmount }: { typed: Values; onAmount: (text: string) => void }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  const currency = typed['currency'] ?? '';
  const { payDigits } = useCurrency(currency);
  const sum = sumOfLines(lineRows(typed), locale);
  if (sum === undefined) return <output className={css['sum']} />;
  if (sum === 'unreadable') return <output className={css['sum']}>{m.invoices_lines_unreadable()}</output>;
  const text = decimalText(sum);
  const amount = exact(typed['amount'] ?? '', locale);
  const isSame = amount?.numerator === sum.numerator && amount.denominator === sum.denominator;
  return (
    <output className={css['sum']}>
      <span className="num">{m.invoices_lines_sum({ sum: money({ amount: text, currency }) })}</span>
      {isSame ? (
        <span className={css['fits']}>
          <Icon name="check-circle-fill" size={18} />
          {m.invoices_lines_fit()}
        </span>
      ) : (
        <>
          <span className={css['differs']}>
            <Icon name="warning-fill" size={18} />
            {amount === undefined
              ? m.invoices_lines_alone()
              : m.invoices_lines_differ({ amount: money({ amount: decimalText(amount), currency }) })}
          </span>
          <Button look="secondary" size="tiny" onClick={() => onAmount(writeAmount(text, minDigits(payDigits), locale))}>
            {m.invoices_lines_take()}
          </Button>
        </>
      )}
    </output>
  );
}
