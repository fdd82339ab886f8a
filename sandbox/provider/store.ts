import { AppendFile, replaceFile } from '../../server/platform/files/append-file.ts';

/** Anything that JSON holds; amounts as text. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A counterpart's memory: rows by table and key, each change appended to a file before the call that made it is answered.
 * What a provider has accepted it knows after a restart, too.
 */
export class Store {
  readonly #file: AppendFile | undefined;
  readonly #tables = new Map<string, Map<string, Row>>();

  /** Without a file it forgets. Reads what is there, and writes it anew without what was overwritten. */
  constructor(file?: string) {
    if (file === undefined) return;
    const before = new AppendFile(file);
    for (const [table, key, row] of before.values<[string, string, Row]>()) this.#set(table, key, row);
    before.close();
    const lines = [...this.#tables].flatMap(([table, rows]) => [...rows].map(([key, row]) => lineOf(table, key, row)));
    replaceFile(file, lines.join(''));
    this.#file = new AppendFile(file);
  }

  get<R extends Row>(table: string, key: string): R | undefined {
    return this.#tables.get(table)?.get(key) as R | undefined;
  }

  /** All rows of a table, in the order in which their keys were first put. */
  all<R extends Row>(table: string): R[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as R[];
  }

  put(table: string, key: string, row: Row): void {
    this.#file?.append(lineOf(table, key, row));
    this.#set(table, key, row);
  }

  #set(table: string, key: string, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    rows.set(key, row);
    this.#tables.set(table, rows);
  }
}

const lineOf = (table: string, key: string, row: Row): string => `${JSON.stringify([table, key, row])}\n`;
