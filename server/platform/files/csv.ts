// Comma-separated values (RFC 4180) that are safe to open: no cell can become a formula of a spreadsheet.

import type { Cell } from './xlsx.ts';

/** Beginnings that make a spreadsheet treat a text as a formula, also after spaces. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/u;
/**
 * Such beginnings after characters that some programs treat as the end of a field: a semicolon (where commas are decimal), a tab,
 * a new line, a quotation mark. See OWASP, CSV Injection: the character need not be the first of the text.
 */
const FORMULA_INSIDE = /([,;|\t\r\n"])(\s*)(?=[=+\-@＝＋－＠])/gu;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns a field: quoted if necessary, and with an apostrophe wherever a program would start a formula. */
function fieldOf(value: string): string {
  const inside = value.replace(FORMULA_INSIDE, "$1$2'");
  const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${inside}` : inside;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a line of a file, with its line break. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/**
 * Byte order mark. Without it Excel reads UTF-8 in the system's encoding and shows Russian words wrongly (Unicode 17, 2.13:
 * U+FEFF).
 */
const BYTE_ORDER_MARK = '\ufeff';

/** Returns a file in lines, from rows as they arrive, with a byte order mark first; amounts are written unchanged. */
export async function* csvOf(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  // The mark is sent with the first rows: if reading those fails, nothing is sent.
  let before = BYTE_ORDER_MARK;
  for await (const group of rows) {
    yield before + group.map((cells) => csvLine(cells.map((cell) => (typeof cell === 'string' ? cell : cell.amount)))).join('');
    before = '';
  }
  if (before !== '') yield before;
}
