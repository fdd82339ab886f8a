// Comma-separated values (RFC 4180) that are safe to open: no cell can become a formula of a spreadsheet.

import type { Cell } from './xlsx.ts';

/** Matches a text that a spreadsheet would treat as a formula, by its first characters. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/u;
/**
 * Matches the place before a formula within a text. Some programs start a new cell at a semicolon (where commas are decimal), a
 * tab, a line break or a quotation mark. A formula may begin there. See OWASP, CSV Injection.
 */
const FORMULA_INSIDE = /([,;|\t\r\n"])(\s*)(?=[=+\-@＝＋－＠])/gu;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns a value as a CSV field: quoted if necessary, with an apostrophe wherever a program would start a formula. */
function fieldOf(value: string): string {
  const inside = value.replace(FORMULA_INSIDE, "$1$2'");
  const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${inside}` : inside;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a line of a CSV file, including its line break. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/**
 * Byte order mark (Unicode 17, 2.13: U+FEFF). Without it Excel decodes UTF-8 in the system's encoding and garbles Russian words.
 */
const BYTE_ORDER_MARK = '\ufeff';

/** Yields a CSV file in pieces, as its rows arrive, with a byte order mark first. Amounts are written unchanged. */
export async function* csvOf(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  // The mark is yielded with the first rows: if reading them fails, nothing has been sent.
  let before = BYTE_ORDER_MARK;
  for await (const group of rows) {
    yield before + group.map((cells) => csvLine(cells.map((cell) => (typeof cell === 'string' ? cell : cell.amount)))).join('');
    before = '';
  }
  if (before !== '') yield before;
}
