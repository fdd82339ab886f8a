import { readTyped } from '@kurs/money';
import type { Routes, Sent } from '@kurs/contract';
import { unreadable } from '../../../../../../../features/unreadable.ts';
import { m } from '../../../../../../../features/words.ts';
import { METHOD, percentageOf, withScheme } from '../../settings-form.ts';
import { type Values, isBlank, lineField, lineRows } from './line-rows.ts';

type NewInvoice = Omit<Sent<Routes['invoiceMake']>, 'store'>;
type Errors = Readonly<Record<string, readonly string[]>>;
type Locale = 'en' | 'ru';

/** Names of the form's fields besides those of lines, in the order of the page. */
export const INVOICE_FIELDS = [
  ...['amount', 'currency', 'tax', 'description', 'lines', 'order_id', 'email', 'return_url', 'metadata'],
  ...['life_minutes', 'tolerance', 'methods'],
] as const;

/** Reads a new invoice from the values of the page's form. Amounts that can't be read are errors of their fields. */
export function readInvoice(values: Values, locale: Locale): { readonly input: NewInvoice; readonly errors: Errors } {
  const typed = (name: string): string => (values[name] ?? '').trim();
  const wrong: Record<string, readonly string[]> = {};
  const sum = (name: string, text: string, missing = unreadable(text)): string => {
    const read = readTyped(text, locale, 18);
    if (read === undefined || read === '') wrong[name] = [text === '' ? missing : unreadable(text)];
    return read ?? '';
  };
  const filled = lineRows(values).filter((row) => !isBlank(row));
  const ofAmount = (): Partial<NewInvoice> => ({
    amount: sum('amount', typed('amount'), m.invoices_amount_missing()),
    ...(typed('tax') !== '' && { tax: sum('tax', typed('tax')) }),
    lines: filled.map(({ name, quantity, unit_price: price }, at) => ({
      name: name.trim(),
      quantity: sum(lineField(at, 'quantity'), quantity.trim()),
      unit_price: sum(lineField(at, 'unit_price'), price.trim()),
    })),
  });
  const methods = typed('methods') === 'some' ? methodsIn(values) : undefined;
  if (methods?.length === 0) wrong['methods'] = [m.invoices_methods_missing()];
  const metadata = typed('metadata') === '' ? undefined : readMetadata(typed('metadata'));
  if (metadata === null) wrong['metadata'] = [m.invoices_metadata_wrong()];
  const texts = ['currency', 'description', 'order_id', 'email'] as const;
  const input: NewInvoice = {
    ...(typed('kind') !== 'any' && ofAmount()),
    ...Object.fromEntries(texts.flatMap((name) => (typed(name) === '' ? [] : [[name, typed(name)]]))),
    ...(typed('life_minutes') !== '' && { life_minutes: Number.parseInt(typed('life_minutes'), 10) }),
    ...(typed('tolerance') !== '' && { tolerance: percentageOf(typed('tolerance')) }),
    // The field begins with the store's address, so an empty one means none.
    ...(values['return_url'] !== undefined && {
      return_url: typed('return_url') === '' ? null : withScheme(typed('return_url')),
    }),
    ...(metadata && { metadata }),
    ...(methods && { methods }),
  };
  return { input, errors: wrong };
}

/** Digits of a decimal number that JavaScript holds exactly. */
const EXACT_DIGITS = 15;

/** Returns the object that a JSON text states; null if it states none, or has a number that JavaScript can't hold exactly. */
function readMetadata(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, (_, one: unknown, context?: { readonly source?: string }) => {
      if (typeof one === 'number' && (context?.source ?? '').replaceAll(/[^0-9]/g, '').length > EXACT_DIGITS)
        throw new RangeError();
      return one;
    });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const methodsIn = (values: Values): string[] =>
  Object.keys(values).flatMap((name) => (name.startsWith(METHOD) ? [name.slice(METHOD.length)] : []));

/**
 * Converts errors of the API to errors of the form's fields. Lines are counted without the blank rows. An error of one method is
 * shown at the list of methods.
 */
export function errorsOf(errors: Errors, values: Values): Errors {
  const rows = lineRows(values).flatMap((row, at) => (isBlank(row) ? [] : [at]));
  return Object.fromEntries(
    Object.entries(errors).map(([field, words]) => {
      const [list = '', at = '', part = ''] = field.split('.');
      if (list === 'lines' && part !== '') return [`lines.${rows[+at] ?? at}.${part}`, words];
      if (list === 'methods' || list === 'lines') return [list, words];
      return [field, words];
    }),
  );
}
