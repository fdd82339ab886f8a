// Generates SQL that changes rows, from the database's catalog of tables: changes each column, and inserts, copies and deletes a
// row.

import type { Tx } from '../../platform/index.ts';

/** A named change of a table by SQL. */
export interface Attempt {
  /** Name of the change, for example `coupon.percent` or `coupon: delete`. */
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** Details that are needed to change a table's rows and don't follow from its columns' types. */
export interface Ways {
  /** SQL conditions. Each selects one kind of row to change; any row by default. */
  readonly rows?: readonly string[];
  /** SQL expression for a changed value, by column. */
  readonly values?: Readonly<Record<string, string>>;
  /** SQL expression for the value in a copied row, by column; ids are new by default. */
  readonly copy?: Readonly<Record<string, string>>;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly isGenerated: boolean;
}

/** Returns the tables of a database with their columns, from its catalog. */
export async function readCatalog(db: Pick<Tx, 'rows'>): Promise<Map<string, Column[]>> {
  const rows = await db.rows<Column & { table: string }>(
    `select relname as table, attname as name, format_type(atttypid, null) as type, attgenerated <> '' as "isGenerated",
       exists (select from pg_index where indrelid = pg_class.oid and indisprimary and attnum = any (indkey)) as "isKey"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
     order by relname, attnum`,
  );
  const tables = new Map<string, Column[]>();
  for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column]);
  return tables;
}

/** Returns an SQL expression that gives a column another value; null becomes a value. */
function other(column: string, type: string): string {
  const name = `"${column}"`;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'boolean') return `not coalesce(${name}, false)`;
  if (type === 'integer' || type === 'bigint' || type === 'numeric' || type === 'smallint') return `coalesce(${name}, 0) + 1`;
  if (type.startsWith('timestamp')) return `coalesce(${name}, clock_now()) - interval '1 hour'`;
  if (type === 'date') return `coalesce(${name}, current_date) - 1`;
  if (type === 'bytea') return `set_byte(coalesce(${name}, '\\x00'), 0, (get_byte(coalesce(${name}, '\\x00'), 0) + 1) % 256)`;
  if (type === 'text[]') return `coalesce(${name}, '{}') || '{other}'`;
  if (type === 'jsonb') return `coalesce(${name}, '{}') || '{"other": 1}'`;
  if (type === 'text' || type.startsWith('character')) return `coalesce(${name}, '') || 'x'`;
  throw new Error(`Say how ${column} of the type ${type} is changed`);
}

/** Returns the changes of a table: each column in each kind of row, and a row inserted, copied and deleted. */
export function attemptsOn(
  table: string,
  columns: readonly Column[],
  { rows = ['true'], values = {}, copy = {} }: Ways,
): Attempt[] {
  const some = (where: string): string => `ctid = (select ctid from ${table} where ${where} order by ctid limit 1)`;
  const own = columns.filter(({ isGenerated }) => !isGenerated);
  const changes = own.flatMap(({ name, type }) => {
    const value = values[name] ?? other(name, type);
    return rows.map((where) => ({
      ...{ name: `${table}.${name}`, table },
      sql: `update ${table} set "${name}" = ${value} where ${some(where)}`,
    }));
  });
  const names = own.map(({ name }) => `"${name}"`).join(', ');
  const taken = (isMarked: boolean): string =>
    own
      .map(({ name, type, isKey }) => {
        if (name === 'mac' && !isMarked) return 'null';
        return copy[name] ?? (isKey && type === 'uuid' ? 'gen_random_uuid()' : `"${name}"`);
      })
      .join(', ');
  const added = (isMarked: boolean) => (where: string) =>
    `insert into ${table} (${names}) select ${taken(isMarked)} from ${table} where ${some(where)}`;
  const of = (what: string, make: (where: string) => string): Attempt[] =>
    rows.map((where) => ({ name: `${table}: ${what}`, table, sql: make(where) }));
  return [
    ...changes,
    ...of('insert', added(false)),
    ...(own.some(({ name }) => name === 'mac') ? of('copy', added(true)) : []),
    ...of('delete', (where) => `delete from ${table} where ${some(where)}`),
  ];
}
