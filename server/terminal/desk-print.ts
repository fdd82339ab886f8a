// Output of the desk's tool: words, answers as received, and rows as aligned columns.

/** Returns the width of the terminal; 100 if unknown. */
const columns = (): number => process.stdout.columns || Number.parseInt(process.env['COLUMNS'] ?? '', 10) || 100;

/** Prints a line. */
export function print(words: string): void {
  process.stdout.write(`${words}\n`);
}

/** Prints an answer as received. */
export function printAll(answer: unknown): void {
  print(JSON.stringify(answer, null, 2));
}

/** Prints an answer in words: a line per field, and lists as tables. */
export function printAnswer(answer: unknown): void {
  if (Array.isArray(answer)) return printTable(answer as object[]);
  for (const [name, value] of Object.entries((answer ?? {}) as object)) {
    const isRows = Array.isArray(value) && value.every((row) => typeof row === 'object');
    print(`${name.replaceAll('_', ' ')}: ${isRows ? '' : cellOf(value)}`);
    if (isRows) printTable(value as object[]);
  }
}

/** Prints rows as aligned columns, or `none` if there are no rows. */
export function printTable(rows: readonly object[], none = 'There is nothing.'): void {
  print(rows.length === 0 ? none : tableOf(rows, columns()).join('\n'));
  print('');
}

const GAP = '  ';

/**
 * Returns the lines of a table. It is no wider than `width` if its words allow that: long cells continue on the lines below, and
 * nothing is left out. Ids and addresses are never broken, so that they can be copied.
 */
export function tableOf(rows: readonly object[], width: number): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [
    names.map((name) => name.replaceAll('_', ' ')),
    ...rows.map((row) => names.map((name) => cellOf((row as Record<string, unknown>)[name]))),
  ];
  const widths = fit(
    names.map((_, column) => cells.map((line) => line[column] as string)),
    width,
  );
  return cells.flatMap((line) => {
    const wrapped = line.map((cell, column) => wrap(cell, widths[column] as number));
    const height = Math.max(1, ...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      wrapped
        .map((parts, column) => (parts[at] ?? '').padEnd(widths[column] as number))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Returns the width of each column. The widest is narrowed first, and none below its longest word. */
function fit(all: readonly (readonly string[])[], width: number): number[] {
  const widths = all.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const min = all.map((cells) => Math.max(...cells.flatMap((cell) => wordsOf(cell).map((word) => word.length))));
  const room = width - GAP.length * (all.length - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const slack = widths.map((one, column) => (one > (min[column] as number) ? one : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0) break;
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

/** Splits text at spaces, but keeps a figure with its unit, and a date with its time. */
const wordsOf = (text: string): string[] => text.split(/(?<!(?:^| )[\d.,-]+) /);

/** Wraps text into lines of at most `width` characters; a longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of wordsOf(text)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Maximum length of a detail; --json shows all. A fingerprint still fits, since people compare it. */
export const MAX_OF_A_DETAIL = 64;

/** Formats a moment for the desk, in UTC. */
export const moment = (at: string | undefined): string => at?.slice(0, 19).replace('T', ' ') ?? '';

/** Removes control characters that a terminal would obey, and marks of the writing direction. For text by customers. */
export const safe = (text: string): string => text.replace(/[^\n\P{C}]/gu, '');

const IS_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Returns a value in one line. A long text is shortened; --json has all of it. */
function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) {
    const text = String(value ?? '');
    return IS_MOMENT.test(text) ? moment(text) : safe(text.replace(/\s+/g, ' '));
  }
  const shown = Object.entries(value).map(([name, part]) => {
    const text = cellOf(typeof part === 'object' && part !== null ? JSON.stringify(part) : part);
    return `${name}=${text.length > MAX_OF_A_DETAIL ? `${text.slice(0, MAX_OF_A_DETAIL)}… (--json: all)` : text}`;
  });
  return shown.join(' ');
}
