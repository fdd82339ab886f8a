import { AppendFile, replaceFile } from '../../server/platform/files/append-file.ts';

/** Row of JSON values; amounts are text. */
export type StoredRow = Readonly<Record<string, unknown>>;

/**
 * Stored state of a counterpart: rows by table and key. Each change is appended to a file before its call is answered, so that
 * everything a provider accepted survives a restart.
 */
export class Store {
  readonly #file: AppendFile | undefined;
  readonly #tables = new Map<string, Map<string, StoredRow>>();

  /** Reads the file and rewrites it without overwritten rows. Without a file, nothing is stored. */
  constructor(file?: string) {
    if (file === undefined) return;
    const before = new AppendFile(file);
    for (const [table, key, row] of before.values<[string, string, StoredRow]>()) this.#set(table, key, row);
    before.close();
    const lines = [...this.#tables].flatMap(([table, rows]) => [...rows].map(([key, row]) => lineOf(table, key, row)));
    replaceFile(file, lines.join(''));
    this.#file = new AppendFile(file);
  }

  get<R extends StoredRow>(table: string, key: string): R | undefined {
    return this.#tables.get(table)?.get(key) as R | undefined;
  }

  /** Returns all rows of a table, in the order in which their keys were first stored. */
  all<R extends StoredRow>(table: string): R[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as R[];
  }

  put(table: string, key: string, row: StoredRow): void {
    this.#file?.append(lineOf(table, key, row));
    this.#set(table, key, row);
  }

  #set(table: string, key: string, row: StoredRow): void {
    const rows = this.#tables.get(table) ?? new Map<string, StoredRow>();
    rows.set(key, row);
    this.#tables.set(table, rows);
  }
}

const lineOf = (table: string, key: string, row: StoredRow): string => `${JSON.stringify([table, key, row])}\n`;
