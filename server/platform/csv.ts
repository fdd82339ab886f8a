// Comma-separated values (RFC 4180), safe to open: a spreadsheet reads what begins like a formula as one.

import type { Cell } from './xlsx.ts';

/** What makes a spreadsheet take a text for a formula, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/u;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** A field: quoted where it has to be, and with an apostrophe before it where a program would take it for a formula. */
function fieldOf(value: string): string {
  const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a file, with its end. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/** A file in lines, of rows as they come; amounts stand as they are. */
export async function* csvOf(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  for await (const group of rows)
    yield group.map((cells) => csvLine(cells.map((cell) => (typeof cell === 'string' ? cell : cell.amount)))).join('');
}
