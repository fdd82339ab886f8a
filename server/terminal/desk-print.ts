// What the desk tool writes: words, answers as they came, and rows as aligned columns.

/** Columns of the terminal; a hundred where nobody says it. */
const columns = (): number => process.stdout.columns || Number.parseInt(process.env['COLUMNS'] ?? '', 10) || 100;

/** Writes a line. */
export function print(words: string): void {
  process.stdout.write(`${words}\n`);
}

/** Writes an answer as it came. */
export function printAll(answer: unknown): void {
  print(JSON.stringify(answer, null, 2));
}

/** Writes an answer in words: a line for each field, and lists as columns. */
export function printAnswer(answer: unknown): void {
  if (Array.isArray(answer)) return printTable(answer as object[]);
  for (const [name, value] of Object.entries((answer ?? {}) as object)) {
    const isRows = Array.isArray(value) && value.every((row) => typeof row === 'object');
    print(`${name.replaceAll('_', ' ')}: ${isRows ? '' : cellOf(value)}`);
    if (isRows) printTable(value as object[]);
  }
}

/** Writes rows as aligned columns; `none` is written where there are no rows. */
export function printTable(rows: readonly object[], none = 'There is nothing.'): void {
  print(rows.length === 0 ? none : tableOf(rows, columns()).join('\n'));
  print('');
}

const GAP = '  ';

/**
 * The lines of a table that is as wide as the terminal at most, where its words let it be: cells that are too long go on in
 * lines below, and nothing is left out. An id or an address is never broken, so that it can be copied.
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

/** The width of each column: the widest is narrowed first, and none below its longest word. */
function fit(all: readonly (readonly string[])[], width: number): number[] {
  const widths = all.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const least = all.map((cells) => Math.max(...cells.flatMap((cell) => wordsOf(cell).map((word) => word.length))));
  const room = width - GAP.length * (all.length - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const slack = widths.map((one, column) => (one > (least[column] as number) ? one : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0) break;
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

/** Keeps a figure on the line of its unit, and a time on the line of its day. */
const wordsOf = (text: string): string[] => text.split(/(?<!(?:^| )[\d.,-]+) /);

/** Words in lines of at most so many letters; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of wordsOf(text)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How much of a long text is shown: a fingerprint is whole, since people compare it. --json shows all of a longer one. */
export const MOST_OF_A_DETAIL = 64;

/** A moment as the desk reads it, in UTC. */
export const moment = (at: string | undefined): string => at?.slice(0, 19).replace('T', ' ') ?? '';

/** What customers write may hold signs that a terminal obeys, or that turn the direction of writing. */
export const safe = (text: string): string => text.replace(/[^\n\P{C}]/gu, '');

const IS_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value in one line; of a long text its beginning, which --json has whole. */
function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) {
    const text = String(value ?? '');
    return IS_MOMENT.test(text) ? moment(text) : safe(text.replace(/\s+/g, ' '));
  }
  const shown = Object.entries(value).map(([name, part]) => {
    const text = cellOf(typeof part === 'object' && part !== null ? JSON.stringify(part) : part);
    return `${name}=${text.length > MOST_OF_A_DETAIL ? `${text.slice(0, MOST_OF_A_DETAIL)}… (--json: all)` : text}`;
  });
  return shown.join(' ');
}
