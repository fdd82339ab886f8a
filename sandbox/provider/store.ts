import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Anything that JSON holds; amounts as text. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A counterpart's memory: rows by table and key, each change appended to a file before the call that made it is answered.
 * What a provider has accepted it knows after a restart, too.
 */
export class Store {
  readonly #file: string | undefined;
  readonly #tables = new Map<string, Map<string, Row>>();

  /** Without a file it forgets. Reads what is there, and writes it anew without what was overwritten. */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) this.#read(line);
    const lines = [...this.#tables].flatMap(([table, rows]) => [...rows].map(([key, row]) => lineOf(table, key, row)));
    writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }

  get<R extends Row>(table: string, key: string): R | undefined {
    return this.#tables.get(table)?.get(key) as R | undefined;
  }

  /** All rows of a table, in the order in which their keys were first put. */
  all<R extends Row>(table: string): R[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as R[];
  }

  put(table: string, key: string, row: Row): void {
    this.#set(table, key, row);
    if (this.#file !== undefined) appendFileSync(this.#file, lineOf(table, key, row), { mode: 0o600 });
  }

  #set(table: string, key: string, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    rows.set(key, row);
    this.#tables.set(table, rows);
  }

  /** The last line may be torn by a kill: then it was never answered. */
  #read(line: string): void {
    try {
      const [table, key, row] = JSON.parse(line) as [string, string, Row];
      this.#set(table, key, row);
    } catch {
      // Nobody was told of it.
    }
  }
}

const lineOf = (table: string, key: string, row: Row): string => `${JSON.stringify([table, key, row])}\n`;
