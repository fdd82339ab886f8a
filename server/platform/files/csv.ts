// Comma-separated values (RFC 4180), safe to open: a spreadsheet reads what begins like a formula as one.

import type { Cell } from './xlsx.ts';

/** What makes a spreadsheet take a text for a formula, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/u;
/**
 * The same behind what some program takes for the end of a field: a semicolon where commas stand in numbers, a tab, a new
 * line, a quotation mark (OWASP, CSV Injection: the sign doesn't have to be the first of the text).
 */
const FORMULA_INSIDE = /([,;|\t\r\n"])(\s*)(?=[=+\-@＝＋－＠])/gu;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** A field: quoted where it has to be, and with an apostrophe wherever a program would begin to read a formula. */
function fieldOf(value: string): string {
  const inside = value.replace(FORMULA_INSIDE, "$1$2'");
  const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${inside}` : inside;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a file, with its end. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

/** Without it Excel takes UTF-8 for the system's own encoding, and Russian words for others (Unicode 17, 2.13: U+FEFF). */
const BYTE_ORDER_MARK = '\ufeff';

/** A file in lines, of rows as they come, with a byte order mark before them; amounts stand as they are. */
export async function* csvOf(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  // With the first rows: what can't even begin is refused, and no file.
  let before = BYTE_ORDER_MARK;
  for await (const group of rows) {
    yield before + group.map((cells) => csvLine(cells.map((cell) => (typeof cell === 'string' ? cell : cell.amount)))).join('');
    before = '';
  }
  if (before !== '') yield before;
}
