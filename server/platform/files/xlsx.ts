// Writes an Excel workbook (Office Open XML, ECMA-376 part 1) row by row. Texts are stored in the cells themselves. The workbook
// never contains a formula.

import { zip } from './zip.ts';

/**
 * Content of a cell: a text, or an amount. An amount becomes a number if a spreadsheet can represent it exactly, else a text.
 */
export type Cell = string | { readonly amount: string };

/** Maximum number of rows in a sheet; further rows go to another sheet. */
const MAX_ROWS = 1_048_576;
/** Number of significant digits that a number in a spreadsheet can have. */
const EXACT_DIGITS = 15;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Media type of a workbook. */
export const XLSX_TYPE = `${TYPES}.sheet`;

/**
 * Yields a workbook in pieces, as its rows arrive. At most one batch of `rows` is held in memory. `widths`: widths of the
 * columns, in characters. The first row is bold and always visible.
 */
export async function* xlsx(
  name: string,
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  widths: readonly number[] = [],
  maxRows: number = MAX_ROWS,
): AsyncGenerator<Buffer> {
  const groups = rows[Symbol.asyncIterator]();
  let sheets = 0;
  const left = { rows: [] as readonly (readonly Cell[])[], isOver: false };
  const files = async function* () {
    do {
      sheets += 1;
      yield { path: `xl/worksheets/sheet${sheets}.xml`, text: sheet(groups, left, widths, maxRows) };
    } while (!left.isOver || left.rows.length > 0);
    yield* frame(name, sheets);
  };
  try {
    yield* zip(files());
  } finally {
    await groups.return?.();
  }
}

async function* sheet(
  groups: AsyncIterator<readonly (readonly Cell[])[]>,
  left: { rows: readonly (readonly Cell[])[]; isOver: boolean },
  widths: readonly number[],
  maxRows: number,
): AsyncGenerator<string> {
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('');
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols && `<cols>${cols}</cols>`}<sheetData>`;
  let count = 0;
  while (count < maxRows) {
    if (left.rows.length === 0) {
      const next = await groups.next();
      left.isOver = next.done === true;
      if (next.done === true) break;
      left.rows = next.value;
    }
    const taken = left.rows.slice(0, maxRows - count);
    left.rows = left.rows.slice(taken.length);
    const above = count;
    yield taken.map((cells, at) => rowOf(cells, above + at + 1)).join('');
    count += taken.length;
  }
  if (left.rows.length === 0 && !left.isOver) {
    // Reads the next batch, since the caller must know if another sheet is needed.
    const next = await groups.next();
    left.isOver = next.done === true;
    if (next.done !== true) left.rows = next.value;
  }
  yield '</sheetData></worksheet>';
}

/**
 * Returns a row's XML, including the row's number: the format doesn't require the number, but many readers do. The first row is
 * bold.
 */
const rowOf = (cells: readonly Cell[], number: number): string =>
  `<row r="${number}">${cells.map((cell, at) => cellOf(cell, columnOf(at) + number, number === 1)).join('')}</row>`;

/** Returns a cell's XML with its address. Anything but an exact number is of type string, so that it can't be a formula. */
function cellOf(cell: Cell, address: string, isHead: boolean): string {
  if (cell === '') return '';
  const style = isHead ? ' s="1"' : '';
  if (typeof cell !== 'string') {
    const { amount } = cell;
    if (DECIMAL.test(amount) && amount.replace(/^-?[0.]*|\./g, '').length <= EXACT_DIGITS)
      return `<c r="${address}"${style}><v>${amount}</v></c>`;
    return cellOf(amount, address, isHead);
  }
  return `<c r="${address}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/** Returns the letters of a column by its index from zero: A, …, Z, AA. */
function columnOf(at: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + (at % 26));
  return at < 26 ? letter : columnOf(Math.floor(at / 26) - 1) + letter;
}

/** Characters that XML 1.0 forbids, which are removed: control characters, and halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escaped = (text: string): string =>
  text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    // The format uses `_x000D_` as an escape sequence, so a text that contains such a sequence must be escaped.
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/** Yields the files of a workbook other than its sheets. */
function* frame(name: string, sheets: number): Generator<{ path: string; text: string[] }> {
  const each = (of: (number: number) => string): string => Array.from({ length: sheets }, (_, at) => of(at + 1)).join('');
  const override = (part: string, type: string): string => `<Override PartName="${part}" ContentType="${TYPES}.${type}+xml"/>`;
  yield {
    path: 'xl/workbook.xml',
    text: [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
      each((at) => `<sheet name="${escaped(at === 1 ? name : `${name} ${at}`)}" sheetId="${at}" r:id="rId${at}"/>`),
      '</sheets></workbook>',
    ],
  };
  yield {
    path: 'xl/_rels/workbook.xml.rels',
    text: [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      each((at) => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`),
      `<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
  };
  yield {
    path: 'xl/styles.xml',
    text: [
      `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>`,
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>',
    ],
  };
  yield {
    path: '_rels/.rels',
    text: [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
  };
  yield {
    path: '[Content_Types].xml',
    text: [
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`,
      override('/xl/workbook.xml', 'sheet.main'),
      each((at) => override(`/xl/worksheets/sheet${at}.xml`, 'worksheet')),
      override('/xl/styles.xml', 'styles'),
      '</Types>',
    ],
  };
}
