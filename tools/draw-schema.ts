// Draws docs/schema.md from the catalog of a migrated database. `node tools/draw-schema.ts` writes the page; a test fails while
// the page and the migrations differ.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Statements } from '../server/platform/index.ts';
import { testDb } from '../server/platform/testing.ts';
import { tableRooms } from './table-rooms.ts';

/** Path of the page. */
export const SCHEMA_PAGE = fileURLToPath(new URL('../docs/schema.md', import.meta.url));

/** A table or view as the catalog has it. Comments come from `comment on` in the migrations. */
export interface CatalogTable {
  readonly name: string;
  readonly isView: boolean;
  readonly comment: string | null;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly mayBeNull: boolean;
    readonly comment: string | null;
  }[];
  /** Primary, unique and foreign keys, as SQL. */
  readonly keys: readonly string[];
}

/** Reads all tables and views of the product. */
export const readCatalog = (db: Statements): Promise<CatalogTable[]> =>
  db.rows<CatalogTable>(`
    select relname as name, relkind = 'v' as "isView", obj_description(c.oid) as comment,
      (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
          'mayBeNull', relkind = 'r' and not attnotnull, 'comment', col_description(c.oid, attnum)) order by attnum)
       from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'f')
        order by contype = 'f', contype = 'u', conname) as keys
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname <> 'migration'`);

const typeOf = (type: string): string =>
  type
    .replace('timestamp with time zone', 'timestamptz')
    .replace(/\binteger\b/, 'int')
    .replace('double precision', 'float8');

const cell = (text: string): string => text.replaceAll('|', '\\|');

function drawTable({ name, isView, comment, columns, keys }: CatalogTable): string {
  const rows = columns.map(
    (column) =>
      `| \`${column.name}\` | ${typeOf(column.type)}${column.mayBeNull ? ' or null' : ''} | ${cell(column.comment ?? '')} |`,
  );
  return [
    `### ${name}\n`,
    `${isView ? 'View. ' : ''}${comment ?? ''}\n`,
    '| column | type | meaning |',
    '|---|---|---|',
    ...rows,
    ...(keys.length > 0 ? [`\n${keys.map((key) => `\`${key}\``).join(' · ')}`] : []),
    '',
  ].join('\n');
}

/** Draws the page: every table by room. Throws for a table that no migration creates. */
export function drawSchema(tables: readonly CatalogTable[]): string {
  const rooms = tableRooms();
  const lost = tables.filter(({ name }) => !rooms.has(name)).map(({ name }) => name);
  if (lost.length > 0) throw new Error(`No migration creates ${lost.join(', ')}`);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const sections = [...Map.groupBy(rooms, ([, room]) => room)].map(([room, own]) =>
    [`## ${room}\n`, ...own.flatMap(([name]) => byName.get(name) ?? []).map(drawTable)].join('\n'),
  );
  return [
    '# The schema\n',
    `Drawn from the catalog of a migrated database by \`tools/draw-schema.ts\`; a test fails when they differ. ${tables.length} tables and views, by the room that owns them. The sentence below a table's name says what a row is. Columns named \`parts\` are amounts in minor units; \`mac\` is a MAC under a key that the database does not have ([what it covers](architecture.md#proof-against-changes-by-sql)). The table \`migration\` beside them lists what was applied; \`server/platform/db/migrate.ts\` makes it.\n`,
    ...sections,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { db, drop } = await testDb();
  writeFileSync(SCHEMA_PAGE, drawSchema(await readCatalog(db)));
  await drop();
}
