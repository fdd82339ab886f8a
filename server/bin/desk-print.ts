// What the desk tool writes: words, answers as they came, and rows as aligned columns.

/** Writes a line. */
export function print(words: string): void {
  process.stdout.write(`${words}\n`);
}

/** Writes an answer as it came. */
export function printAll(answer: unknown): void {
  print(JSON.stringify(answer, null, 2));
}

/** Writes an answer in words: a line a field, and what has rows as columns. */
export function printAnswer(answer: unknown): void {
  if (Array.isArray(answer)) return printTable(answer as object[]);
  for (const [name, value] of Object.entries((answer ?? {}) as object)) {
    const isRows = Array.isArray(value) && value.every((row) => typeof row === 'object');
    print(`${name.replaceAll('_', ' ')}: ${isRows ? '' : cellOf(value)}`);
    if (isRows) printTable(value as object[]);
  }
}

/** Writes rows as aligned columns. */
export function printTable(rows: readonly object[]): void {
  if (rows.length === 0) return print('nothing\n');
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf((row as Record<string, unknown>)[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => (line[column] as string).length)));
  for (const line of cells)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
  print('');
}

/** Of a long text so much is shown, which --json has whole. */
export const MOST_OF_A_DETAIL = 60;

/** A value in one line; of a long text its beginning, which --json has whole. */
function cellOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const shown = Object.entries(value).map(([name, part]) => {
    const text = String(part).replace(/\s+/g, ' ');
    return `${name}=${text.length > MOST_OF_A_DETAIL ? `${text.slice(0, MOST_OF_A_DETAIL)}… (--json: all)` : text}`;
  });
  return shown.join(' ');
}
