import { type Fraction, decimal, fraction, readTyped } from '@kurs/money';

/** Values of a form's fields, by their names. */
export type Values = Readonly<Record<string, string>>;

/** Largest number of lines that an invoice may have. */
export const MAX_LINES = 100;
const PARTS = ['name', 'quantity', 'unit_price'] as const;
export type LinePart = (typeof PARTS)[number];
/** A line as typed. */
export type LineRow = Readonly<Record<LinePart, string>>;
/** Row to which nothing was typed. */
export const NEW_ROW: LineRow = { name: '', quantity: '1', unit_price: '' };

/** Returns the name of a line's field. */
export const lineField = (at: number, part: LinePart): string => `lines.${at}.${part}`;

/** Returns the rows of lines that a form has, empty ones included; at least one. */
export function lineRows(values: Values): LineRow[] {
  const numbers = Object.keys(values).flatMap((name) => /^lines\.(\d{1,2})\./.exec(name)?.[1] ?? []);
  const count = Math.max(1, ...numbers.map((number) => Number.parseInt(number, 10) + 1));
  return Array.from({ length: count }, (_, at) => ({
    name: values[lineField(at, 'name')] ?? NEW_ROW.name,
    quantity: values[lineField(at, 'quantity')] ?? NEW_ROW.quantity,
    unit_price: values[lineField(at, 'unit_price')] ?? NEW_ROW.unit_price,
  }));
}

/** True if a row says nothing. The quantity does not count, since it begins as 1. */
export const isBlank = ({ name, unit_price: price }: LineRow): boolean => name.trim() === '' && price.trim() === '';

/** Returns the values of a form after a row was added (`add`) or removed (`remove.2`). */
export function withRows(values: Values, edit: string): Values {
  const rows = lineRows(values);
  const [action = '', at = ''] = edit.split('.');
  const kept = action === 'remove' ? rows.filter((_, number) => String(number) !== at) : [...rows, NEW_ROW].slice(0, MAX_LINES);
  const others = Object.entries(values).filter(([name]) => !name.startsWith('lines.'));
  const lines = kept.flatMap((row, number) => PARTS.map((part) => [lineField(number, part), row[part]] as const));
  return Object.fromEntries([...others, ...lines]);
}

/**
 * Returns the exact sum of the lines that are not blank; undefined if all are, and `unreadable` if a quantity or a price can't be
 * read.
 */
export function sumOfLines(rows: readonly LineRow[], locale: 'en' | 'ru'): Fraction | 'unreadable' | undefined {
  const filled = rows.filter((row) => !isBlank(row));
  if (filled.length === 0) return undefined;
  let sum = fraction(0n, 1n);
  for (const { quantity, unit_price: price } of filled) {
    const [count, each] = [exact(quantity, locale), exact(price, locale)];
    if (!count || !each) return 'unreadable';
    const below = count.denominator * each.denominator;
    sum = fraction(sum.numerator * below + count.numerator * each.numerator * sum.denominator, sum.denominator * below);
  }
  return sum;
}

/** Returns a typed number exactly; undefined if it is empty or can't be read. */
export function exact(text: string, locale: 'en' | 'ru'): Fraction | undefined {
  const read = readTyped(text, locale, 18);
  if (read === undefined || read === '' || read.split('.')[0]!.length > 30) return undefined;
  return decimal(read);
}
