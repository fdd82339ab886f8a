import type { Statements } from '../../platform/index.ts';

/**
 * A question for those of some rails that have rows due now. `name` is the statement's; `rows` is a table with `rail` and
 * `due_at`, or a query of one in brackets.
 */
export function dueRails(name: string, rows: string): (db: Statements, rails: readonly string[]) => Promise<string[]> {
  const sql = `select asked.rail from unnest($1::text[]) as asked (rail)
    where exists (select from ${rows} as due where due.rail = asked.rail and due.due_at <= clock_now())`;
  return async (db, rails) => (await db.rows<{ rail: string }>(sql, [rails], { name })).map(({ rail }) => rail);
}
